// SPDX-License-Identifier: MIT
// A main queue without a loop that can be hooked, and no main queue at all.

import Dispatch
import Glibc
import Rerender

enum DispatchCases {
    static func run() {
        _ = store
        Report.answerLater()
        dispatchMain()
    }

    /// Another loop first, for a moment, and then this one for good.
    static func run(after first: () -> Void) {
        first()
        say("first=\(LoopMonitor.kind)")
        run()
    }

    static func runNothing() {
        _ = store
        Report.answerLater()
        while true { pause() }
    }
}
