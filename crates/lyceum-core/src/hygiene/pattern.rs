//! The signs of an order to a reviewer or a model, as patterns over the plain form of a text (`fold`).
//!
//! Chinese and Japanese are written here as `fold` leaves them, with simplified characters. Gaps are counted in words, so that no pattern reaches beyond a sentence. The weight says how much a sign proves alone;
//! `instruction` adds the signs of one passage up.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

/// One sign.
pub(super) struct Pattern {
    /// What it looks like.
    pub(super) regex: Regex,
    /// How much it proves, 1 or 2.
    pub(super) weight: u8,
    /// What it is.
    pub(super) sign: Sign,
}

/// What a sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// An order, which in a sentence of a paper stands at its beginning.
    Order,
    /// An order that authors may also give each other; it needs an addressee or a plainer sign beside it.
    Soft,
    /// A statement that only makes sense as an order to the one who reads it; it may stand anywhere.
    Told,
    /// A name or a condition that says to whom an order goes, or whose work it concerns.
    Addressee,
    /// A model spoken of in the third person: an addressee in the source, a subject of research in visible text.
    Third,
}

// One or more words of a gap, in the plain form.
macro_rules! gap {
    ($n:literal) => {
        concat!(r"(?:[a-z0-9'/-]+[ ,]+){0,", $n, "}")
    };
}
macro_rules! machine {
    () => {
        r"(?:llms?|large language models?|language models?|ai(?: models?| assistants?| systems?| agents?)?|gpt[a-z0-9-]*|chatgpt|chatbots?|ai reviewers?|llm reviewers?|review(?:er|ing)? (?:agents?|models?|systems?|bots?|tools?)|automated (?:reviewers?|reviews?|systems?|analysis [a-z]+)|assistants?)"
    };
}
macro_rules! judge {
    () => {
        r"(?:reviewers?|referees?|area chairs?|meta-?reviewers?|editors?|program chairs?)"
    };
}

impl Sign {
    /// True for a sign that is no order itself.
    pub(super) const fn is_addressee(self) -> bool {
        matches!(self, Self::Addressee | Self::Third)
    }
}

