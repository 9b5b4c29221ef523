#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: corpora.py unpack FILE DIRECTORY    makes a file of each input that FILE has, a line in Base64 for each
       corpora.py pack DIRECTORY FILE      the other way: the shortest first, at most 64 KiB of text
       corpora.py show LOG...              the table of what libFuzzer wrote into these logs, named after their targets
       corpora.py write DOCUMENT TABLE     puts a table between the marks in the document
"""
import base64
import hashlib
import os
import re
import sys

MOST = 64 << 10
BEGIN, END = "<!-- Scripts/fuzz writes from here -->", "<!-- Scripts/fuzz writes to here -->"


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
    contents = sorted({read(os.path.join(directory, name)) for name in os.listdir(directory)}, key=lambda x: (len(x), x))
    lines, size = [], 0
    for content in contents:
        line = base64.b64encode(content).decode() + "\n"
        if not content or size + len(line) > MOST:
            continue
        lines.append(line)
        size += len(line)
    with open(path, "w", encoding="ascii") as file:
        file.writelines(sorted(lines))


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


def write(document, table):
    text, new = read(document).decode(), read(table).decode()
    before, rest = text.split(BEGIN)
    with open(document, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "\n\n" + new + "\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    actions = {"unpack": unpack, "pack": pack, "show": show, "write": write}
    if len(sys.argv) < 3 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    actions[sys.argv[1]](*sys.argv[2:])
