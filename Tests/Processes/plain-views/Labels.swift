// SPDX-License-Identifier: MIT
// For each line with a number, evaluates a view so often, and prints the nanoseconds of processor time that one evaluation took.

import CBench
import Glibc

struct Label: View {
    let seed: UInt64

    /// A microsecond of work that nothing can leave out.
    var body: UInt64 {
        var value = seed
        for _ in 0..<700 {
            value ^= value &<< 13
            value ^= value &>> 7
            value ^= value &<< 17
        }
        return value
    }
}

/// As a framework in another module does it, this asks the witness table.
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func evaluate<Shown: View>(_ view: Shown) -> Shown.Body { view.body }

enum Labels {
    static func run(polls: Bool = false) {
        while let count = order(polls) {
            let start = cbench_thread_time()
            for step in 0..<count { cbench_use(Int64(truncatingIfNeeded: evaluate(Label(seed: step &+ 1)))) }
            print(Double(cbench_thread_time() - start) / Double(count))
            // The pipe's reader waits for it.
            fflush(nil)
        }
    }

    private static func order(_ polls: Bool) -> UInt64? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        if polls { poll(&input, 1, -1) }
        return readLine().flatMap(UInt64.init)
    }
}
