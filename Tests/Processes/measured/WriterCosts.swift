// SPDX-License-Identifier: MIT
// What stacks and names of writers cost, how many are kept, and writes for a trace.

import CAllocationCount
import CRerender
import Glibc
@_spi(SwiftUI) import Observation
import Rerender
import WriterCorpus

enum WriterCosts {
    /// `emit COUNT`: that many writes into the trace.
    static func emit(_ count: Int) {
        WriteSignpost.prepare()
        let store = RerenderStore(name: "main")
        for number in 0..<count {
            WriteSignpost.emit(
                name: "ticker.tick", writer: "Ticker.advance() Shop/Ticker.swift:40", views: UInt32(number))
        }
        withExtendedLifetime(store) {}
    }

    /// `cost COUNT`: what the capture of a stack that was met before costs, and what the first names cost.
    static func measure(_ count: Int) {
        StackID.prepare()
        let ticker = Ticker()
        withObservationTracking({ _ = ticker.tick }, willSet: { _ in WriterCosts.report(count) })
        _ = ticker.advance()
    }

    /// `fill COUNT`: that many different stacks, each met twice.
    static func fill(_ count: Int) {
        var numbers: [UInt32] = []
        for number in 0..<count { numbers.append(crerender_intern_stack([UInt(number + 1)], 1)) }
        let again = (0..<count).filter { crerender_intern_stack([UInt($0 + 1)], 1) == numbers[$0] }.count
        let kept = Set(numbers).subtracting([StackID.other.rawValue])
        print("kept=\(kept.count) again=\(again) other=\(numbers.count { $0 == StackID.other.rawValue })")
    }

    private static func report(_ count: Int) {
        let stack = StackID.capture()
        var same = 0
        let allocations = callocation_count(), start = monotonic()
        for _ in 0..<count { if StackID.capture() == stack { same += 1 } }
        let end = monotonic(), allocated = callocation_count() - allocations
        print("allocations=\(allocated)")
        print("nanoseconds=\((end - start) / UInt64(count))")
        print("stacks=\(count - same)")
        let memory = residentKilobytes(), before = monotonic()
        let name = WriterStacks.name(of: stack, accessorsOf: "WriterCorpus.Ticker")
        print("first name=\((monotonic() - before) / 1_000) µs, \(residentKilobytes() - memory) KiB: \(name)")
        let again = monotonic()
        _ = WriterStacks.name(of: stack, accessorsOf: "WriterCorpus.Ticker")
        print("again=\(monotonic() - again) ns")
    }

    private static func residentKilobytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4
    }
}
