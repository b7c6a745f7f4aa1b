//! Commands and environments whose arguments are not text, and how many arguments they have. `*` an optional star, `o` an
//! optional argument in brackets, `m` an argument; what follows is read as text.

use super::Reader;
use super::lexer::Kind;

/// Passes over arguments.
pub(super) fn pass_arguments(reader: &mut Reader<'_>, spec: &str) {
    for c in spec.chars() {
        match c {
            '*' => {
                reader.input.take(Kind::Star);
            }
            'o' => {
                let _ = reader.input.optional();
            }
            _ => {
                let _ = reader.input.argument();
            }
        }
    }
}

/// The arguments of a command that are not text.
#[rustfmt::skip]
pub(super) fn arguments(name: &str) -> Option<&'static str> {
    Some(match name {
        "hspace" | "vspace" | "addvspace" => "*m",
        "setlength" | "addtolength" | "setcounter" | "addtocounter" | "settowidth" | "settoheight" | "settodepth" => "mm",
        "newlength" | "stepcounter" | "refstepcounter" | "usecounter" | "value" | "arabic" | "roman" | "Roman" | "alph" | "Alph" | "fnsymbol"
        | "thispagestyle" | "pagestyle" | "pagenumbering" | "bibliographystyle" | "index" | "hyphenation" | "includeonly"
        | "setstretch" | "linespread" | "graphicspath" | "svgpath" | "hypersetup" | "geometry" | "lstloadlanguages" | "markboth" | "DeclareGraphicsExtensions"
        | "usetikzlibrary" | "usepgfplotslibrary" | "pgfplotsset" | "tikzset" | "usepgflibrary" | "sisetup" | "captionsetup" | "tcbset" | "setmainfont"
        | "setsansfont" | "setmonofont" | "setmathfont" | "setCJKmainfont" | "selectlanguage" | "fontfamily" | "fontseries" | "fontshape" | "fontencoding"
        | "usefont" | "nonumbernext" | "IEEEoverridecommandlockouts" | "bibliographyunit" | "ExecuteBibliographyOptions"
        | "counterwithin" | "counterwithout" | "theoremstyle" | "subjclass" | "thanksref" | "orcidlink" | "ORCID" | "orcidID" | "runningtitle" | "shorttitle" | "shortauthors" | "titlerunning" | "authorrunning"
        | "journal" | "volume" | "issue" | "pubyear" | "doi" | "received" | "revised" | "accepted" | "published" | "copyrightyear" | "acmYear" | "acmDOI"
        | "acmISBN" | "acmPrice" | "acmSubmissionID" | "setcopyright" | "acmJournal" | "acmVolume" | "acmNumber" | "acmArticle" | "acmMonth" | "ccsdesc"
        | "makeindex" | "addtocategory" | "DeclareBibliographyCategory" | "tnote" | "altaffilmark" | "affilmark" | "tablenotemark" | "inst" | "corref" | "fnref"
        | "corauthref" | "authormark" | "tablewidth" | "tabletypesize" | "tablecolumns" | "tablenum" | "pdfinfo"
        | "newtoggle" | "toggletrue" | "togglefalse" | "newbool" | "booltrue" | "boolfalse" | "providebool" | "providetoggle" | "AtBeginDocument" | "AtEndDocument" | "AtBeginSection" | "typeout" | "message" | "write" | "special" | "pdfliteral" | "input@path"
        | "usetheme" | "usecolortheme" | "usefonttheme" | "setbeamertemplate" | "newcounter" | "newsavebox" | "usebox" | "hypertarget" | "hyperlink" | "enlargethispage" | "glsadd" | "glsaddall" | "setmintedstyle" | "usemintedstyle" | "setminted" | "newmint"
        | "ifthenelse" | "iftoggle" | "ifbool" | "ifdef" | "ifundef" | "ifcsdef" | "ifcsundef" | "ifdefempty" | "ifdefvoid" | "ifempty"
        | "IfFileExists" | "@ifundefined" | "@ifpackageloaded" | "@ifclassloaded" 
        | "ifboolexpr" | "foreignlanguage" | "textlang" | "foreigntextlang" | "selectcolormodel" | "ctexset" | "zihao" | "linespreadset" | "CTEXsetup" | "lstset" | "fvset" | "nocitelist" | "ProcessKeyvalOptions" | "ProvidesPackage" | "ProvidesClass" | "NeedsTeXFormat" | "vphantom"
        | "usesmartdiagramlibrary" | "nolibreak" | "setsecnumdepth" | "settocdepth" | "maxtocdepth" | "restylefloat" => {
            match name {
                "ExecuteBibliographyOptions" | "captionsetup" | "setmainfont" | "setsansfont" | "setmonofont" | "setmathfont" | "setCJKmainfont"
                | "counterwithin" | "counterwithout" | "ccsdesc" | "sisetup" | "newlength" | "newcounter" | "usetheme" | "usecolortheme" | "setminted"
                | "index" | "theoremstyle" | "setbeamertemplate" | "ProvidesPackage" | "ProvidesClass" | "selectlanguage" | "foreignlanguage" | "AtBeginSection"
                | "DeclareGraphicsExtensions" | "restylefloat" | "usefont" | "markboth" | "glsadd" | "setmintedstyle" | "usemintedstyle" | "write" => special(name),
                _ => "m",
            }
        }
        "addcontentsline" => "mmm",
        "addtocontents" | "settowidthof" | "hyperlinkcolor" | "DeclareUnicodeCharacter" | "WarningFilter"
        | "ifstrequal" | "ifnumequal" | "ifdefstring" | "ifdefstrequal" | "settoggle" | "setbool" | "AtBeginEnvironment" | "AtEndEnvironment" | "BeforeBeginEnvironment"
        | "AfterEndEnvironment" | "SetKwInOut" | "SetKwFunction" | "SetKwData" | "SetKw" | "SetKwProg" | "lstdefinestyle" | "tikzstyle" | "pgfmathsetmacro"
        | "pgfmathsetlengthmacro" | "setkomafont" | "addtokomafont" | "crefformat" | "Crefformat" | "newsubfloat" => "mm",
        "setcitestyle" | "citestyle" | "bibhang" | "markright" | "hyperbaseurl" | "thisfancypage" | "lhead" | "chead" | "rhead" | "lfoot" | "cfoot" | "rfoot" => {
            if matches!(name, "lhead" | "chead" | "rhead" | "lfoot" | "cfoot" | "rfoot") { "om" } else { "m" }
        }
        "fancyhead" | "fancyfoot" | "fancyhf" | "nomenclature" | "rhdr" | "bibitemfont" | "newlist" | "DeclareSIUnit" | "newunit" => {
            match name { "nomenclature" => "omm", "newlist" => "mmm", "DeclareSIUnit" => "omm", _ => "om" }
        }
        "bibpunct" => "ommmmmm",
        "crefname" | "Crefname" | "ifnumcomp" | "crefrangeformat" | "crefmultiformat" | "titlespacing" | "SetAlgorithmName" => {
            match name { "titlespacing" => "*mmmm", "crefmultiformat" => "mmmm", _ => "mmm" }
        }
        "titleformat" => "*momooooom",
        "titlecontents" => "*mommmm",
        "dottedcontents" => "momm",
        "patchcmd" | "xpatchcmd" => "ommmmm",
        "apptocmd" | "pretocmd" | "xapptocmd" | "xpretocmd" => "mmmm",
        "newcolumntype" => "mom",
        "numberwithin" => "omm",
        "pdfbookmark" | "currentpdfbookmark" | "belowpdfbookmark" => "omm",
        "PassOptionsToPackage" | "PassOptionsToClass" => "mm",
        "newfontfamily" | "newCJKfontfamily" => "omom",
        "fontsize" => "mm",
        "rule" => "omm",
        "parbox" => "ooom",
        "raisebox" => "moo",
        "rotatebox" => "om",
        "scalebox" => "mo",
        "makebox" | "framebox" | "savebox" | "sbox" | "mdfsetup" => if matches!(name, "savebox") { "moo" } else if name == "sbox" { "m" } else { "oo" },
        "adjustbox" | "tcbox" => "m",
        "addlinespace" | "pagebreak" | "nopagebreak" | "nolinebreak" | "printbibliography" | "printglossary" | "printglossaries" | "printacronyms" | "listoftodos"
        | "allowdisplaybreaks" | "printindex" | "printnomenclature" | "twocolumn" | "makenomenclature" | "displaybreak" | "justifying" | "lipsum" | "blindtext" => "o",
        "DeclarePairedDelimiter" | "DeclarePairedDelimiterXPP" => "omm",
        "DeclarePairedDelimiterX" => "mommm",
        "longnewglossaryentry" | "newglossary" => "mm",
        "lstdefinelanguage" => "omom",
        "lstnewenvironment" => "moomm",
        "lstinputlisting" | "verbatiminput" | "VerbatimInput" | "includestandalone" => "om",
        "inputminted" => "omm",
        "definecolorset" => "mmmm",
        "DeclareFieldFormat" | "DeclareNameAlias" | "renewbibmacro" | "newbibmacro" | "DeclareSourcemap" | "defbibheading" | "defbibfilter" | "DeclareBibliographyDriver"
        | "DeclareCiteCommand" | "DefineBibliographyStrings" | "DeclareLanguageMapping" | "DeclareDelimFormat" | "defbibnote" | "DeclareLabelalphaTemplate" => match name {
            "DeclareSourcemap" => "m", "DeclareFieldFormat" | "DeclareDelimFormat" => "*omm", "renewbibmacro" | "newbibmacro" => "*moom", "defbibheading" => "mom",
            "DeclareCiteCommand" => "*omommmm", "DeclareLabelalphaTemplate" => "om", _ => "mm",
        },
        "setlist" | "setenumerate" | "setitemize" | "setdescription" => "*om",
        "DeclareMathAlphabet" => "mmmmm",
        "DeclareSymbolFont" | "SetMathAlphabet" => "mmmmm",
        "DeclareFontFamily" => "mmm",
        "DeclareFontShape" => "mmmmmm",
        "draw" | "node" | "fill" => return None,
        "tikz" => "om",
        
        "underset" | "overset" | "stackrel" => "",
        "maketitle" | "frontmatter" | "mainmatter" | "backmatter" | "tableofcontents" | "listoffigures" | "listoftables" | "listofalgorithms"
        | "makecover" | "makedeclaration" | "MAKETITLE" | "makecoverpage" | "titlepage" | "makefrontmatter" => "",
        _ => return None,
    })
}

