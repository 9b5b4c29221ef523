// SPDX-License-Identifier: MIT
// How far the library's clock is from the kernel's while that is bent as far as a kernel bends it.

import CBench
import Glibc
import Rerender

/// Reads both clocks for some minutes, without a break on one thread and now and then on another.
enum ClockError {
    /// The most by which a kernel lets the network's time bend its clock, in parts per million.
    private static let most: Int32 = 500
    /// In a run, the clock is bent one way and the other so often.
    private static let bends = 10

    static func run(minutes: Int, _ report: inout Report) async throws {
        #if RERENDER_PROBES
            let store = RerenderStore(name: "clock")
            // Brings up the thread that learns the counter's rate.
            store.evaluate("Clock") {}
            defer { _ = cbench_bend_clock(0) }
            for bend in 0..<bends {
                let ppm = bend.isMultiple(of: 2) ? most : -most
                guard cbench_bend_clock(ppm) else {
                    report.line("the clock cannot be bent: this needs root, and a kernel that lets it", false)
                    return
                }
                let end = cbench_now() + UInt64(minutes) * 60_000_000_000 / UInt64(bends)
                async let busy = worst(until: end, pause: 0)
                async let seldom = worst(until: end, pause: 7_000)
                let (worst, samples) = await (max(busy.error, seldom.error), busy.samples + seldom.samples)
                report.line(
                    "bent by \(ppm) ppm, at most \(worst) ns from the kernel's of \(samples); to reach: 1000",
                    worst <= 1_000)
            }
        #else
            report.line("the probes are compiled out: build with --traits AlwaysOn", false)
        #endif
    }

    #if RERENDER_PROBES
        /// How far a reading lies outside of two of the kernel's around it. Being interrupted only widens these.
        private static func worst(until end: UInt64, pause: UInt32) async -> (error: UInt64, samples: Int) {
            var (worst, samples) = (UInt64(0), 0)
            while true {
                let before = cbench_now()
                let now = InjectedView.now
                let after = cbench_now()
                worst = max(worst, now < before ? before - now : now > after ? now - after : 0)
                samples += 1
                if after >= end { return (worst, samples) }
                if pause > 0 { usleep(pause) }
            }
        }
    #endif
}
