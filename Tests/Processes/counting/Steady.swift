// SPDX-License-Identifier: MIT
// An instrumented process that idles between orders: `counting steady COUNT` evaluates COUNT times at once, again at each
// SIGUSR1, and ends with SIGTERM. So a test knows exactly what must have been counted.

import Glibc
import Rerender

enum Steady {
    private static let store = RerenderStore(name: "main")

    static func run(_ arguments: [String]) -> Never {
        guard arguments.count == 1, let count = Int(arguments[0]), count > 0 else {
            print("usage: counting steady COUNT")
            exit(EX_USAGE)
        }
        // Blocked before any thread exists, so that no thread but this one ever sees them.
        var orders = sigset_t()
        sigemptyset(&orders)
        sigaddset(&orders, SIGUSR1)
        sigaddset(&orders, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &orders, nil)

        var order = SIGUSR1
        while order == SIGUSR1 {
            for _ in 0..<count { store.evaluate("Steady") {} }
            sigwait(&orders, &order)
        }
        // Not by the signal: what is counted must be sent on the way out.
        exit(EXIT_SUCCESS)
    }
}
