// SPDX-License-Identifier: MIT
// The real main run loop, with a timer that ticks and signals that end it.

import CoreFoundation
import Foundation

/// Runs the main loop of the process, calling `tick` at a rate.
@MainActor
struct MainLoop {
    let rate: Int
    /// 0 for ever.
    let seconds: Double
    let tick: @MainActor @Sendable () -> Void

    /// From here on SIGINT and SIGTERM end the loop, also before it runs. To be made before any thread is.
    init(rate: Int, seconds: Double, tick: @escaping @MainActor @Sendable () -> Void) {
        self.rate = rate
        self.seconds = seconds
        self.tick = tick
        signal(SIGPIPE, SIG_IGN)
        TerminationSignals.await {
            // Unlike a stop from here, a block waits for a loop that does not run yet.
            RunLoop.main.perform { CFRunLoopStop(CFRunLoopGetMain()) }
            CFRunLoopWakeUp(CFRunLoopGetMain())
        }
    }

    /// Returns when the time is up or a signal came.
    func run() {
        let ticking = tick
        // Not `Timer(timeInterval:)`, which on Linux fires at once.
        let ticker = Timer.scheduledTimer(withTimeInterval: 1 / Double(rate), repeats: true) { _ in
            MainActor.assumeIsolated { ticking() }
        }
        if seconds > 0 {
            _ = Timer.scheduledTimer(withTimeInterval: seconds, repeats: false) { _ in
                CFRunLoopStop(CFRunLoopGetMain())
            }
        }
        CFRunLoopRun()
        ticker.invalidate()
    }
}

/// SIGINT and SIGTERM, awaited on a thread of their own: blocked from the start, so that none is lost however early.
private enum TerminationSignals {
    /// Proof of the unsafe parts: the sets are local variables, lent for each call.
    static func await(_ body: @escaping @Sendable () -> Void) {
        var awaited = set
        unsafe pthread_sigmask(SIG_BLOCK, &awaited, nil)
        Thread.detachNewThread {
            var awaited = set
            var number: CInt = 0
            while unsafe sigwait(&awaited, &number) != 0 {}
            body()
        }
    }

    private static var set: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGINT, SIGTERM] { unsafe sigaddset(&set, number) }
        return set
    }
}
