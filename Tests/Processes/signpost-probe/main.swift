// SPDX-License-Identifier: MIT
// A real process that emits signposts on command: a line of words in, a line out for each. `signpost-probe listen TRIGGER` emits none,
// and prints what a trigger of LTTng captures (`TriggerListener.swift`).

import Glibc

func serve() async {
    var probe = Probe()
    while let line = readLine() {
        print(await probe.answer(line.split(separator: " ").map(String.init)))
        fflush(nil)
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, arguments[0] == "listen" { exit(TriggerListener.run(arguments[1])) }
await serve()
