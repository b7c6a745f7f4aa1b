#!/usr/bin/env python3
"""Plants faults into the manuscripts of the corpora, one at a time, and looks whether the rule that should report each does.

    plant.py BINARY            prints recall per rule
    plant.py BINARY --write    also writes docs/reference/recall.json
    plant.py BINARY --check    fails when the figures are not those of docs/reference/recall.json

A fault counts as found when the rule reports something at the planted lines that it did not report before. Each kind has several
wordings (faults.py), taken in turn over the manuscripts, or all of them where few manuscripts can carry the kind; where they go is
fixed by a hash of project and kind, so that a run can be repeated. A rule that declines a manuscript and says so has missed the fault.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import faults

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPORA = pathlib.Path(os.environ.get("LYCEUM_CORPORA", ROOT.parent / "shared" / "corpora")) / "manuscripts"
PROJECTS = {  # project -> (folder to check, body file for insertions, bibliography)
    "joss_amrex": ("", "paper.md", "paper.bib"),
    "joss_bumbl": ("", "paper.md", "paper.bib"),
    "joss_cfdm": ("", "paper.md", "paper.bib"),
    "joss_emcee": ("", "paper.md", "paper.bib"),
    "joss_manopt.jl": ("", "paper.md", "bibliography.bib"),
    "joss_optim.jl": ("", "paper.md", "paper.bib"),
    "joss_spiceypy": ("", "paper.md", "paper.bib"),
    "latex_emcee-paper": ("", "ms.tex", None),
    "latex_msc-thesis-gw": ("", "tex/introduction.tex", "tex/references.bib"),
    "latex_phd-thesis-template": ("", "Chapter1/chapter1.tex", "References/references.bib"),
    "latex_sympy-paper": ("", "introduction.tex", "paper.bib"),
    "manubot_scihub": ("", "02.manuscript.md", None),
    "thesis_markdown": ("source", "source/10_chapter_2.md", "source/references.bib"),
}


def pick(project, kind, n):
    return int.from_bytes(hashlib.sha256(f"{project}/{kind}".encode()).digest()[:4], "big") % n


def is_latex(project):
    return PROJECTS[project][1].endswith(".tex")


def read(project, path):
    return (CORPORA / project / path).read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")


def paragraphs(text, latex):
    """Line indices in front of which a new paragraph can be put: blank lines in running text after the first heading, if any."""
    lines = text.split("\n")
    heading = re.compile(r"\\(section|chapter|subsection)\b" if latex else r"#+ ")
    started = latex and not any(heading.match(line.lstrip()) for line in lines)
    end = re.compile(r"([a-z][.!?]|\\cites?(\{[^{}]*\})+)\s*$" if latex else r"[a-z][.!?]\s*$")
    places, inside = [], 0
    for i, line in enumerate(lines):
        started = started or bool(heading.match(line.lstrip()))
        inside += len(re.findall(r"\\begin\{(?!document)", line)) - len(re.findall(r"\\end\{(?!document)", line))
        if not latex and line.startswith("```"):
            inside = 0 if inside else 1
        before = lines[i - 1] if i else ""
        if started and inside == 0 and not line.strip() and end.search(before) and not before.startswith((" ", "|", "#", "%", "[", "\t")):
            places.append(i)
    return lines, places


def body(project):
    path = PROJECTS[project][1]
    lines, places = paragraphs(read(project, path), is_latex(project))
    return path, lines, places


class Fault:
    """One fault in one manuscript: the files it changes, and the lines where it must be told (none: anywhere)."""

    def __init__(self, project, rule, edits, at, wording, profile=None):
        self.project, self.rule, self.edits, self.at, self.wording, self.profile = project, rule, edits, at, wording, profile


def sentence(project, rule, text):
    path, lines, places = body(project)
    if not places:
        return
    at = places[pick(project, rule + text, len(places))]
    new = lines[:at] + [""] + text.split("\n") + [""] + lines[at:]
    edits, down = {path: "\n".join(new)}, 0
    if "\\deleted{" in text:  # does not run without its package
        main = MAINS[project]
        old = edits.get(main) or read(project, main)
        edits[main] = re.sub(r"(?m)^(\\documentclass.*)$", r"\1\n\\usepackage{changes}", old, count=1)
        down = edits[main].count("\n") - old.count("\n") if main == path else 0
    yield Fault(project, rule, edits, (path, at + 2 + down, at + 1 + down + len(text.split("\n"))), text)


MAINS = {"latex_emcee-paper": "ms.tex", "latex_msc-thesis-gw": "main.tex", "latex_phd-thesis-template": "thesis.tex",
         "latex_sympy-paper": "paper.tex"}
ABSTRACTS = {"latex_msc-thesis-gw": "tex/abstract.tex", "latex_phd-thesis-template": "Abstract/abstract.tex",
             "latex_sympy-paper": "paper.tex", "manubot_scihub": "01.abstract.md", "thesis_markdown": "source/03_summary.md"}


def opening(project):
    """The file of the abstract, its lines, and where the abstract begins."""
    where = ABSTRACTS.get(project, PROJECTS[project][1])
    lines = read(project, where).split("\n")
    mark = re.compile(r"\\begin\{abstract|\\abstract\b|#+ *(Summary|Abstract)", re.I)
    at = next((i + 1 for i, line in enumerate(lines) if mark.search(line)), None)
    if at is None and where.endswith("abstract.tex"):
        at = 0
    return where, lines, at


def in_abstract(project, rule, text, below=None):
    """Sentences in the abstract, and perhaps one in the body; the fault is told at the last line in the abstract."""
    where, first, at = opening(project)
    if at is None:
        return
    above = text.split("\n")
    first = first[:at] + [""] + above + [""] + first[at:]
    edits = {where: "\n".join(first)}
    if below:
        path = PROJECTS[project][1]
        lines, places = paragraphs("\n".join(first) if where == path else read(project, path), is_latex(project))
        places = [place for place in places if where != path or place > at + 6]
        # Outside the section of the abstract, where the paper has such a place.
        closing = next((k for k, line in enumerate(lines) if k > at + 3 and re.match(r"# |\\end\{abstract|\\section", line)), 0)
        if where == path and places:
            places = [place for place in places if place > closing > 0] or places
        if not places:
            return
        edits[path] = "\n".join(lines[:places[-1]] + ["", below, ""] + lines[places[-1]:])
    yield Fault(project, rule, edits, (where, at + 2, at + 1 + len(above)), text)


def own_numbers(project):
    """Each number of the paper's own abstract, with two digits swapped or the last one changed."""
    where, lines, at = opening(project)
    if at is None:
        return
    everything = "\n".join(read(project, p.relative_to(CORPORA / project).as_posix())
                           for p in sorted((CORPORA / project).rglob("*")) if p.suffix in (".md", ".tex"))
    for i in range(at, len(lines)):
        if re.match(r"#+ |\\end\{abstract", lines[i]):
            break
        for hit in re.finditer(r"(?<![\w.$^{/-])(\d+)\.(\d+)(?![\w.])", lines[i]):
            whole, part = hit.groups()
            for wrong in (f"{whole}.{(int(part[-1]) + 4) % 10 if len(part) == 1 else part[:-1] + str((int(part[-1]) + 4) % 10)}",
                          f"{whole[:-2] + whole[-1] + whole[-2] if len(whole) > 1 else int(whole) + 3}.{part}"):
                if wrong not in everything:
                    new = lines[:i] + [lines[i][:hit.start()] + wrong + lines[i][hit.end():]] + lines[i + 1:]
                    yield Fault(project, "abstract-number", {where: "\n".join(new)}, (where, i + 1, i + 1), f"{hit[0]} became {wrong}")


