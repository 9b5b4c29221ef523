// SPDX-License-Identifier: MIT
// A main queue without a loop that can be hooked, and no main queue at all.

import Dispatch
import Glibc

enum DispatchCases {
    static func run() {
        _ = store
        Report.answerLater()
        dispatchMain()
    }

    static func runNothing() {
        _ = store
        Report.answerLater()
        while true { pause() }
    }
}
