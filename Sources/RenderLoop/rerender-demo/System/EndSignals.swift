// SPDX-License-Identifier: MIT
// Signals that are handled on the main run loop.

import CoreFoundation
import Foundation

/// Signals that a thread of their own waits for. They are blocked from the start, so that none is lost.
///
/// Proof of the unsafe parts: the sets are local variables, lent for each call.
struct AwaitedSignals {
    private let numbers: [CInt]

    /// Blocks the signals. To be called before any thread is made: a thread that does not block them would take them.
    init(_ numbers: [CInt]) {
        self.numbers = numbers
        var set = Self.set(of: numbers)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `body` on the main run loop for each signal, also for one that came before.
    func follow(_ body: @escaping @MainActor @Sendable () -> Void) {
        Thread.detachNewThread { [numbers] in
            var set = Self.set(of: numbers)
            var number: CInt = 0
            while true {
                guard unsafe sigwait(&set, &number) == 0 else { continue }
                // Unlike a call from here, a block waits for a loop that does not run yet.
                RunLoop.main.perform { MainActor.assumeIsolated { body() } }
                CFRunLoopWakeUp(CFRunLoopGetMain())
            }
        }
    }

    private static func set(of numbers: [CInt]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        return set
    }
}

/// SIGINT and SIGTERM.
enum EndSignals {
    /// From here on the signals end the main loop, also before it runs. To be called before any thread is made.
    ///
    /// - Parameter terminalToo: Whether SIGHUP, the end of the terminal, does so as well. Others may run under `nohup`.
    static func endMainLoop(terminalToo: Bool = false) {
        signal(SIGPIPE, SIG_IGN)
        AwaitedSignals([SIGINT, SIGTERM] + (terminalToo ? [SIGHUP] : [])).follow { CFRunLoopStop(CFRunLoopGetMain()) }
    }
}
