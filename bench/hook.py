#!/usr/bin/env python3
"""`lyceum hook` (does nothing yet) beside Python and Node programs that do nothing: process start included.

    bench/hook.py [RUNS]           needs target/release/lyceum, python3, node

Bar: CPU ≤ 5 ms; p99 ≤ 1/4 of the Python no-op's p99 in the same run.
"""

import os
import pathlib
import statistics
import sys

from measure import interleaved, machine, quantile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    commands = {
        "lyceum hook": ([os.environ.get("LYCEUM", str(ROOT / "target" / "release" / "lyceum")), "hook", "pre-tool"], None),
        "python no-op": (["/usr/bin/python3", "-c", "pass"], None),
        "node no-op": (["node", "-e", ""], None),
    }
    print(machine())
    results = interleaved(commands, runs)
    python = quantile([r[0] for r in results["python no-op"]], 0.99)
    print(f"{'':16} {'p50 ms':>8} {'p99 ms':>8} {'CPU p50 ms':>11} {'p99 / Python':>13}")
    for name, rows in results.items():
        wall = [r[0] for r in rows]
        print(f"{name:16} {quantile(wall, 0.5) * 1000:8.2f} {quantile(wall, 0.99) * 1000:8.2f} "
              f"{statistics.median(r[1] for r in rows) * 1000:11.2f} {quantile(wall, 0.99) / python:13.2f}")


if __name__ == "__main__":
    main()