const SOURCES: &[(Sign, u8, &str)] = &[
    // Earlier instructions are to be dropped.
    (
        Sign::Order,
        2,
        concat!(
            r"\b(?:ignore|disregard|forget|override|bypass|discard|dismiss)\b[ ,]+",
            gap!("5"),
            r"(?:previous|prior|above|earlier|preceding|foregoing|your|system|developer|original|initial)[ ,]+",
            gap!("4"),
            r"(?:instructions?|prompts?|directions|directives?|guidelines|guidance|messages|instruction sets?|programming)\b"
        ),
    ),
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:ignore|disregard|forget|override)\b (?:all|any|every|the|these|those)\b[ ,]*",
            gap!("3"),
            r"(?:instructions?|prompts?|directives?|guidelines|rules|rubrics?|policies)\b"
        ),
    ),
    (
        Sign::Order,
        2,
        r"\b(?:ignore|disregard|forget) (?:the |your |any |all )?(?:review|reviewing|scoring|evaluation) (?:rubrics?|guidelines|criteria|instructions|forms?)\b",
    ),
    (
        Sign::Told,
        2,
        r"\b(?:previous|prior|earlier|above)(?: [a-z]+)? (?:prompts?|instructions?|guidelines) (?:are|is|were|was) (?:now )?(?:obsolete|void|cancell?ed|revoked|invalid|no longer valid|superseded)\b",
    ),
    (
        Sign::Told,
        2,
        r"\byour (?:review(?:ing)?|scoring|system) (?:policy|prompt|instructions?|guidelines) (?:has|have|was|were|is|are) (?:been |now )?(?:updated|changed|replaced)\b",
    ),
    (
        Sign::Order,
        2,
        r"\byou are now (?:[a-z]+ ){1,3}(?:and|with|who) (?:have |has )?(?:no|without) (?:content polic|restriction|limit|filter|rule)",
    ),
    (
        Sign::Order,
        2,
        r"\b(?:(?:from now on,? |now )you|you now|pretend (?:that )?you|(?:answer|respond|act) (?:as if|as though) you) (?:must |now )?have no (?:[a-z]+ )?(?:restrictions|filters|rules|content policy|guidelines)\b",
    ),
    (
        Sign::Order,
        2,
        concat!(
            r"\b(?:reveal|print|show|output|repeat|display|leak|expose|dump)\b ",
            gap!("3"),
            r"(?:your |the (?:full |hidden |entire )+)(?:(?:full|hidden|private|initial) )*system prompt\b"
        ),
    ),
    (
        Sign::Order,
        2,
        r"\bstop everything\b[^a-z]{0,8}(?:now[^a-z]{0,8})?just (?:print|say)\b",
    ),
    (
        Sign::Told,
        2,
        r"(?:^|[\]\n.!?>#:=-]) ?(?:system: |override: |new instructions?: )(?:[a-z]+ ){0,6}(?:you|your|this user|instruction|safety|ignore)\b",
    ),
    (
        Sign::Told,
        1,
        r"\b(?:safety (?:protocols|checks|filters)(?: and confirmations)?(?: are)? disabled|skip all safety checks)\b",
    ),
    // The same in other languages; accents are gone in the plain form.
    (
        Sign::Order,
        2,
        r"\b(?:ignorez?|oubliez?|ne tenez pas compte de) (?:toutes )?(?:les |vos |des )?(?:instructions|consignes|directives) (?:precedentes|anterieures|ci-dessus)",
    ),
    (
        Sign::Order,
        2,
        r"\b(?:ignorieren? sie|ignoriere|vergiss|missachte|vergessen sie) (?:alle |samtliche |die |deine |ihre )*(?:vorherigen |bisherigen |obigen |fruheren )*(?:anweisungen|instruktionen|richtlinien|vorgaben)",
    ),
    (
        Sign::Order,
        2,
        r"\b(?:ignora|ignore|olvida|olvide|dimentica) (?:todas |tutte |todos )?(?:las |le |as |tus )?(?:instrucciones|istruzioni|instrucoes) (?:anteriores|precedenti|previas)",
    ),
    (
        Sign::Order,
        2,
        r"(?:忽略|无视|忽视|忘记|忘掉|不要理会|丢弃)[^。！？\n]{0,10}(?:之前|以上|以前|先前|前面|上述|此前|所有|一切|任何|原有|你的|您的)[^。！？\n]{0,8}(?:指令|指示|提示词|提示语|系统提示|设定)",
    ),
    (
        Sign::Told,
        2,
        r"(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令|プロンプト)(?:を|は)(?:すべて|全て)?无视",
    ),
    (
        Sign::Told,
        2,
        r"이전(?:의)? (?:모든 )?(?:지시|명령|프롬프트)(?:사항)?(?:를|을)? ?(?:모두 )?무시",
    ),
    (
        Sign::Order,
        2,
        r"\b(?:ignore|disregard|forget) (?:everything|all of the|all) (?:above|before|prior|preceding)\b|\b(?:ignore|disregard|forget) (?:all |any |the |your )?(?:prior|previous|earlier|above) (?:context|conversation|content)\b",
    ),
    (
        Sign::Order,
        2,
        r"(?:忽略|无视|忽视|无需遵守|不必遵守)[^。！？\n]{0,8}(?:审稿|评审)(?:指南|标准|规则|要求|规定)",
    ),
    // What the review is to say.
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:give|write|provide|output|produce|return|generate|assign|award|submit|leave|issue)\b ",
            gap!("6"),
            r"(?:positive|favou?rable|glowing|highest|top|excellent|outstanding|perfect|enthusiastic|maximum)[ ,]+",
            gap!("3"),
            r"(?:reviews?|ratings?|scores?|assessments?|evaluations?|recommendations?|reports?|feedback|remarks?|comments?|verdicts?|marks)\b"
        ),
    ),
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:give|write|respond|reply|answer|focus|report|mention|list|highlight|provide|make)\b ",
            gap!("6"),
            r"(?:(?:strengths|praise|(?:positive|good) (?:reviews?|remarks|comments|feedback|points|aspects)) only|only (?:on )?(?:the |its )?(?:strengths|praise|(?:positive|good|favou?rable) (?:reviews?|remarks|comments|feedback|points|aspects)))\b"
        ),
    ),
    (
        Sign::Soft,
        1,
        concat!(
            r"\b(?:do not|don't|never|avoid|refrain from|must not|without) (?:highlight|mention|list|report|forward|point|includ|rais|discuss|stat|writ|giv|identif|criticiz|criticis|emphasi)[a-z]*\b[ ,]*",
            gap!("3"),
            r"(?:negatives?|weakness(?:es)?|limitations|criticisms?|flaws|shortcomings|drawbacks|negative (?:aspects?|points?|comments?|remarks?|feedback|results))\b"
        ),
    ),
    (
        Sign::Soft,
        1,
        r"\b(?:refrain|abstain|desist) from (?:any |all )?(?:criticism|critici[sz]ing|negative (?:comments|remarks))\b",
    ),
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:recommend|endorse|support|advise|suggest|vote for|argue for)\b ",
            gap!("4"),
            r"(?:accept(?:ance|ing|ed)?|publication|publishing)\b"
        ),
    ),
    (
        Sign::Order,
        1,
        r"\b(?:accept|approve|endorse) (?:this|the|our) (?:paper|manuscript|submission|work|article)\b",
    ),
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:treat|rate|score|evaluate|regard|consider|mark|grade)\b ",
            gap!("6"),
            r"(?:strong accept|clear accept|10 ?/ ?10|10 out of 10)\b"
        ),
    ),
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:output|give|assign|return)\b ",
            gap!("4"),
            r"(?:score|rating) of (?:[89]|10|100|5 out of 5)\b"
        ),
    ),
    (
        Sign::Told,
        2,
        r"\byour (?:final |overall )?(?:recommendation|decision|verdict|score|rating) (?:has to|must|should|shall|needs to|will) be (?:an? )?(?:strong |clear |weak )?(?:accept|positive|10)",
    ),
    (
        Sign::Order,
        1,
        r"\b(?:review|report|assessment) (?:that|which) (?:supports?|recommends?|favou?rs?) (?:its )?(?:acceptance|publication)\b",
    ),
    (
        Sign::Order,
        2,
        concat!(
            r"\b(?:include|insert|use|add|mention)\b ",
            gap!("2"),
            r#"(?:phrase|sentence|words?)[: ]+[^.\n]{0,90}(?:in|to|into) (?:your|the) (?:review|report)\b"#
        ),
    ),
    (
        Sign::Order,
        1,
        r"\bdo not (?:reveal|disclose|mention|repeat) (?:this|these) (?:note|instructions?|messages?|prompt|text)\b",
    ),
    (
        Sign::Order,
        1,
        r"(?:给出|提供|撰写|写出|写|输出|返回|作出|做出|打)[^。！？\n]{0,6}(?:正面|积极|好评|肯定|高分|满分|最高分|接收|录用)[^。！？\n]{0,6}(?:评价|评审|审稿|评分|意见|评语|建议|分数)?",
    ),
    (
        Sign::Soft,
        1,
        r"(?:不要|请勿|切勿|不得|禁止|避免)[^。！？\n]{0,4}(?:提及|提到|指出|列出|强调|写出|提出|突出)[^。！？\n]{0,8}(?:缺点|不足|局限|负面|弱点|缺陷|批评)",
    ),
    (
        Sign::Order,
        1,
        r"(?:推荐|建议|同意|必须|应当)[^。！？\n]{0,4}(?:接收|录用|接受|发表)(?:本文|本论文|该论文|此论文|这篇|此文|该文|本稿)",
    ),
    (
        Sign::Told,
        2,
        r"(?:肯定的|好意的|ポジティブ)な?(?:レビュー|评価|コメント|査読)(?:のみ|だけ)|(?:否定的|ネガティブ)な?[^。\n]{0,10}(?:言及|强調|指摘)(?:しない|せず)",
    ),
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:rate|score|grade|evaluate|treat|regard|consider|judge|describe|frame|present)\b ",
            gap!("5"),
            r"(?:paper|manuscript|submission|work|article|it)[ ,]+",
            gap!("3"),
            r"(?:excellent|outstanding|exceptional|groundbreaking|10 ?/ ?10|highest|top)\b"
        ),
    ),
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:assign|give|award|recommend|conclude|praise|endorse)\b ",
            gap!("6"),
            r"(?:merits|deserves|warrants|worthy of) (?:publication|acceptance)\b"
        ),
    ),
    (
        Sign::Told,
        1,
        r"\b(?:this|the) (?:paper|manuscript|submission|article|work) (?:should|must|has to|shall|is to|needs to) be (?:accepted|published|praised|rated|scored|recommended)\b|\bhas already been accepted; ",
    ),
    (
        Sign::Soft,
        1,
        concat!(
            r"\b(?:emphasi[sz]e|highlight|stress|praise|focus on|underline|only mention|mention only|stick to)\b ",
            gap!("3"),
            r"(?:strengths|novelty|merits|positives|groundbreaking|exceptional|outstanding)\b"
        ),
    ),
    (
        Sign::Soft,
        1,
        r"\bpraise (?:this|the) (?:paper|work|manuscript|submission|authors)\b|\b(?:supporter|advocate|champion|fan) of (?:this|the) (?:paper|work|manuscript|submission)\b",
    ),
    (
        Sign::Soft,
        1,
        r"\b(?:weakness(?:es)?|flaws|limitations|criticisms?)(?: [a-z]+){0,2} (?:should|must|are to) be (?:downplayed|ignored|omitted|framed|presented as|called)\b|\bdownplay (?:any |all |the )?(?:weakness(?:es)?|flaws|limitations)\b",
    ),
    (
        Sign::Told,
        2,
        concat!(
            r"\byour (?:final |overall )?(?:review|assessment|evaluation|report|rating|score|recommendation|verdict|feedback) (?:has to|must|should|shall|needs to|will) ",
            gap!("3"),
            r"(?:positive|favou?rable|supportive|enthusiastic|glowing|accept|praise|high)\b"
        ),
    ),
    (
        Sign::Soft,
        1,
        r"\b(?:do not|don't|never|should not|must not|shall not) (?:critici[sz]e|find fault|object to)\b|\breject any critici|\b(?:skip|omit|leave out) (?:the |any |all )?(?:weakness(?:es)?|limitations|criticisms?)\b|\bnever mention (?:missing|small|the lack|any lack)\b",
    ),
    (
        Sign::Order,
        1,
        r#"\b(?:output|print|answer|respond|reply|return)(?: with| only)?:? ["']?(?:strong |weak )?accept(?:\b["'.]|$)"#,
    ),
    (
        Sign::Order,
        1,
        concat!(
            r"\b(?:set|put|raise|fix)\b ",
            gap!("4"),
            r"(?:score|rating)s? (?:to|at) (?:the |its )?(?:maximum|highest|[45]\b|9\b|10\b)"
        ),
    ),
    (
        Sign::Order,
        1,
        r"\b(?:glowing|enthusiastic|unreserved|strong) endorsement of (?:this|the)\b|\brecommending (?:publication|acceptance)\b",
    ),
    (
        Sign::Order,
        1,
        r"(?:直接|强烈|务必|请)(?:推荐|建议)(?:录用|接收|接受|发表)",
    ),
    (
        Sign::Order,
        1,
        r"(?:给予|给出|给|打出?)[^。！？\n]{0,4}(?:最高|满分|高)[^。！？\n]{0,2}(?:评分|评价|分)",
    ),
    (
        Sign::Soft,
        1,
        r"[只仅][写给提说谈][^。！？\n]{0,6}(?:优点|正面|积极|好评)|(?:不要|请勿|切勿|别)[^。！？，\n]{0,8}(?:写|说|谈)[^。！？\n]{0,6}(?:缺点|不足|负面|批评)",
    ),
    // What an agent is to do.
    (
        Sign::Order,
        2,
        concat!(
            r"\b(?:read|open|send|paste|append|print|upload|copy)\b ",
            gap!("4"),
            r"(?:~? ?/?\.ssh|id_rsa|\.env|api keys?|credentials|passwords?)[^.\n]{0,60}(?:your (?:summary|reply|response|answer|output|context)|commit message|context window|https?:)"
        ),
    ),
    (
        Sign::Order,
        2,
        r"\b(?:append|write|add)\b [^.\n]{0,70}(?:claude|agents|memory|gemini)\.md\b[^.\n]{0,20}then delete",
    ),
    (
        Sign::Order,
        2,
        r"\brender (?:this|the following) image in your (?:reply|response|answer|review|summary)\b",
    ),
    // To whom.
    (
        Sign::Addressee,
        1,
        concat!(
            r"\b(?:if|when|since|as|because) (?:you are |you're |you were )?(?:an? )?",
            machine!(),
            r"\b"
        ),
    ),
    (
        Sign::Addressee,
        1,
        concat!(
            r"(?:^|[.!?:>\n\]] ?|\b(?:note|message|instructions?|attention|notice|important|dear|hey|hello|for|to)[: ]+)(?:to |for )?(?:all |any |the )?(?:",
            machine!(),
            "|",
            judge!(),
            r")(?: (?:evaluating|reviewing|reading|assessing) (?:this|the) (?:text|paper|manuscript|document|submission))? ?[:,]"
        ),
    ),
    (
        Sign::Addressee,
        1,
        concat!(
            r"\b(?:reviewed|assessed|evaluated|read|processed|summari[sz]ed|judged|graded) by (?:an? |any )?",
            machine!(),
            r"\b"
        ),
    ),
    (
        Sign::Addressee,
        1,
        concat!(
            r"\byou are (?:now |acting as )?(?:an? |the )?",
            judge!(),
            r"\b"
        ),
    ),
    (
        Sign::Addressee,
        1,
        r"\byour (?:final |overall |own )?(?:review|report|recommendation|assessment|evaluation|rating|reviewing)\b",
    ),
    (
        Sign::Addressee,
        1,
        r"(?:作为|身为|如果你是|若你是|假如你是|致|尊敬的|请各位)(?:一[个名位款])?[^。！？，,\n]{0,6}(?:语言模型|大模型|人工智能|ai|审稿人|审稿模型|评审|助手|llm)",
    ),
    (
        Sign::Addressee,
        1,
        r"(?:你|您)的(?:评审|审稿|评价|回复|报告|总结|意见)",
    ),
    (
        Sign::Addressee,
        1,
        r"\byou (?:must|should|shall|have to|need to) (?:[a-z]+ )?(?:recommend|accept|give|rate|assign|score|endorse|praise|approve)\b|审稿人(?:若|如果|如)?(?:为|是)(?:大模型|语言模型|ai|人工智能)|\bin your review\b",
    ),
    (
        Sign::Third,
        1,
        concat!(
            r"\b",
            machine!(),
            r" (?:must|should|shall|are required|is required|reading|reviewing|evaluating|that (?:reads?|reviews?|evaluates?))\b"
        ),
    ),
    (
        Sign::Third,
        1,
        concat!(
            r"\b(?:note|message|instructions?|attention|notice)[: ]+(?:to |for )?(?:the |all |any )?",
            machine!(),
            r"\b"
        ),
    ),
    (
        Sign::Third,
        1,
        r"\b(?:as the reviewer|the reviewer (?:must|should|model)|reviewers? (?:must|shall))\b",
    ),
];

