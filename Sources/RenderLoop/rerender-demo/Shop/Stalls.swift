// SPDX-License-Identifier: MIT
// Four ways to block the main loop; one of them is a view's body.

import Foundation
import Observation
import RenderLoop

/// Blocks the main loop once a second, each time in another way, and records for how long.
@MainActor
final class Stalls {
    enum Kind: String, CaseIterable {
        /// A body that takes its time.
        case body
        /// A block on the main queue.
        case block
        /// A sleep.
        case sleep
        /// A lock that another thread holds.
        case lock
    }

    /// What the demo measured itself, by kind.
    private(set) var milliseconds: [String: [Double]] = [:]
    let report = Report()
    private var done = 0
    private nonisolated static let seconds = 0.4

    /// Does the next.
    func next() {
        let kind = Kind.allCases[done % Kind.allCases.count]
        done += 1
        switch kind {
        case .body: report.refresh { self.note(.body, $0) }
        case .block: DispatchQueue.main.async { self.note(.block, Self.measure(Self.spin)) }
        case .sleep: note(.sleep, Self.measure { Thread.sleep(forTimeInterval: Self.seconds) })
        case .lock: note(.lock, Self.measure(Self.waitForLock))
        }
    }

    private func note(_ kind: Kind, _ duration: Double) {
        milliseconds[kind.rawValue, default: []].append(duration)
    }

    fileprivate nonisolated static func measure(_ work: () -> Void) -> Double {
        ContinuousClock().measure(work) / .milliseconds(1)
    }

    /// Computes for that long, however busy the machine is: without a processor it would be no hang of the app.
    fileprivate nonisolated static func spin() {
        let end = processorSeconds + seconds
        while processorSeconds < end {}
    }

    /// What this thread has run. Proof: the call fills a value of our own.
    private nonisolated static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private nonisolated static func waitForLock() {
        let lock = NSLock()
        let isHeld = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            lock.lock()
            isHeld.signal()
            Thread.sleep(forTimeInterval: seconds)
            lock.unlock()
        }
        isHeld.wait()
        lock.lock()
        lock.unlock()
    }
}

/// A report that takes long to make.
@MainActor
@Observable
final class Report {
    private(set) var edition = 0
    @ObservationIgnored private var onMade: ((Double) -> Void)?

    /// Asks for a new edition, which the view's body makes; `onMade` gets the milliseconds that it took.
    func refresh(onMade: @escaping (Double) -> Void) {
        self.onMade = onMade
        edition += 1
    }

    fileprivate func make() {
        guard let onMade else { return }
        self.onMade = nil
        onMade(Stalls.measure(Stalls.spin))
    }
}

/// Shows the report, and makes it in its body, where nothing that takes long belongs.
struct ReportView: View {
    let report: Report

    var body: some View {
        let edition = report.edition
        report.make()
        return Text("Report \(edition)")
    }
}
