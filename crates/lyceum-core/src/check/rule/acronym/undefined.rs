//! An acronym is used and never defined.

use super::request;
use crate::base::{Say, Words};
use crate::check::acronym::{AcronymRule, Scope, check_acronyms};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::Format;

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "acronym-undefined",
    tier: Tier::Opinion,
    title: Say::new("an acronym is never defined", "缩略语未定义"),
    rationale: Say::new(
        "A reader from another field cannot look up what was never said. The body and each abstract are read on their \
         own; headings, captions, tables, notes, code, formulas and citations are not. Silent for units and degrees \
         that journals accept, for names that are rarely written out (CPU, NASA, HTML …), for words in capitals, for an \
         acronym that a command or a list of abbreviations defines, or that the text introduces in another form. Names \
         of programs and projects cannot be told from acronyms, so this is an opinion.",
        "没有说明的缩略语，其他领域的读者无从查起。正文和各摘要分别检查；标题、图题、表格、注释、代码、公式和引用不查。期刊通常接受的\
         单位与学位、很少写全称的名称（CPU、NASA、HTML 等）、大写的普通词、由命令或缩略语表定义的缩略语，以及文中以其他形式引入的\
         缩略语不报告。软件和项目名称与缩略语难以区分，因此只作为意见。",
    ),
    profiles: Profile::ALL,
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nThe QRST was measured, and the QRST fell.\n",
            bib: None,
            finds: &["QRST"],
        },
        Example {
            format: Format::Markdown,
            text: "# 摘要\n\n采用ABCM估计参数（ABCM见附录）。\n",
            bib: None,
            finds: &["ABCM"],
        },
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nThe quick response stress test (QRST) was measured; the QRST fell. NASA gave HTML, and \
                   the DNA did NOT. CO2 rose in phase II. `SELECT` $ABC$ (e.g., CPU).\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nWe use QRST (a quick test) and the measure known as RSTU. They fell: QRST, RSTU.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\nThe QRST fell \\cite{ABCD}, see \\ref{RSTU}.\n\\end{document}\n",
            bib: None,
            finds: &["QRST"],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\usepackage{acronym}\n\\newacronym{qrst}{QRST}{quick response stress test}\n\\begin{document}\nThe QRST fell, and \\ac{rst} rose.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

/// Names whose long form would tell a reader less, and words written in capitals.
const FAMILIAR: &[&str] = &[
    "AD", "BC", "BCE", "CE", "CD", "LIGO", "ODE", "PDE", "AI", "ALL", "AND", "ANOVA", "ANSI",
    "API", "APIs", "ARM", "ASCII", "AWS", "BIOS", "BLAS", "BSD", "CERN", "CLI", "CPU", "CRAN",
    "CRS", "CSV", "CT", "CUDA", "DOE", "DVD", "EPSG", "ESA", "FAQ", "FASTA", "FFT", "FORTRAN",
    "FTP", "GB", "MB", "TB", "KB", "kHz", "MeV", "GeV", "TeV", "keV", "USD", "EUR", "GIS", "GNU",
    "GPL", "GPS", "GPU", "GUI", "HDF", "HDF5", "HPC", "HTML", "HTTP", "HTTPS", "IBM", "ID", "IDE",
    "IEEE", "IF", "IO", "IP", "IPCC", "ISO", "JIT", "JPEG", "JPL", "JSON", "JSTOR", "JVM",
    "LAPACK", "LED", "LGPL", "LLVM", "MATLAB", "MAY", "MIT", "MPI", "MRI", "MUST", "NASA", "NATO",
    "NIH", "NO", "NOAA", "NOT", "NSF", "OECD", "OK", "ONLY", "OR", "OS", "PC", "PCR", "PLOS",
    "PNG", "POSIX", "PyPI", "LaTeX", "TeX", "MySQL", "OpenMP", "README", "TRUE", "TODO", "NULL",
    "FALSE", "QR", "RAM", "REST", "SDK", "SHOULD", "SQL", "SSD", "SSH", "SVG", "TCP", "TV", "TXT",
    "UI", "UNESCO", "UNIX", "USB", "UTC", "UTF", "UV", "VR", "WHO", "WWW", "XML", "YAML", "YES",
    "YOLO",
];

fn check(paper: &Paper, found: &mut Found) {
    let report = check_acronyms(&paper.manuscript, &request(paper));
    for finding in report.findings {
        if finding.rule != AcronymRule::Undefined || FAMILIAR.contains(&finding.acronym.as_str()) {
            continue;
        }
        let (acronym, count) = (&finding.acronym, finding.occurrences);
        let (en, zh) = place(finding.scope);
        found.push(
            finding.span,
            Words::new(
                format!("{acronym} is never defined in {en} ({count} uses)"),
                format!("{acronym} 在{zh}中没有定义（使用 {count} 次）"),
            ),
            Words::new(
                format!("Write it out at the first use: “… ({acronym})”."),
                format!("请在首次出现处写出全称：“……（{acronym}）”。"),
            ),
        );
    }
}

/// A scope as people call it.
pub(super) const fn place(scope: Scope) -> (&'static str, &'static str) {
    match scope {
        Scope::Body => ("the body", "正文"),
        Scope::AbstractEn => ("the abstract", "摘要"),
        Scope::AbstractZh => ("the Chinese abstract", "中文摘要"),
    }
}
