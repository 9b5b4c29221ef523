// SPDX-License-Identifier: MIT
// Labelled ways to hold up a main loop.

import CoreFoundation
import Foundation
import Rerender
import Synchronization

/// Holds up the loop that runs it, for a number of milliseconds in all.
struct Stalls: Sendable {
    let store: RerenderStore
    let loop: any MainLoop
    /// Whether one ends that has no end by itself.
    static let isEnough = Atomic<Bool>(false)

    /// Does one; false if there is none of that name.
    func run(_ kind: String, milliseconds: Double) -> Bool {
        switch kind {
        case "body": store.evaluate("Slow") { spin(milliseconds) }
        case "entered":
            store.evaluate("Slow") {
                say("in body")
                spin(milliseconds)
            }
        case "nested": store.evaluate("Parent") { store.evaluate("Child") { spin(milliseconds) } }
        case "unwound":
            // The child's body is over when the threshold is crossed.
            store.evaluate("Parent") {
                store.evaluate("Child") { spin(milliseconds / 10) }
                spin(milliseconds * 9 / 10)
            }
        case "between":
            store.evaluate("Early") { spin(milliseconds / 12) }
            store.evaluate("Short") { spin(milliseconds / 30) }
            spin(milliseconds * 53 / 60)
        case "handler":
            store.evaluate("Toolbar") {}
            store.evaluate("Last") {}
            store.handling("click on Save", of: "Toolbar") { spin(milliseconds) }
        case "timer-handler": store.handling("refresh") { spin(milliseconds) }
        case "body-in-handler":
            store.handling("click on Save", of: "Toolbar") {
                store.evaluate("Child") { spin(milliseconds * 4 / 5) }
                spin(milliseconds / 5)
            }
        case "handler-in-body":
            store.evaluate("Sheet") {
                store.handling("onAppear", of: "Sheet") { spin(milliseconds * 4 / 5) }
                spin(milliseconds / 5)
            }
        case "handler-in-handler":
            store.handling("outer", of: "Toolbar") {
                store.handling("inner", of: "Toolbar") { spin(milliseconds * 4 / 5) }
                spin(milliseconds / 5)
            }
        case "failed-handler":
            try? store.handling("fails", of: "Toolbar") {
                spin(milliseconds / 30)
                throw CancellationError()
            }
            spin(milliseconds * 29 / 30)
        case "many":
            // The row that takes most of the time comes when the hang has long been one.
            for row in 0..<30 { store.evaluate("Row \(row % 3)") { spin(milliseconds / 75) } }
            for _ in 0..<30 { store.evaluate("Row 3") { spin(milliseconds / 50) } }
        case "crowd":
            for row in 0..<100 { store.evaluate("Crowd \(row)") { spin(milliseconds / 100) } }
        case "start-up": store.evaluate("Launch") { spin(milliseconds) }
        case "spin", "timer": spin(milliseconds)
        case "sleep": Thread.sleep(forTimeInterval: milliseconds / 1_000)
        case "sleep-in-body": store.evaluate("Sleeper") { Thread.sleep(forTimeInterval: milliseconds / 1_000) }
        case "stop-in-body": store.evaluate("Slow") { _ = kill(getpid(), SIGSTOP) }
        case "lock": waitForLock(milliseconds)
        case "read": waitForPipe(milliseconds)
        case "modal": runModal(milliseconds)
        case "modal-in-body": store.evaluate("Modal") { runModal(milliseconds) }
        case "exit":
            spin(milliseconds)
            exit(0)
        default: return false
        }
        return true
    }

    private func spin(_ milliseconds: Double) {
        guard milliseconds.isFinite else {
            while !Self.isEnough.exchange(false, ordering: .sequentiallyConsistent) {}
            return
        }
        let end = monotonic() + UInt64(milliseconds * 1_000_000)
        while monotonic() < end {}
    }

    private func waitForLock(_ milliseconds: Double) {
        let lock = NSLock()
        let isHeld = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            lock.lock()
            isHeld.signal()
            Thread.sleep(forTimeInterval: milliseconds / 1_000)
            lock.unlock()
        }
        isHeld.wait()
        lock.lock()
        lock.unlock()
    }

    private func waitForPipe(_ milliseconds: Double) {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let writeEnd = ends[1]
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: milliseconds / 1_000)
            write(writeEnd, "x", 1)
            close(writeEnd)
        }
        var byte: UInt8 = 0
        read(ends[0], &byte, 1)
        close(ends[0])
    }

    /// A dialog: the loop runs within one of its own callbacks, and serves whoever asks.
    private func runModal(_ milliseconds: Double) {
        let loop = loop
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: milliseconds / 1_000)
            loop.post { loop.leave() }
        }
        loop.run()
    }
}

/// CLOCK_MONOTONIC in nanoseconds.
func monotonic() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
