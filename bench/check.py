#!/usr/bin/env python3
"""`lyceum check` beside chktex, lacheck and a Python peer, whole processes, in one run.

    bench/check.py [ROUNDS]        needs target/release/lyceum, chktex and lacheck (Debian), and pip for the peer

Two projects: the 20-page paper `latex_emcee-paper` of the corpora, and a 300-page one made of thirty copies of the chapters of
`latex_msc-thesis-gw` with their labels renamed. The tools do different things: chktex and lacheck look at typography and
syntax, the peer (proselint) at style. The figures say what a person waits for, not who does more.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import os

from measure import interleaved, machine, table

ROOT = pathlib.Path(__file__).resolve().parents[1]
CORPORA = pathlib.Path(os.environ.get("LYCEUM_CORPORA", ROOT.parent / "shared" / "corpora")) / "manuscripts"


def long_project(folder):
    source = CORPORA / "latex_msc-thesis-gw"
    folder.mkdir()
    main = ["\\documentclass{book}", "\\usepackage{biblatex}", "\\addbibresource{references.bib}", "\\begin{document}"]
    shutil.copy(source / "tex" / "references.bib", folder / "references.bib")
    chapters = sorted(path for path in (source / "tex").glob("*.tex") if path.stat().st_size > 4000)
    for copy in range(30):
        for chapter in chapters:
            text = chapter.read_text(encoding="utf-8")
            text = re.sub(r"\\(label|ref|eqref|cref|autoref|pageref)\{([^}]*)\}", rf"\\\1{{c{copy}-\2}}", text)
            name = f"c{copy:02}-{chapter.stem}"
            (folder / f"{name}.tex").write_text(text, encoding="utf-8")
            main.append(f"\\chapter{{Part {copy}}}\\input{{{name}}}")
    main += ["\\printbibliography", "\\end{document}"]
    (folder / "main.tex").write_text("\n".join(main), encoding="utf-8")
    return folder / "main.tex"


def peer():
    venv = ROOT / "target" / "tools" / "bench"
    if not (venv / "bin" / "proselint").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin" / "pip", "install", "-q", "proselint==0.16.0"], check=True)
    return str(venv / "bin" / "proselint")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    lyceum = os.environ.get("LYCEUM", str(ROOT / "target" / "release" / "lyceum"))
    python = peer()
    print(machine())
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp)
        short = temp / "short"
        shutil.copytree(CORPORA / "latex_emcee-paper", short)
        for name, paper in (("20 pages", short / "ms.tex"), ("300 pages", long_project(temp / "long"))):
            texts = sorted(str(path) for path in paper.parent.glob("*.tex"))
            size = sum(pathlib.Path(path).stat().st_size for path in texts)
            print(f"\n{name}: {len(texts)} files, {size / 1e6:.2f} MB")
            commands = {
                "lyceum check": ([lyceum, "check", paper.name], paper.parent),
                "lyceum check --opinions": ([lyceum, "check", "--opinions", "--all", paper.name], paper.parent),
                "chktex": (["chktex", "-q", paper.name], paper.parent),
                "lacheck": (["lacheck", paper.name], paper.parent),
                "proselint (Python)": ([python, "check", *texts], paper.parent),
            }
            table(interleaved(commands, rounds if name == "20 pages" else max(3, rounds // 3)), "lyceum check")


if __name__ == "__main__":
    main()
