// SPDX-License-Identifier: MIT
// Views are found by label and by place, on any thread, each once.

import Foundation
import RerenderModel
import RerenderWire
import Synchronization
import TestSupport
import Testing

@testable import Rerender

@Suite("Looking up views")
struct ViewLookupTests {
    @Test("threads that meet the same thousand labels make a thousand views")
    func concurrent() {
        let core = TestProcess().makeStore()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<3_000 {
                let label = "view \((round * 7 + thread * 131) % 1_000)"
                let view = core.view(label: label, file: "file", line: 1)
                #expect(view?.takeUnretainedValue().key.rawValue == label)
            }
        }
        #expect(core.allViews.count == 1_000)
        #expect(core.allViews.map { Int($0.index) } == Array(0..<1_000))
    }

    @Test("a probe without a label has the key of its place")
    func site() {
        let core = TestProcess().makeStore()
        let view = core.view(label: nil, file: "Shop/Cart.swift", line: 12)?.takeUnretainedValue()
        #expect(view?.key == "Shop/Cart.swift:12")
        #expect(core.view(label: nil, file: "Shop/Cart.swift", line: 12)?.takeUnretainedValue() === view)
        #expect(core.view(label: nil, file: "Shop/Cart.swift", line: 13)?.takeUnretainedValue() !== view)
        #expect(core.view(label: "Shop/Cart.swift:12", file: "", line: 0)?.takeUnretainedValue() === view)
    }

    @Test("labels at one place are told apart, whether or not they have storage of their own")
    func labelsOfASite() {
        let core = TestProcess().makeStore()
        func key(_ label: String?) -> String? {
            core.view(label: label, file: "Shop/Cart.swift", line: 12)?.takeUnretainedValue().key.rawValue
        }
        let long = "a literal that is too long for the words of a string"
        for _ in 0..<3 {
            for label in ["a", "b", long] { #expect(key(label) == label) }
            #expect(key(nil) == "Shop/Cart.swift:12")
            // Each in storage that the one before may have had.
            for number in 0..<20 {
                let label = String(repeating: "row ", count: 8) + "\(number)"
                #expect(key(label) == label)
            }
        }
        #expect(core.allViews.count == 24)
        #expect(LabelWords("short").areOfNoStorage && LabelWords(nil).areOfNoStorage)
        #expect(!LabelWords(String(repeating: "row ", count: 8)).areOfNoStorage)
    }

    @Test("a line that does not fit beside the address is found all the same")
    func farLine() {
        let core = TestProcess().makeStore()
        let view = core.view(label: nil, file: "Generated.swift", line: 1 << 20)?.takeUnretainedValue()
        #expect(view?.key == "Generated.swift:1048576")
        #expect(core.view(label: nil, file: "Generated.swift", line: 1 << 20)?.takeUnretainedValue() === view)
    }

    @Test("labels over the limit are shortened and stay distinct")
    func longLabels() {
        let core = TestProcess().makeStore()
        let start = String(repeating: "ü", count: 600)
        let first = core.view(label: start + "1", file: "", line: 0)?.takeUnretainedValue()
        let second = core.view(label: start + "2", file: "", line: 0)?.takeUnretainedValue()
        #expect(first !== second)
        #expect(core.view(label: start + "1", file: "", line: 0)?.takeUnretainedValue() === first)
        #expect(first.map { $0.key.rawValue.utf8.count <= WireLimits.keyBytes } == true)
    }

    @Test(
        "a label up to the limit is as it is, and a longer one is shortened to it",
        arguments: around(WireLimits.keyBytes))
    func boundedLabels(bytes: Int) {
        let core = TestProcess().makeStore()
        let label = String(repeating: "x", count: bytes)
        let key = core.view(label: label, file: "", line: 0)?.takeUnretainedValue().key.rawValue ?? ""
        #expect((key == label) == (bytes <= WireLimits.keyBytes))
        #expect(key.utf8.count == min(bytes, WireLimits.keyBytes))
    }

    @Test("a key is kept without the app's string around it")
    func ownStorage() throws {
        let core = TestProcess().makeStore()
        let label = try #require("x, y, z".split(separator: ",").last.map(String.init))
        _ = core.view(label: label, file: "", line: 0)
        #expect(core.allViews[0].key.rawValue == " z")
    }

    @Test("keys beyond the limit of the process are dropped and counted, over all its stores")
    func keysAreBounded() {
        let process = TestProcess()
        let first = process.makeStore()
        let second = process.makeStore()
        for number in 0..<WireLimits.keysPerProcess { _ = first.view(label: "view \(number)", file: "", line: 0) }
        #expect(second.view(label: "one too many", file: "", line: 0) == nil)
        second.recordDropped()
        #expect(second.state().dropped == 1)
        #expect(second.state().evaluations == 1)
        first.releaseKeys()
        #expect(second.view(label: "now there is room", file: "", line: 0) != nil)
    }
}

/// A process context of a test's own, with no uplink.
struct TestProcess {
    let context: ProcessContext
    let wakeUps = Counter()

    init(flightPage: FlightPageWriter? = nil) {
        let wakeUps = wakeUps
        context = ProcessContext(
            identity: ProcessIdentity(pid: 4_711, name: "shop", startTicks: 99), isEnabled: true,
            flightPage: flightPage,
            mainLoop: LoopMonitor(record: flightPage.map { LoopRecord(flightPage: $0) }, firstThread: 4_711),
            observer: CountingObserver(changes: wakeUps))
    }

    func makeStore(_ name: String = "main") -> StoreCore { context.makeStore(name: name, of: .views) }
}

/// Counts what stores tell it.
private struct CountingObserver: StoreObserver {
    let changes: Counter
    var isConnected: Bool { false }

    func storeChanged() { changes.add() }
    func settingsChanged() {}
}

final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

extension StoreCore {
    /// Counts one evaluation as the probe does.
    func evaluate(_ label: String, nanoseconds: UInt64 = 100, instance: UInt64? = nil, reason: String? = nil) {
        guard let unmanaged = view(label: label, file: "Shop/Cart.swift", line: 12) else { return recordDropped() }
        let view = unmanaged.takeUnretainedValue()
        let checkOut = view.state.withLock { $0.checkOut(instance, settings) }
        let evidence = CauseEvidence(
            callersReason: reason, found: checkOut.isInitial ? .initial : nil, isForgotten: checkOut.isForgotten)
        let evaluation = Evaluation(
            beganAt: MonotonicClock.now, endedAt: MonotonicClock.now, bodyNanoseconds: nanoseconds,
            selfNanoseconds: nanoseconds, totalNanoseconds: nanoseconds + 50,
            cause: evidence.cause(), isSameOutput: nil, turn: .none)
        _ = record(evaluation, of: view, checkOut.record, isTraced: false)
    }
}
