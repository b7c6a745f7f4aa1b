//! What TeX's names for characters stand for: one table for manuscripts and for bibliographies.

/// The combining mark of an accent command, without its backslash.
pub(crate) fn accent(name: &str) -> Option<char> {
    Some(match name {
        "`" | "grave" => '\u{300}',
        "'" | "acute" => '\u{301}',
        "^" | "hat" | "widehat" => '\u{302}',
        "~" | "tilde" | "widetilde" => '\u{303}',
        "=" | "bar" => '\u{304}',
        "u" | "breve" => '\u{306}',
        "." | "dot" => '\u{307}',
        "\"" | "ddot" => '\u{308}',
        "r" | "mathring" => '\u{30a}',
        "H" => '\u{30b}',
        "v" | "check" => '\u{30c}',
        "G" => '\u{30f}',
        "d" => '\u{323}',
        "b" => '\u{331}',
        "c" => '\u{327}',
        "k" => '\u{328}',
        "vec" => '\u{20d7}',
        "textcommabelow" => '\u{326}',
        _ => return None,
    })
}

/// True for an accent that only text uses, so that it must not be taken for a math variable or a user's macro.
pub(crate) fn is_text_accent(name: &str) -> bool {
    matches!(
        name,
        "`" | "'"
            | "^"
            | "~"
            | "="
            | "."
            | "\""
            | "u"
            | "r"
            | "H"
            | "v"
            | "G"
            | "d"
            | "b"
            | "c"
            | "k"
            | "textcommabelow"
    )
}

/// What a command without arguments prints, its name without the backslash.
pub(crate) fn symbol(name: &str) -> Option<&'static str> {
    text_symbol(name)
        .or_else(|| greek(name))
        .or_else(|| relation(name))
        .or_else(|| operator(name))
        .or_else(|| function(name))
}

#[rustfmt::skip]
fn text_symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        "%" => "%", "&" => "&", "$" => "$", "#" => "#", "_" => "_", "{" => "{", "}" => "}",
        " " | "\n" | "\t" | "space" | "nobreakspace" => " ",
        "," | "thinspace" | ":" | ";" | ">" | "enspace" | "quad" | "qquad" | "enskip" | "medspace" | "thickspace" => " ",
        "!" | "/" | "-" | "@" | "negthinspace" => "",
        "ss" => "ß", "SS" | "uppercaseSS" => "SS", "o" => "ø", "O" => "Ø", "ae" => "æ", "AE" => "Æ", "oe" => "œ", "OE" => "Œ",
        "aa" => "å", "AA" => "Å", "l" => "ł", "L" => "Ł", "i" => "ı", "j" => "ȷ", "imath" => "ı", "jmath" => "ȷ",
        "dh" => "ð", "DH" => "Ð", "th" => "þ", "TH" => "Þ", "dj" => "đ", "DJ" => "Đ", "ng" => "ŋ", "NG" => "Ŋ",
        "S" | "textsection" => "§", "P" | "textparagraph" => "¶", "copyright" | "textcopyright" => "©",
        "textregistered" => "®", "texttrademark" => "™", "pounds" | "textsterling" => "£", "euro" | "texteuro" | "EUR" => "€",
        "textyen" | "yen" => "¥", "textcent" => "¢", "dag" | "dagger" | "textdagger" => "†", "ddag" | "ddagger" | "textdaggerdbl" => "‡",
        "ldots" | "dots" | "textellipsis" | "dotsc" | "dotso" | "cdots" | "dotsb" | "dotsm" | "dotsi" => "…",
        "textendash" => "–", "textemdash" => "—", "textquotedblleft" => "“", "textquotedblright" => "”",
        "textquoteleft" | "lq" => "‘", "textquoteright" | "rq" | "textquotesingle" => "'", "textquotedbl" => "\"",
        "guillemotleft" | "guillemetleft" | "flqq" => "«", "guillemotright" | "guillemetright" | "frqq" => "»",
        "guilsinglleft" => "‹", "guilsinglright" => "›", "quotedblbase" | "glqq" => "„", "quotesinglbase" => "‚", "grqq" => "“",
        "textbackslash" | "backslash" => "\\", "textasciitilde" => "~", "textasciicircum" => "^", "textunderscore" => "_",
        "textbar" => "|", "textless" => "<", "textgreater" => ">", "textbraceleft" | "lbrace" => "{", "textbraceright" | "rbrace" => "}",
        "textdollar" => "$", "textasteriskcentered" | "ast" => "*", "textbullet" | "bullet" => "•", "textperiodcentered" => "·",
        "textdegree" | "degree" | "degreeCelsius" => if name == "degreeCelsius" { "°C" } else { "°" },
        "textmu" | "micro" | "textmicro" => "µ", "textohm" | "ohm" => "Ω", "textpm" => "±", "texttimes" => "×", "textminus" => "−",
        "textonehalf" => "½", "textonequarter" => "¼", "textthreequarters" => "¾", "textonesuperior" => "¹", "texttwosuperior" => "²",
        "textthreesuperior" => "³", "textordfeminine" => "ª", "textordmasculine" => "º", "textexclamdown" => "¡", "textquestiondown" => "¿",
        "textnumero" => "№", "textpertenthousand" => "‱", "textperthousand" | "permil" => "‰", "percent" => "%",
        "TeX" => "TeX", "LaTeX" => "LaTeX", "LaTeXe" => "LaTeX2e", "BibTeX" | "BibTex" => "BibTeX", "XeTeX" => "XeTeX", "LuaTeX" => "LuaTeX",
        "XeLaTeX" => "XeLaTeX", "LuaLaTeX" => "LuaLaTeX", "pdfLaTeX" => "pdfLaTeX",
        "checkmark" | "cmark" => "✓", "xmark" => "✗", "slash" => "/", "textvisiblespace" => "␣",
        _ => return None,
    })
}

