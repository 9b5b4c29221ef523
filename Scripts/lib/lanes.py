#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: lanes.py EVENTS TAG...

Reads what `swift test list --event-stream-output-path EVENTS` wrote. Prints the number of tests, then for each tag, on a
line of its own, the pattern for `--filter` and `--skip` that matches the tests and suites with that tag.
Swift 6.4 has `--filter tag:TAG`; then this file can go."""
import json
import re
import sys


def pattern(ids):
    """Matches each test itself and all tests of each suite, and nothing where there are none."""
    names = "|".join(sorted(re.escape(name) for name in ids))
    return f"^({names})(/|$)" if names else "^$"


def main(events, *tags):
    with open(events, encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    tests = [record["payload"] for record in records if record["kind"] == "test"]
    if not any("_tags" in test for test in tests):
        sys.exit(f"{events} has no tags: set SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED")
    print(sum(test["kind"] == "function" for test in tests))
    for tag in tags:
        tagged = [test for test in tests if f".{tag}" in test.get("_tags", [])]
        # A test's id ends with its place in the file: Target.Suite/test()/File.swift:1:2
        print(pattern(re.sub(r"/[^/]*:\d+:\d+$", "", test["id"]) for test in tagged))


if __name__ == "__main__":
    main(*sys.argv[1:])