fn special(name: &str) -> &'static str {
    match name {
        "ExecuteBibliographyOptions"
        | "captionsetup"
        | "sisetup"
        | "usetheme"
        | "usecolortheme"
        | "setminted"
        | "setmintedstyle"
        | "usemintedstyle"
        | "glsadd"
        | "AtBeginSection"
        | "setbeamertemplate"
        | "index"
        | "selectlanguage"
        | "foreignlanguage"
        | "ccsdesc" => "om",
        "setmainfont" | "setsansfont" | "setmonofont" | "setmathfont" | "setCJKmainfont" => "omo",
        "counterwithin" | "counterwithout" | "markboth" => "*mm",
        "newlength" | "restylefloat" | "theoremstyle" | "DeclareGraphicsExtensions" => "*m",
        "newcounter" | "ProvidesPackage" | "ProvidesClass" => "mo",
        "usefont" => "mmmm",
        "write" => "mm",
        _ => "m",
    }
}

/// The arguments of an environment that are not text.
pub(super) fn environment_arguments(base: &str) -> Option<&'static str> {
    Some(match base {
        "minipage" => "ooom",
        "multicols" | "parcolumns" => "mo",
        "adjustbox" | "spacing" | "turn" | "rotate" | "column" | "otherlanguage"
        | "hyphenrules" | "addmargin" | "subgroup" | "savequote" | "resizebox" | "varwidth" => "om",
        "adjustwidth" | "changemargin" | "CJK" | "textblock" => "omm",
        "threeparttable" | "landscape" | "center" | "flushleft" | "flushright"
        | "measuredfigure" | "small" | "footnotesize" | "columns" | "frontmatter" | "titlepage"
        | "samepage" | "sloppypar" | "singlespace" | "onehalfspace" | "doublespace" | "framed"
        | "leftbar" | "mdframed" | "tcolorbox" | "widetext" | "strip" => "o",
        _ => return None,
    })
}
