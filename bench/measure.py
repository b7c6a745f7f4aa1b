"""Runs whole processes and measures them: wall time, CPU time, peak memory. For the scripts in this folder."""

import os
import statistics
import subprocess
import time


def run(argv, cwd=None, stdin=None):
    """One run: (wall seconds, CPU seconds, peak memory in MiB, exit code)."""
    start = time.perf_counter()
    process = subprocess.Popen(argv, cwd=cwd, stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if stdin is not None:
        process.stdin.write(stdin)
        process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode


def interleaved(commands, rounds):
    """Runs every command once a round, in turn, so that noise falls on all alike. Returns name -> list of runs."""
    results = {name: [] for name in commands}
    for name, (argv, cwd) in commands.items():
        run(argv, cwd)  # warm the caches
    for _ in range(rounds):
        for name, (argv, cwd) in commands.items():
            results[name].append(run(argv, cwd))
    return results


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def table(results, base):
    """Prints medians with the spread, and the ratio of median wall times to `base`."""
    reference = statistics.median(r[0] for r in results[base])
    print(f"{'':28} {'wall ms':>9} {'min–max':>15} {'CPU ms':>8} {'MiB':>7} {'ratio':>7}  exit")
    for name, runs in results.items():
        wall = [r[0] * 1000 for r in runs]
        print(f"{name:28} {statistics.median(wall):9.1f} {min(wall):7.1f}–{max(wall):<7.1f} "
              f"{statistics.median(r[1] for r in runs) * 1000:8.1f} {max(r[2] for r in runs):7.1f} "
              f"{statistics.median(wall) / 1000 / reference:7.2f}  {sorted({r[3] for r in runs})}")


def machine():
    """One line about the machine and its noise: the spread of a fixed loop."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        sum(range(2_000_000))
        times.append(time.perf_counter() - start)
    load = os.getloadavg()
    return (f"cores {os.cpu_count()}, load {load[0]:.1f}, a fixed loop varies "
            f"{min(times) * 1000:.0f}–{max(times) * 1000:.0f} ms")
