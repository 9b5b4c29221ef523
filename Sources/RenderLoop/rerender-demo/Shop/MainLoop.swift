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
        EndSignals.endMainLoop()
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
