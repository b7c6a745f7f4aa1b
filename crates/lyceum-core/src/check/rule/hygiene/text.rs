//! Words in the source that are made so that a reader does not see them.

use super::comment::words;
use crate::base::{Say, Words};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, Hidden, HiddenKind};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "hidden-text",
    tier: Tier::Warning,
    title: Say::new("words are hidden from the reader", "有对读者隐藏的文字"),
    rationale: Say::new(
        "White or transparent words, words in a size no one can read, and words kept from display by a style are in the \
         text that search engines, screen readers and models take in, and not on the page. Speaks from two words on, in a phantom from twelve. \
         Silent for comments, for what a document switches off (\\iffalse, the comment environment), and for phantoms and \
         other spacing without words.",
        "白色或透明的文字、小到无法阅读的文字以及被样式设为不显示的文字，会被搜索引擎、读屏软件和模型读到，页面上却看不见。\
         从两个词起（phantom 中从十二个词起）报告。注释、文档关闭的内容（\\iffalse、comment 环境）以及不含文字的占位不报告。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Latex,
            text: "Words. \\textcolor{white}{Nobody sees these words.} {\\fontsize{0.1pt}{0.1pt}\\selectfont Nor these words.}\n",
            bib: None,
            finds: &["Nobody sees these words.", "Nor these words."],
        },
        Example {
            format: Format::Latex,
            text: "\\phantom{Here stand a dozen words or more, far too many to align a column.} \\phantom{of which in the North}10\n",
            bib: None,
            finds: &["Here stand a dozen words or more, far too many to align a column."],
        },
        Example {
            format: Format::Latex,
            text: "\\begin{tabular}{lr}\\rowcolor{black}\\textcolor{white}{Method name} & \\textcolor{white}{Mean}\\\\ BM25 & 41.2\\\\ \\end{tabular}\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\phantom{0}9.3 \\phantom{and so} \\tiny Small words here. \\colorbox{black}{\\textcolor{white}{White on black}}\n\
                   \\begin{comment}\nAn old proof of the lemma.\n\\end{comment}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

/// From how many words on a phantom is no alignment any more.
const PHANTOM: usize = 12;

fn check(paper: &Paper, found: &mut Found) {
    for hidden in &paper.manuscript.hidden {
        let how = match hidden.kind {
            HiddenKind::Disabled => continue,
            HiddenKind::NotDisplayed => {
                Words::new("kept from display by a style", "被样式设为不显示")
            }
            HiddenKind::Invisible => Words::new("in a colour that does not show", "颜色不可见"),
            HiddenKind::Tiny => Words::new("in a size no one can read", "字号小到无法阅读"),
        };
        let count = words(&hidden.text);
        // Some words in a phantom keep a line or a column in place.
        let least = if is_phantom(paper, hidden) {
            PHANTOM
        } else {
            2
        };
        if count < least {
            continue;
        }
        found.push(
            hidden.span,
            Words::new(
                format!("{count} words {}", how.en),
                format!("{count} 个词{}", how.zh),
            ),
            Words::new("Show the words or delete them.", "请显示或删除这些文字。"),
        );
    }
}

fn is_phantom(paper: &Paper, hidden: &Hidden) -> bool {
    let text = &paper.manuscript.source(hidden.span.file).text;
    text.get(..hidden.span.start as usize)
        .is_some_and(|before| before.trim_end().ends_with("phantom{"))
        || text
            .get(hidden.span.range())
            .is_some_and(|own| own.contains("phantom{"))
}
