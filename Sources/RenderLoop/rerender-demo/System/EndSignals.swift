// SPDX-License-Identifier: MIT
// Signals that end the main loop, and with it the program in its own time.

import CoreFoundation
import Foundation

/// SIGINT and SIGTERM, awaited on a thread of their own: blocked from the start, so that none is lost however early.
///
/// Proof of the unsafe parts: the sets are local variables, lent for each call.
enum EndSignals {
    /// From here on the signals end the main loop, also before it runs. To be called before any thread is made.
    ///
    /// - Parameter terminalToo: Whether SIGHUP, the end of the terminal, does so as well. Others may run under `nohup`.
    static func endMainLoop(terminalToo: Bool = false) {
        signal(SIGPIPE, SIG_IGN)
        let numbers = [SIGINT, SIGTERM] + (terminalToo ? [SIGHUP] : [])
        var awaited = set(of: numbers)
        unsafe pthread_sigmask(SIG_BLOCK, &awaited, nil)
        Thread.detachNewThread {
            var awaited = set(of: numbers)
            var number: CInt = 0
            while unsafe sigwait(&awaited, &number) != 0 {}
            // Unlike a stop from here, a block waits for a loop that does not run yet.
            RunLoop.main.perform { CFRunLoopStop(CFRunLoopGetMain()) }
            CFRunLoopWakeUp(CFRunLoopGetMain())
        }
    }

    /// The signals of these numbers, for a mask.
    static func set(of numbers: [CInt]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        return set
    }
}