/// All signs, each with its own pattern.
pub(super) static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    SOURCES
        .iter()
        .map(|&(sign, weight, source)| Pattern {
            regex: compile(source),
            weight,
            sign,
        })
        .collect()
});

/// All orders in one pass; the indices are those of [`PATTERNS`], of which orders are the first.
pub(super) static ORDERS: LazyLock<RegexSet> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "literal patterns, compiled by every test"
    )]
    RegexSet::new(
        SOURCES
            .iter()
            .take_while(|(sign, ..)| !sign.is_addressee())
            .map(|(.., source)| ascii(source)),
    )
    .expect("patterns")
});

/// Words without one of which no sign of weight can be there: a cheap look before the set runs.
pub(super) static ANCHOR: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        "ignor|disregard|excellent|outstanding|exceptional|groundbreaking|highest|merits|deserves|warrants|worthy|novelty|positives|supporter|advocate|champion|fan of|downplay|fault|object to|missing|small|lack|endorsement|录|优点|规|forget|overrid|bypass|discard|dismiss|obsolete|revoked|void|cancel|supersed|invalid|no longer|updated|changed|replaced|restrictions|polic|filters|system prompt|just print|just say|instruction|safety|oubliez|ne tenez|vergiss|missachte|vergessen|olvid|dimentica|review|rating|score|assessment|evaluation|recommend|report|feedback|remark|comment|verdict|marks|strengths|praise|points|aspects|negative|weakness|limitations|critici|flaws|shortcomings|drawbacks|accept|publi|approve|endorse|10|phrase|sentence|reveal|disclose|\\.md|render|\\.ssh|id_rsa|\\.env|api key|credential|password|忽|无视|忘|不要理会|丢弃|무시|正面|积极|好评|肯定|分|接收|录用|缺|不足|局限|负面|弱点|批评|接受|发表|レビュー|评価|コメント|査読|否定的|ネガティブ",
    )
});

