#!/usr/bin/env python3
"""`lyceum serve mcp` beside a Python MCP server with one tool: start to first `tools/list` answer, and calls a second.

    bench/mcp.py [STARTS] [CALLS]  needs target/release/lyceum, and pip for the Python server (mcp)

Both are driven by the same bare client over stdio, one call at a time. Bar: start ≤ 30 ms.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from measure import machine, quantile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SERVER = '''
from mcp.server.fastmcp import FastMCP
server = FastMCP("peer")

@server.tool()
def check_rules() -> dict:
    """Lists rules."""
    return {"rules": [{"id": f"rule-{i}", "tier": "error", "title": "a title"} for i in range(45)]}

server.run()
'''


class Client:
    def __init__(self, argv):
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.next = 0

    def send(self, method, params=None, answer=True):
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        if answer:
            self.next += 1
            message["id"] = self.next
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while answer:
            reply = json.loads(self.process.stdout.readline())
            if reply.get("id") == self.next:
                return reply

    def handshake(self):
        self.send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                 "clientInfo": {"name": "bench", "version": "0"}})
        self.send("notifications/initialized", answer=False)
        return self.send("tools/list")

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def python_server():
    venv = ROOT / "target" / "tools" / "bench-mcp"
    if not (venv / "bin" / "mcp").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin" / "pip", "install", "-q", "mcp[cli]>=1,<2"], check=True)
    path = venv / "server.py"
    path.write_text(SERVER)
    return [str(venv / "bin" / "python"), str(path)]


def main():
    starts = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    calls = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    servers = {
        "lyceum": [os.environ.get("LYCEUM", str(ROOT / "target" / "release" / "lyceum")), "serve", "mcp"],
        "python": python_server(),
    }
    print(machine())
    times = {name: [] for name in servers}
    for name, argv in servers.items():
        Client(argv).handshake()  # warm the caches
    for _ in range(starts):
        for name, argv in servers.items():
            start = time.perf_counter()
            client = Client(argv)
            client.handshake()
            times[name].append((time.perf_counter() - start) * 1000)
            client.close()
    for name, argv in servers.items():
        client = Client(argv)
        client.handshake()
        start = time.perf_counter()
        for _ in range(calls):
            reply = client.send("tools/call", {"name": "check_rules", "arguments": {}})
            assert not reply["result"].get("isError"), reply
        rate = calls / (time.perf_counter() - start)
        client.close()
        print(f"{name:8} start to tools/list: median {statistics.median(times[name]):7.1f} ms, p90 {quantile(times[name], .9):7.1f} ms; "
              f"{rate:8.0f} calls/s, one at a time")


if __name__ == "__main__":
    main()