def twice(project, paragraph):
    path, lines, places = body(project)
    if len(places) < 2:
        return
    a, b = places[0], places[-1]
    new = lines[:a] + ["", paragraph, ""] + lines[a:b] + ["", paragraph, ""] + lines[b:]
    yield Fault(project, "repeated-paragraph", {path: "\n".join(new)}, (path, b + 4, b + 6), paragraph)


def bibliography(project, rule, key, text, cite=True):
    bib = PROJECTS[project][2]
    path, lines, places = body(project)
    old = read(project, bib).rstrip("\n") + "\n"
    if cite and not places:
        return
    mark = f"\\cite{{{key}}}" if is_latex(project) else f"[@{key}]"
    edits = {bib: old + text}
    if cite:
        edits[path] = "\n".join(lines[:places[0]] + ["", f"This was seen before {mark}.", ""] + lines[places[0]:])
    first = old.count("\n") + 1
    yield Fault(project, rule, edits, (bib, first, first + text.count("\n")), text)


def bibliographies(project, number):
    key, turn = f"planted{number}", lambda wordings: wordings[number % len(wordings)]

    def entry(fields):
        title, year, extra = fields
        text = faults.ENTRY % (number, title, year, extra)
        return text.replace("  author = {Planter, Paula},\n", "") if "author = {Lastname" in extra else text

    for rule, choices in faults.BIB:
        yield from bibliography(project, rule, key, entry(turn(choices)))
    for rule, wordings in faults.BROKEN.items():
        yield from bibliography(project, rule, key, turn(wordings).replace("KEY", key), cite=rule != "bib-unreadable-entry")
    both = f"{key}a, {key}b" if is_latex(project) else f"{key}a; @{key}b"
    yield from bibliography(project, "bib-same-work", both, turn(faults.SAME).replace("KEY", key))
    yield from bibliography(project, "citation-unused", key, entry(turn(faults.UNUSED)), cite=False)


