// SPDX-License-Identifier: MIT
// An instrumented process that is ended in every way, and whose own counter outlives it.
//
//     counting chaos LEDGER THREADS
//
// evaluates views on so many threads for as long as it lives, and counts beside, in a file of its own that it maps. It prints
// "ready", and reads an order a line:
//
//     exit          stops its threads and exits
//     leave         exits while its threads evaluate
//     abort         aborts
//     exec          becomes itself by exec, which prints "ready" again
//     become PATH   becomes that program by exec, with the argument 100
//     fork          forks, evaluates in the child, and waits for its end; answers "forked"
//     headless      ends its first thread, and evaluates on the others
//     close         closes all descriptors but the first three; answers "closed"
//
// The end of its input is its end, too. With CHAOS_DEFECT it counts one evaluation that there never was.

import Glibc
import Rerender
import Signpost

enum Chaos {
    static func run(_ arguments: [String]) -> Never {
        guard arguments.count == 2, let threads = Int(arguments[1]),
            let ledger = OwnCounter(arguments[0], threads: threads)
        else {
            say("usage: counting chaos LEDGER THREADS")
            exit(EX_USAGE)
        }
        let work = EvaluatingThreads(RerenderStore(name: "main"), ledger, threads: threads)
        if getenv("CHAOS_DEFECT") != nil {
            ledger.begin(0)
            ledger.end(0)
        }
        work.start()
        say("ready")
        while let line = readLine() { obey(line, work) }
        exit(EXIT_SUCCESS)
    }

    private static func obey(_ line: String, _ work: EvaluatingThreads) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words.first {
        case "exit":
            work.stop()
            exit(EXIT_SUCCESS)
        case "leave": exit(EXIT_SUCCESS)
        case "abort": abort()
        case "headless": pthread_exit(nil)
        case "exec": become("/proc/self/exe", CommandLine.arguments)
        case "become": become(words[1], [words[1], "100"])
        case "fork": say(work.fork())
        case "close":
            // LTTng aborts a program that closes its descriptors while it is being loaded: docs/reference/host-safety.md.
            _ = SignpostTracing.waitUntilReady(milliseconds: 10_000)
            closefrom(3)
            say("closed")
        default: say("unknown order: \(line)")
        }
    }

    private static func become(_ path: String, _ arguments: [String]) {
        let words = arguments.map { strdup($0) } + [nil]
        execv(path, words)
        say("no exec: \(String(cString: strerror(errno)))")
    }
}
