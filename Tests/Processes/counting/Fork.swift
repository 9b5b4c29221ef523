// SPDX-License-Identifier: MIT
// A fork without exec, which Swift does not offer and hosts do.

import Foundation
import Rerender

@_silgen_name("fork") private func forkProcess() -> pid_t

/// Writes a line at once; a pipe would keep what `print` writes.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Evaluates in a forked child and says how it ended; the child must neither crash nor be heard of.
func runInForkedChild(_ count: Int) -> String {
    let child = forkProcess()
    guard child != 0 else {
        // One thread only: the child of a fork has no dispatch workers.
        for _ in 0..<count { shop.stores[0].evaluate("in the child") {} }
        shop.stores[0].reset()
        // Through the handlers that `atexit` knows, which the child has inherited.
        exit(EXIT_SUCCESS)
    }
    var status: CInt = 0
    guard child > 0, waitpid(child, &status, 0) == child else { return "no child" }
    return status == 0 ? "exited" : "ended with \(status)"
}

/// Forks inside a body, so that the child ends an evaluation that its parent began, and has the child do all else that
/// could reach what the two share.
func forkInsideABody() -> String {
    var child: pid_t = -1
    shop.stores[0].evaluate("forking") { child = forkProcess() }
    guard child != 0 else {
        shop.stores[0].committed("forking")
        let hasCounted = shop.stores[0].stats.contains { $0.key == "forking" }
        shop.stores[0].reset()
        RerenderStore(name: "of the child").evaluate("in the child") {}
        exit(hasCounted ? EXIT_FAILURE : EXIT_SUCCESS)
    }
    var status: CInt = 0
    guard child > 0, waitpid(child, &status, 0) == child else { return "no child" }
    return status == 0 ? "exited" : "ended with \(status)"
}