def without(text, statement, heading=None):
    """A text without the lines that say something; lines that hold structure lose the words only."""
    lines, out, front = text.split("\n"), [], False
    for i, line in enumerate(lines):
        if i == 0 and line.startswith("---"):
            front = True
        elif front and line.startswith("---"):
            front = False
        elif not front and statement.search(line):
            if heading and line.startswith("#"):
                line = heading
            elif re.search(r"\\(begin|end|input|include|documentclass|usepackage|[A-Za-z]*section|chapter|bibliography)\b", line) or \
                    line.count("{") != line.count("}"):
                line = statement.sub("", line)
            else:
                continue
        out.append(line)
    return "\n".join(out)


def unstated(project, number):
    """Statements that are owed and not made."""
    latex = is_latex(project)
    for rule, profile, wordings, stated in faults.STATEMENTS:
        need = rule == "statement-need"
        if need and not project.startswith("joss_"):
            continue
        for wording in wordings if need else [wordings[number % len(wordings)]]:
            edits, statement = {}, re.compile(stated, re.I)
            path, lines, places = body(project)
            if not need and not places:
                continue
            for file in sorted((CORPORA / project).rglob("*")):
                name = file.relative_to(CORPORA / project).as_posix()
                if file.suffix in (".md", ".tex"):
                    old = read(project, name)
                    new = without(old, statement, "# Motivation" if wording != wordings[0] and need else None)
                    if name == path and not need:
                        text = re.sub(r"(?m)^# (.*)$", r"\\section{\1}", wording) if latex else wording
                        at = paragraphs(new, latex)[1]
                        if not at:
                            continue
                        rest = new.split("\n")
                        new = "\n".join(rest[:at[-1]] + [""] + text.split("\n") + [""] + rest[at[-1]:])
                    if new != old:
                        edits[name] = new
            if edits:
                yield Fault(project, rule, edits, None, wording, profile)


def plan():
    """All faults, in a fixed order."""
    for i, project in enumerate(PROJECTS):
        latex = is_latex(project)
        turn = lambda wordings: wordings[i % len(wordings)]
        for rule, wordings in faults.SENTENCES:
            text = turn(wordings)
            yield from sentence(project, rule, text.replace("%", "\\%").replace("²", "$^2$").replace("χ", "$\\chi$") if latex else text)
        for rule, wordings in faults.LATEX if latex else faults.MARKDOWN:
            for text in wordings if latex else [turn(wordings)]:
                yield from sentence(project, rule, text)
        for paragraph in faults.PARAGRAPHS if latex else [turn(faults.PARAGRAPHS)]:
            yield from twice(project, paragraph)
        yield from in_abstract(project, "sample-size-conflict", *turn(faults.SAMPLES))
        yield from in_abstract(project, "abstract-number", *turn(faults.NUMBERS))
        yield from own_numbers(project)
        yield from in_abstract(project, "evidence-causal", turn(faults.CAUSES))
        yield from sentence(project, "evidence-no-spread", turn(faults.RUNS))
        for rule, texts in faults.WAIVERS:
            form = "% lyceum: {}" if latex else "<!-- lyceum: {} -->"
            yield from sentence(project, rule, form.format(turn(texts)) + "\nThe words after a waiver.")
        if PROJECTS[project][2]:
            yield from bibliographies(project, i)
        yield from unstated(project, i)