/// Words before an order that make it a report of an order.
pub(super) static REPORTED: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:e\.g|i\.e|such as|for example|for instance|examples?|like|as in|phrases?|attacks?|injections?|injected|payloads?|jailbreak[a-z]*|says?|said|saying|states|reads|tells?|telling|told|instruct(?:s|ed|ing)?|prompts? (?:such|like|that|of|to)|prompting|adversar[a-z]+|malicious|hidden|called|titled|entitled|named)\b[^.!?]*$|(?:例如|比如|诸如|如：|譬如|攻击|注入|所谓|提示词如)[^。！？]*$",
    )
});

/// Words that may stand between the beginning of a sentence and an order in it.
pub(super) static LEAD: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"^[^a-z\p{Han}]*(?:(?:please|kindly|now|just|also|and|then|stop|nevermind|never mind|important|note|instead|must|should|shall|you|from now on|so|for the (?:rest|remainder) of (?:this|the) [a-z]+|always|simply|only|therefore|important instruction|请|请你|务必|立即|现在|你|您|应|应当|应该|必须|并|直接|只|仅)[^a-z\p{Han}]*){0,6}$",
    )
});

/// What a text about such attacks, or about prompting models, says of its subject.
pub(super) static TOPIC: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:prompt[- ]injections?|injection attacks?|jailbreak[a-z]*|adversarial (?:prompts?|instructions?)|hidden (?:prompts?|instructions?)|injected (?:prompts?|instructions?)|malicious (?:prompts?|instructions?)|red[- ]team[a-z]*|prompt (?:leak[a-z]*|hijack[a-z]*|attacks?|security)|indirect injections?|prompt (?:templates?|engineering|design)|following prompts?|(?:we|was|were) prompt(?:ed)?|prompted with|(?:few|zero)-shot|chain-of-thought|in-context learning|llm[- ]as[- ]an?[- ](?:judge|reviewer)|(?:automated|automatic|(?:ai|llm)[- ](?:based|assisted|generated|written)) (?:peer )?review(?:s|ing)?)\b|提示词?注入|提示工程|提示模板|越狱|隐藏指令|对抗提示",
    )
});

fn compile(source: &str) -> Regex {
    #[expect(
        clippy::expect_used,
        reason = "literal patterns, compiled by every test"
    )]
    Regex::new(&ascii(source)).expect("pattern")
}

/// The plain form has Latin letters without accents, so ASCII word boundaries do, and are much faster.
fn ascii(source: &str) -> String {
    source.replace(r"\b", r"(?-u:\b)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_come_before_addressees() {
        let first = SOURCES
            .iter()
            .position(|(sign, ..)| sign.is_addressee())
            .unwrap();
        assert_eq!(ORDERS.len(), first);
        assert!(
            SOURCES[first..]
                .iter()
                .all(|(sign, ..)| sign.is_addressee())
        );
    }
}