#[rustfmt::skip]
fn greek(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("text").filter(|rest| rest.len() > 1).unwrap_or(name);
    let name = name.strip_prefix("up").filter(|rest| *rest != "silon" && *rest != "arrow").unwrap_or(name);
    Some(match name {
        "alpha" => "α", "beta" => "β", "gamma" => "γ", "delta" => "δ", "epsilon" => "ϵ", "varepsilon" => "ε", "zeta" => "ζ",
        "eta" => "η", "theta" => "θ", "vartheta" => "ϑ", "iota" => "ι", "kappa" => "κ", "varkappa" => "ϰ", "lambda" => "λ", "mu" => "μ",
        "nu" => "ν", "xi" => "ξ", "omicron" => "ο", "pi" => "π", "varpi" => "ϖ", "rho" => "ρ", "varrho" => "ϱ", "sigma" => "σ",
        "varsigma" => "ς", "tau" => "τ", "upsilon" => "υ", "phi" => "ϕ", "varphi" => "φ", "chi" => "χ", "psi" => "ψ", "omega" => "ω",
        "Alpha" => "Α", "Beta" => "Β", "Gamma" | "varGamma" => "Γ", "Delta" | "varDelta" => "Δ", "Epsilon" => "Ε", "Zeta" => "Ζ", "Eta" => "Η",
        "Theta" | "varTheta" => "Θ", "Iota" => "Ι", "Kappa" => "Κ", "Lambda" | "varLambda" => "Λ", "Mu" => "Μ", "Nu" => "Ν",
        "Xi" => "Ξ", "Pi" => "Π", "Rho" => "Ρ", "Sigma" | "varSigma" => "Σ", "Tau" => "Τ", "Upsilon" => "Υ", "Phi" | "varPhi" => "Φ",
        "Chi" => "Χ", "Psi" => "Ψ", "Omega" | "varOmega" => "Ω", "digamma" => "ϝ",
        _ => return None,
    })
}