class Workshop:
    """Checks manuscripts before and after, in a folder of its own."""

    def __init__(self, binary, temp):
        self.binary, self.temp, self.before = binary, pathlib.Path(temp), {}

    def check(self, folder, fault):
        profile = ["--profile", fault.profile] if fault.profile else []
        out = subprocess.run([self.binary, "check", "--format", "json", "--rule", fault.rule, *profile, str(folder)],
                             capture_output=True, text=True)
        if out.returncode not in (0, 1, 6):
            sys.exit(f"exit {out.returncode} for {fault.rule} in {folder}: {out.stderr}{out.stdout}")
        return json.loads(out.stdout)

    def find(self, fault):
        """Whether the fault is found, and why not; None when the manuscript has the fault already."""
        folder = PROJECTS[fault.project][0]
        known = (fault.project, fault.rule, fault.profile)
        if known not in self.before:
            self.before[known] = self.check(CORPORA / fault.project / folder, fault)
        before = self.before[known]
        if fault.at is None and before["problems"]:
            return None
        with tempfile.TemporaryDirectory(dir=self.temp) as temp:
            work = pathlib.Path(temp) / "work"
            shutil.copytree(CORPORA / fault.project, work, ignore=shutil.ignore_patterns("*.pdf", "*.png", "*.jpg"))
            for path, text in fault.edits.items():
                (work / path).write_text(text, encoding="utf-8")
            after = self.check(work / folder, fault)
        old = {(p["file"], p["quote"], p["message"]) for p in before["problems"]}
        new = [p for p in after["problems"] if (p["file"], p["quote"], p["message"]) not in old]
        declined = "; ".join(skip["reason"] for skip in after["coverage"]["rules_skipped"] if skip["rule"] == fault.rule)
        if fault.at is None:
            return bool(new), declined
        path, first, last = fault.at
        if fault.rule in faults.ONCE_A_FILE:
            first, last = 1, 10 ** 9
        name = pathlib.PurePosixPath(path).relative_to(folder).as_posix() if folder else path
        return any(p["file"] == name and first <= p["line"] <= last for p in new), declined


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    rows, wordings = {}, {}
    with tempfile.TemporaryDirectory() as temp, ThreadPoolExecutor(2) as pool:
        shop, planted = Workshop(binary, temp), list(plan())
        for fault, result in zip(planted, pool.map(shop.find, planted)):
            if result is None:
                continue
            found, declined = result
            row = rows.setdefault(fault.rule, {"planted": 0, "found": 0})
            row["planted"] += 1
            row["found"] += found
            wordings.setdefault(fault.rule, set()).add(re.sub(r"planted\d+", "planted", fault.wording))
            if not found:
                place = f"{fault.at[0]}:{fault.at[1]}" if fault.at else ""
                print(f"missed: {fault.rule} in {fault.project} {place} {fault.wording[:90]!r}{' declined: ' + declined if declined else ''}")
    total = {"planted": sum(r["planted"] for r in rows.values()), "rules": dict(sorted(rows.items()))}
    for rule, row in total["rules"].items():
        print(f"{rule:26} {row['found']:3} of {row['planted']:3}, {len(wordings[rule])} wordings")
    print(f"{sum(r['found'] for r in rows.values())} of {total['planted']} planted faults found")
    known = {rule["id"] for rule in json.loads((ROOT / "docs" / "reference" / "rules.json").read_text(encoding="utf-8"))["rules"]}
    thin = sorted(rule for rule in known if rows.get(rule, {"planted": 0})["planted"] < 5 or len(wordings[rule]) < 2)
    if thin:
        print(f"under five faults or two wordings: {', '.join(thin)}")
        return 1
    stored = ROOT / "docs" / "reference" / "recall.json"
    if "--check" in sys.argv and json.loads(stored.read_text(encoding="utf-8")) != total:
        print("this is not what docs/reference/recall.json says: plant.py BINARY --write, then precision.py")
        return 1
    if "--write" in sys.argv:
        stored.write_text(json.dumps(total, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
