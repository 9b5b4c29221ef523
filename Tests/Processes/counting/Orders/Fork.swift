// SPDX-License-Identifier: MIT
// A fork inside of a body.

import Glibc
import Rerender

/// Does all that an app can do in a forked child and says how it ended; the child must neither crash nor be heard of.
///
/// Forks inside a body, which then ends in both processes.
func runInForkedChild(_ count: Int) -> String {
    let child = shop.forkInBody(forkProcess)
    guard child != 0 else {
        // One thread only: the child of a fork has no dispatch workers.
        for _ in 0..<count { shop.stores[0].evaluate("in the child") {} }
        shop.stores[0].committed("view 0")
        shop.stores[0].ended("view 0", instance: InstanceID(rawValue: 0))
        shop.stores[0].reset()
        RerenderStore(name: "of the child").evaluate("in the child") {}
        // Through the handlers that `atexit` knows, which the child has inherited.
        exit(EXIT_SUCCESS)
    }
    var status: CInt = 0
    guard child > 0, waitpid(child, &status, 0) == child else { return "no child" }
    return status == 0 ? "exited" : "ended with \(status)"
}
