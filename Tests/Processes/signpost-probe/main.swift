// SPDX-License-Identifier: MIT
// A real process that emits signposts on command: a line of words in, a line out for each.

import Glibc

func serve() async {
    var probe = Probe()
    while let line = readLine() {
        print(await probe.answer(line.split(separator: " ").map(String.init)))
        fflush(nil)
    }
}

await serve()
