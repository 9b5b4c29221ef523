#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: corpora.py unpack FILE DIRECTORY    makes a file of each input that FILE has, a line in Base64 for each
       corpora.py pack DIRECTORY FILE      the other way: at most 128 KiB of text, of short and long inputs the same part
       corpora.py show LOG...              the table of what libFuzzer wrote into these logs, named after their targets
       corpora.py mutations [NAME STATE LOG]...  the table of how far the changed inputs of these targets are
"""
import base64
import hashlib
import os
import re
import struct
import sys

MOST = 128 << 10


def read(path):
    with open(path, "rb") as file:
        return file.read()


def unpack(path, directory):
    os.makedirs(directory, exist_ok=True)
    lines = read(path).split() if os.path.exists(path) else []
    for line in lines:
        content = base64.b64decode(line, validate=True)
        with open(os.path.join(directory, hashlib.sha1(content).hexdigest()), "wb") as file:
            file.write(content)


def pack(directory, path):
    contents = {read(os.path.join(directory, name)) for name in os.listdir(directory)} - {b""}
    lines = [base64.b64encode(content).decode() + "\n" for content in sorted(contents, key=lambda x: (len(x), x))]
    most = max(1, sum(map(len, lines)) / MOST)
    kept, size = [], 0
    for number in range(int(len(lines) / most)):
        line = lines[int(number * most)]
        if size + len(line) <= MOST:
            kept.append(line)
            size += len(line)
    with open(path, "w", encoding="ascii") as file:
        file.writelines(sorted(kept))


def number(text, pattern):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def show(*logs):
    rows, all_runs, all_findings = [], 0, 0
    for log in logs:
        text = read(log).decode(errors="replace")
        runs = number(text, r"stat::number_of_executed_units: *(\d+)") or number(text, r"#(\d+)\s")
        rate = number(text, r"stat::average_exec_per_sec: *(\d+)") or number(text, r"exec/s: (\d+)")
        findings = len(re.findall(r"Test unit written to", text))
        all_runs, all_findings = all_runs + runs, all_findings + findings
        name = os.path.basename(log).removesuffix(".log")
        edges = number(text, r"cov: (\d+)")
        rows.append(f"| {name} | {runs:,} | {rate:,} | {edges:,} | {findings} |")
    print("| target | executions | a second | edges covered | findings |")
    print("|---|---|---|---|---|")
    print("\n".join(rows))
    print(f"| all | {all_runs:,} | | | {all_findings} |")


def state(path):
    """What MutationProgress keeps: inputs, in how many the reader found something, nanoseconds."""
    content = read(path) if os.path.exists(path) else b""
    return struct.unpack("=QQQ", content.ljust(24, b"\0"))


def mutations(*arguments):
    sums = [0, 0, 0]
    print("| target | changed inputs | of which something was read | a second of processor time | findings |")
    print("|---|---|---|---|---|")
    for name, path, log in zip(arguments[::3], arguments[1::3], arguments[2::3]):
        done, taken, nanoseconds = state(path)
        findings = len(re.findall(rb"Test unit written to", read(log))) if os.path.exists(log) else 0
        rate = int(done * 1e9 / nanoseconds) if nanoseconds else 0
        sums = [total + one for total, one in zip(sums, (done, taken, findings))]
        print(f"| {name} | {done:,} | {taken:,} | {rate:,} | {findings} |")
    print(f"| all | {sums[0]:,} | {sums[1]:,} | | {sums[2]} |")


if __name__ == "__main__":
    actions = {"unpack": unpack, "pack": pack, "show": show, "mutations": mutations}
    if len(sys.argv) < 3 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    actions[sys.argv[1]](*sys.argv[2:])
