#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a manual page (mdoc) from a command's own description of its options, so that page and --help agree.
The other sections come from manual/NAME.mdoc beside this file.

usage: manual.py BINARY SECTION > PAGE     BINARY is built on ArgumentParser
"""
import json
import os
import re
import subprocess
import sys
import time


def roff(text):
    """Plain text as roff: nothing in it is taken for a request or an escape, hyphens stay hyphens."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def word(text):
    """Text as one argument of an mdoc macro; the zero-width space keeps `Fl` or `Ar` from being called."""
    return '"\\&' + roff(text).replace('"', "\\(dq") + '"'


def spelled(name):
    return ("-" if name["kind"] in ("short", "longWithSingleDash") else "--") + name["name"]


def visible(items):
    return [item for item in items or [] if item.get("shouldDisplay", True)]


def value(argument):
    return argument.get("valueName") or "value"


def synopsis(argument):
    if argument.get("parsingStrategy") in ("allRemainingInput", "postTerminator"):
        # A command and what is its own: our options stand before the two hyphens.
        text = ".Cm " + word("--") + " Ar " + word(value(argument))
    elif argument["kind"] == "positional":
        text = ".Ar " + word(value(argument))
    else:
        text = ".Cm " + word(spelled(argument["preferredName"]))
        if argument["kind"] == "option":
            text += " Ar " + word(value(argument))
    if argument.get("isRepeating"):
        text += " Ns No ..."
    return ".Op " + text[1:] if argument.get("isOptional") else text


def entry(argument):
    if argument["kind"] == "positional":
        head = "Ar " + word(value(argument))
    else:
        head = " , ".join("Cm " + word(spelled(name)) for name in argument["names"])
        if argument["kind"] == "option":
            head += " Ar " + word(value(argument))
    lines = [".It " + head]
    for part in ("abstract", "discussion"):
        if argument.get(part):
            lines += paragraphs(argument[part])
    if argument.get("allValues"):
        lines.append("One of: " + roff(", ".join(argument["allValues"])) + ".")
    if argument.get("defaultValue"):
        lines.append("Default: " + roff(argument["defaultValue"]) + ".")
    return lines


def paragraphs(text):
    """Blank lines separate; indented lines are tables and examples and stay as they are."""
    lines, previous = [], None
    for line in text.strip("\n").split("\n"):
        kind = "blank" if not line.strip() else "literal" if line.startswith((" ", "\t")) else "prose"
        if previous == "literal" and kind != "literal":
            lines.append(".Ed")
        if kind == "literal" and previous != "literal":
            lines.append(".Bd -literal -offset indent -compact")
        if kind == "blank":
            lines.append(".Pp")
        else:
            # In prose a new sentence takes a new line, so that it gets the space that it should have.
            lines += map(roff, [line] if kind == "literal" else re.split(r"(?<=\S[.?!]) (?=[A-Z])", line))
        previous = kind
    return lines + ([".Ed"] if previous == "literal" else [])


def options(arguments):
    lines = [".Bl -tag -width indent"]
    for argument in visible(arguments):
        lines += entry(argument)
    return lines + [".El"]


def commands(command, path):
    """All subcommands, depth first, each under its whole name."""
    for sub in visible(command.get("subcommands")):
        if sub["commandName"] == "help":
            continue
        name = path + [sub["commandName"]]
        yield from [f".Ss {word(' '.join(name))}"]
        arguments = [a for a in visible(sub.get("arguments")) if not is_help(a)]
        if not visible(sub.get("subcommands")):
            yield ".Nm " + " ".join(word(part) for part in name)
            yield from map(synopsis, arguments)
            yield ".Pp"
        for part in ("abstract", "discussion"):
            if sub.get(part):
                yield from paragraphs(sub[part])
                yield ".Pp"
        if arguments:
            yield from options(arguments)
        yield from commands(sub, name)


def is_help(argument):
    names = {spelled(name) for name in argument.get("names") or []}
    return bool(names & {"--help", "--version"})


def page(command, section):
    name = command["commandName"]
    subcommands = [sub for sub in visible(command.get("subcommands")) if sub["commandName"] != "help"]
    # The same page every time for those who package: they set SOURCE_DATE_EPOCH.
    day = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    yield from [time.strftime(f".Dd %B {day.tm_mday}, %Y", day), f".Dt {name.upper()} {section}", ".Os"]
    yield from [".Sh NAME", f".Nm {name}"]
    yield ".Nd " + roff(command.get("abstract") or name).rstrip(".")
    yield from [".Sh SYNOPSIS", f".Nm {name}"]
    if subcommands:
        yield from [".Ar command", ".Op Ar option ..."]
    yield from map(synopsis, visible(command.get("arguments")))
    yield ".Sh DESCRIPTION"
    yield from paragraphs(command.get("discussion") or command.get("abstract") or name)
    if visible(command.get("arguments")):
        yield ".Sh OPTIONS"
        yield from options(command["arguments"])
    if subcommands:
        yield ".Sh COMMANDS"
        yield from commands(command, [name])
    yield from rest(name)


def rest(name):
    """What no command says of itself: the environment, files, and where to read on."""
    path = os.path.join(os.path.dirname(os.path.realpath(__file__)), "manual", name + ".mdoc")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as lines:
            yield from (line.rstrip("\n") for line in lines if not line.startswith('.\\"'))


def main():
    if len(sys.argv) != 3 or not os.access(sys.argv[1], os.X_OK) or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    dump = subprocess.run([sys.argv[1], "--experimental-dump-help"], capture_output=True, text=True, check=False)
    if dump.returncode != 0:
        sys.exit(f"manual.py: {sys.argv[1]} does not describe itself: {dump.stderr.strip()}")
    description = json.loads(dump.stdout)
    if description.get("serializationVersion") != 0:
        sys.exit(f"manual.py: knows version 0 of ArgumentParser's description, not {description.get('serializationVersion')}")
    lines = list(page(description["command"], sys.argv[2]))
    # What follows makes its own space: a paragraph before it is one too many.
    spaced = (".Bl", ".It", ".Pp", ".Sh", ".Ss")
    for line, following in zip(lines, lines[1:] + [".Sh"]):
        if line != ".Pp" or not following.startswith(spaced):
            print(line)


main()
