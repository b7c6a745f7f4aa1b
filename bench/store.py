#!/usr/bin/env python3
"""The store: commits beside SQLite, the list of 1,000 reviews, verification of a journal of 100,000 lines.

    bench/store.py [COMMITS] [REVIEWS] [LINES]    needs target/release/lyceum and
                                                  cargo build --release -p lyceum-io --example store_bench

The peer of a commit is one row in SQLite (WAL, synchronous=FULL) on the same disk, in turn with it; the peers of the
verification are `sha256sum` over the same bytes and a verifier in Python. Other disks than that of TMPDIR: set it.
"""

import hashlib
import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from measure import machine, quantile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LYCEUM = os.environ.get("LYCEUM", str(ROOT / "target/release/lyceum"))
STORE = os.environ.get("STORE_BENCH", str(ROOT / "target/release/examples/store_bench"))


def store(*argv):
    return json.loads(subprocess.run([STORE, *map(str, argv)], check=True, capture_output=True).stdout)


def sqlite_commits(folder, count):
    """Seconds of each of `count` commits: the state in one row, the event in another, as one transaction."""
    base = sqlite3.connect(pathlib.Path(folder) / "peer.db", isolation_level=None)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA synchronous=FULL")
    base.execute("CREATE TABLE IF NOT EXISTS state (id TEXT PRIMARY KEY, bytes TEXT)")
    base.execute("CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, line TEXT)")
    times = []
    for n in range(count):
        text = json.dumps({"n": n, "text": "A finding as long as findings are. " * 110})
        start = time.perf_counter()
        base.execute("BEGIN")
        base.execute("INSERT OR REPLACE INTO state VALUES ('rev-1', ?)", (text,))
        base.execute("INSERT INTO journal (line) VALUES (?)", (json.dumps({"seat": "eic", "n": n}),))
        base.execute("COMMIT")
        times.append(time.perf_counter() - start)
    base.close()
    return times


def commits(count):
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        # In turns, so that noise falls on both alike.
        for _ in range(5):
            ours += [ns / 1e9 for ns in store("commits", folder, count // 5)]
            theirs += sqlite_commits(folder, count // 5)
    print(f"{count} commits                      p50 ms   p99 ms")
    for name, times in (("Lyceum", ours), ("SQLite, WAL, FULL", theirs)):
        print(f"  {name:24} {quantile(times, 0.5) * 1e3:12.2f} {quantile(times, 0.99) * 1e3:8.2f}")
    print(f"  ratio to SQLite          {quantile(ours, 0.5) / quantile(theirs, 0.5):12.2f} "
          f"{quantile(ours, 0.99) / quantile(theirs, 0.99):8.2f}")


def python_verifier(path):
    """The same chain, hash by hash and field by field."""
    start, last, count = time.perf_counter(), None, 0
    with open(path, "rb") as file:
        for line in file:
            body, _, rest = line.rpartition(b',"hash":"')
            assert hashlib.sha256(body).hexdigest().encode() == rest[:64]
            value = json.loads(line)
            count += 1
            assert value["seq"] == count
            if last is not None:
                assert value["prev"] == last["hash"] and value["before"] == last["after"]
            last = value
    return time.perf_counter() - start, count


def verification(lines, rounds=5):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "journal.jsonl"
        size = store("journal", path, lines)
        times = {"Lyceum": [], "sha256sum, whole process": [], "Python verifier": []}
        for _ in range(rounds):
            told = store("verify", path)
            assert told["lines"] == lines
            times["Lyceum"].append(told["ns"] / 1e9)
            start = time.perf_counter()
            subprocess.run(["sha256sum", path], check=True, stdout=subprocess.DEVNULL)
            times["sha256sum, whole process"].append(time.perf_counter() - start)
            seconds, count = python_verifier(path)
            assert count == lines
            times["Python verifier"].append(seconds)
    print(f"a journal of {lines:,} lines, {size / 1e6:.1f} MB      median ms   lines a second   ratio")
    ours = statistics.median(times["Lyceum"])
    for name, runs in times.items():
        median = statistics.median(runs)
        print(f"  {name:32} {median * 1e3:12.0f} {lines / median:16,.0f} {ours / median:7.2f}")


def listing(count):
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder) / "project"
        project.mkdir()
        (project / "lyceum.toml").write_text("")
        (project / "paper.md").write_text("# A title\n\n## Abstract\n\nWe measure things.\n\n## Methods\n\nWe did.\n")
        environment = {"HOME": folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}

        def call(name, arguments):
            start = time.perf_counter()
            done = subprocess.run([LYCEUM, "call", name, json.dumps(arguments)], cwd=project, env=environment,
                                  capture_output=True, text=True)
            return time.perf_counter() - start, json.loads(done.stdout)

        made = [call("academic_review_create", {"paper_path": "paper.md", "mode": "full"}) for _ in range(count)]
        assert "error" not in made[-1][1], made[-1][1]
        runs = [call("academic_review_status", {}) for _ in range(15)]
        assert runs[-1][1]["reviews"], runs[-1][1]
        version = []
        for _ in range(15):
            start = time.perf_counter()
            subprocess.run([LYCEUM, "--version"], stdout=subprocess.DEVNULL, check=True)
            version.append(time.perf_counter() - start)
        one = [call("academic_review_status", {"review_id": made[0][1]["review_id"]})[0] for _ in range(15)]
        median = statistics.median(seconds for seconds, _ in runs)
        print(f"{count} reviews, whole processes: list {median * 1e3:.1f} ms, one of them "
              f"{statistics.median(one) * 1e3:.1f} ms, `--version` {statistics.median(version) * 1e3:.1f} ms; "
              f"create, the first and the last fifty: {statistics.median(s for s, _ in made[:50]) * 1e3:.1f} and "
              f"{statistics.median(s for s, _ in made[-50:]) * 1e3:.1f} ms")


def main():
    counts = [int(word) for word in sys.argv[1:]] + [1000, 1000, 100_000][len(sys.argv) - 1:]
    print(machine())
    commits(counts[0])
    verification(counts[2])
    if os.path.exists(LYCEUM):
        listing(counts[1])
    else:
        print(f"no listing: {LYCEUM} is not there")


if __name__ == "__main__":
    main()