#[rustfmt::skip]
fn relation(name: &str) -> Option<&'static str> {
    Some(match name {
        "leq" | "le" | "leqslant" | "leqq" => "≤", "geq" | "ge" | "geqslant" | "geqq" => "≥", "neq" | "ne" => "≠",
        "ll" => "≪", "gg" => "≫", "lesssim" | "lsim" | "la" => "≲", "gtrsim" | "gsim" | "ga" => "≳", "lt" => "<", "gt" => ">",
        "approx" => "≈", "simeq" => "≃", "cong" => "≅", "sim" | "thicksim" => "∼", "equiv" => "≡", "propto" | "varpropto" => "∝", "doteq" => "≐",
        "triangleq" => "≜", "coloneqq" => "≔", "prec" => "≺", "succ" => "≻", "preceq" => "⪯", "succeq" => "⪰", "asymp" => "≍",
        "in" => "∈", "notin" => "∉", "ni" => "∋", "subset" => "⊂", "subseteq" => "⊆", "supset" => "⊃", "supseteq" => "⊇", "subsetneq" => "⊊",
        "mid" | "vert" | "lvert" | "rvert" => "|", "parallel" | "Vert" | "lVert" | "rVert" | "|" => "‖", "perp" | "bot" => "⊥", "top" => "⊤",
        "to" | "rightarrow" | "longrightarrow" | "textrightarrow" => "→", "leftarrow" | "gets" | "longleftarrow" | "textleftarrow" => "←", "leftrightarrow" => "↔",
        "Rightarrow" | "implies" | "Longrightarrow" => "⇒", "Leftarrow" | "impliedby" => "⇐", "Leftrightarrow" | "iff" => "⇔",
        "uparrow" | "textuparrow" => "↑", "downarrow" | "textdownarrow" => "↓", "mapsto" | "longmapsto" => "↦", "hookrightarrow" => "↪", "nearrow" => "↗", "searrow" => "↘",
        "rightharpoonup" => "⇀", "rightleftharpoons" => "⇌", "models" | "vDash" => "⊨", "vdash" => "⊢",
        _ => return None,
    })
}

#[rustfmt::skip]
fn operator(name: &str) -> Option<&'static str> {
    Some(match name {
        "times" => "×", "pm" => "±", "mp" => "∓", "cdot" | "cdotp" => "·", "div" => "÷", "circ" => "∘", "star" => "⋆", "oplus" => "⊕",
        "otimes" => "⊗", "ominus" => "⊖", "odot" => "⊙", "wedge" | "land" => "∧", "vee" | "lor" => "∨", "neg" | "lnot" => "¬", "setminus" | "smallsetminus" => "∖",
        "cap" | "bigcap" => "∩", "cup" | "bigcup" => "∪", "sum" => "∑", "prod" => "∏", "int" => "∫", "iint" => "∬", "iiint" => "∭", "oint" => "∮",
        "partial" => "∂", "nabla" => "∇", "infty" => "∞", "forall" => "∀", "exists" => "∃", "nexists" => "∄", "emptyset" | "varnothing" => "∅",
        "surd" => "√", "prime" => "′", "ell" => "ℓ", "hbar" => "ℏ", "Re" => "ℜ", "Im" => "ℑ", "aleph" => "ℵ", "wp" => "℘", "angle" => "∠",
        "langle" => "⟨", "rangle" => "⟩", "lfloor" => "⌊", "rfloor" => "⌋", "lceil" => "⌈", "rceil" => "⌉", "lbrack" => "[", "rbrack" => "]",
        "vdots" => "⋮", "ddots" => "⋱", "colon" => ":", "therefore" => "∴", "because" => "∵", "square" | "Box" | "qedsymbol" => "□", "blacksquare" => "■",
        "triangle" => "△", "diamond" | "Diamond" => "⋄", "bigstar" => "★", "dagger" => "†", "odots" => "…", "sun" | "Sun" => "☉", "flat" => "♭", "sharp" => "♯",
        "male" | "Mars" => "♂", "female" | "Venus" => "♀", "diameter" => "⌀", "Join" | "bowtie" => "⋈", "complement" => "∁", "coprod" => "∐",
        _ => return None,
    })
}

#[rustfmt::skip]
fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "sin" => "sin", "cos" => "cos", "tan" => "tan", "cot" => "cot", "sec" => "sec", "csc" => "csc", "sinh" => "sinh", "cosh" => "cosh",
        "tanh" => "tanh", "coth" => "coth", "arcsin" => "arcsin", "arccos" => "arccos", "arctan" => "arctan", "log" => "log", "ln" => "ln", "lg" => "lg",
        "exp" => "exp", "max" => "max", "min" => "min", "sup" => "sup", "inf" => "inf", "lim" => "lim", "limsup" => "lim sup", "liminf" => "lim inf",
        "arg" => "arg", "argmax" => "argmax", "argmin" => "argmin", "det" => "det", "dim" => "dim", "ker" => "ker", "deg" => "deg", "gcd" => "gcd",
        "Pr" => "Pr", "hom" => "hom", "bmod" | "mod" => "mod",
        _ => return None,
    })
}

/// A digit or sign as a superscript.
pub(crate) fn superscript(c: char) -> Option<char> {
    Some(match c {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        '-' | '−' => '⁻',
        '+' => '⁺',
        _ => return None,
    })
}
