// SPDX-License-Identifier: MIT
// Programs with many causes, writers and reasons.

import Observation
import Rerender
import RerenderModel

/// As many properties as one function writes here.
@Observable private final class Switchboard {
    var p00 = 0
    var p01 = 0
    var p02 = 0
    var p03 = 0
    var p04 = 0
    var p05 = 0
    var p06 = 0
    var p07 = 0
    var p08 = 0
    var p09 = 0
    var p10 = 0
    var p11 = 0
    var p12 = 0
    var p13 = 0
    var p14 = 0
    var p15 = 0
    var p16 = 0
    var p17 = 0
    var p18 = 0
    var p19 = 0
    var p20 = 0
    var p21 = 0

    static var paths: [ReferenceWritableKeyPath<Switchboard, Int>] {
        [
            \.p00, \.p01, \.p02, \.p03, \.p04, \.p05, \.p06, \.p07, \.p08, \.p09, \.p10, \.p11, \.p12, \.p13, \.p14,
            \.p15, \.p16, \.p17, \.p18, \.p19, \.p20, \.p21,
        ]
    }
}

private struct SwitchedDesk {
    let board: Switchboard
}

private func total(_ view: One<[Ticker]>) -> Int { view.value.reduce(0) { $0 + $1.tick } }

/// Writes from a stack of its own for each number below 2⁹: of each pair of calls, one bit takes one.
@inline(never)
@_optimize(none)
private func spread(_ number: Int, _ levels: Int, from way: Int, _ write: () -> Void) -> Int {
    if levels == 0 {
        write()
        return way
    }
    if number & 1 == 0 { return spread(number >> 1, levels - 1, from: 1, write) + way }
    return spread(number >> 1, levels - 1, from: 2, write) * 3
}

extension BoundProgram {
    /// The first eight are named, and the number of the others is said; the writers of 256 are known.
    static func announced(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = One(value: random.below(9)), kept = min(count, 256)
        recorder.evaluate(view, is: .initial)
        for number in 0..<count { recorder.store.invalidate("View", cause: "cause \(number)", writer: "w") }
        // Once more, which is no other cause.
        let again = random.below(5)
        for number in 0..<again { recorder.store.invalidate("View", cause: "cause \(number)", writer: "w") }
        var names = (0..<min(kept, 8)).map { "cause \($0)" }
        if count > 8 { names.append("+\(count - 8)") }
        var truth = Truth.announced(names.joined(separator: ", "), by: "w")
        if count > kept { truth.writers = ["w; \(Reason.unknown)", "\(Reason.unknown); w"] }
        recorder.evaluate(view, is: truth)
        let said = recorder.writers(of: truth.reason)
        let (all, known) = (Recorder.sum(said), Int(said["w"] ?? 0))
        recorder.expect(
            all == count + again && known == kept + again, "\(count + again) causes, and \(said) is said")
    }

    /// The same of properties of one model.
    static func properties(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = SwitchedDesk(board: Switchboard()), paths = Switchboard.paths
        func evaluate(_ truth: Truth) {
            recorder.evaluate("View", view, is: truth) { view in paths.reduce(0) { $0 + view.board[keyPath: $1] } }
        }
        evaluate(.initial)
        let written = paths.indices.shuffled(using: &random).prefix(count).sorted()
        for index in written { view.board[keyPath: paths[index]] = 7 }
        var names = written.prefix(8).map { "board.p" + ($0 < 10 ? "0" : "") + "\($0)" }
        if count > 8 { names.append("+\(count - 8)") }
        let reason = names.joined(separator: ", ")
        evaluate(.wrote(reason))
        let writes = Recorder.sum(recorder.writers(of: reason))
        recorder.expect(writes == count, "\(count) writes, and \(writes) are said")
    }

    /// Some models of a list are written. Of up to 256 it is known which.
    static func listedModels(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = One(value: (0..<count).map { _ in Ticker() })
        recorder.evaluate("View", view, is: .initial, body: total)
        let written = 1 + random.below(count)
        var place: Place?
        for index in view.value.indices.shuffled(using: &random).prefix(written) { place = advance(view.value[index]) }
        var truth = Truth.wrote("value[].tick", place)
        if count > 256 { truth.lesser = ["Ticker.tick (1 or more of \(count))"] }
        recorder.evaluate("View", view, is: truth, body: total)
        if count <= 256 { recorder.expectWrites(written, of: "value[].tick", known: written) }
    }

    static func knownModels(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let tickers = (0..<count).map { _ in Ticker() }
        func evaluate(_ truth: Truth) {
            recorder.evaluate("View", One(value: 1), isDescribed: false, is: truth) { _ in
                tickers.reduce(0) { $0 + $1.tick }
            }
        }
        evaluate(.initial)
        let written = 1 + random.below(10)
        var place: Place?
        for ticker in tickers.shuffled(using: &random).prefix(written) { place = advance(ticker) }
        let reason = count > 256 ? "Ticker.tick (1 or more of \(count))" : "Ticker.tick"
        evaluate(.wrote(reason, place))
        recorder.expectWrites(written, of: reason, known: written)
    }

    /// What rows of a list report that they read. Beyond 256, the first reports are dropped, and nothing is inferred.
    static func reports(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = One(value: "a"), tickers = (0..<count).map { _ in Ticker() }
        recorder.evaluate(view, isDescribed: false, is: .initial)
        for ticker in tickers { recorder.store.reading("View") { _ = ticker.tick } }
        let index = random.below(count)
        let place = advance(tickers[index])
        let isDropped = index < count - 256
        recorder.evaluate(view, isDescribed: false, is: isDropped ? .open : .wrote("Ticker.tick", place))
        // What was dropped is of that evaluation alone.
        recorder.evaluate(view, isDescribed: false, is: .same)
        withExtendedLifetime(tickers) {}
    }

    /// One function that is called from many places, before one evaluation.
    static func stacksOfWrite(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = One(value: Ticker())
        recorder.evaluate("View", view, is: .initial) { $0.value.tick }
        for number in 0..<count { _ = spread(number, 9, from: 0) { _ = advance(view.value) } }
        recorder.evaluate("View", view, is: .wrote("value.tick")) { $0.value.tick }
        recorder.expectWrites(count, of: "value.tick", known: min(count, 64))
    }

    /// The same with an evaluation after each write.
    static func stacksOfReason(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = One(value: Ticker())
        func evaluate() { _ = recorder.store.evaluate("View", of: view) { view.value.tick } }
        evaluate()
        for number in 0..<count {
            _ = spread(number, 9, from: 0) { _ = advance(view.value) }
            evaluate()
        }
        let evaluations = recorder.row("value.tick")?.count
        recorder.expect(evaluations == UInt64(count), "\(String(describing: evaluations)) of \(count) evaluations")
        recorder.expectWrites(count, of: "value.tick", known: min(count, 256))
    }

    /// Three writers of a reason have names.
    static func writers(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        var truly: [String: UInt64] = [:]
        recorder.store.evaluate("View", of: One(value: 1)) {}
        for number in 0..<count {
            let times = 1 + random.below(4)
            for _ in 0..<times {
                recorder.store.invalidate("View", cause: "cause", writer: "writer \(number)")
                recorder.store.evaluate("View", of: One(value: 1)) {}
            }
            truly[number < 3 ? "writer \(number)" : Reason.other, default: 0] += UInt64(times)
        }
        let said = recorder.writers(of: "cause")
        recorder.expect(said == truly, "by \(truly), and by \(said) is said")
    }

    /// 32 reasons of a view have a row, `initial` among them.
    static func reasons(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        recorder.store.evaluate("View", of: One(value: 1)) {}
        for number in 0..<count {
            recorder.store.invalidate("View", cause: "cause \(number)", writer: "w")
            recorder.store.evaluate("View", of: One(value: 1)) {}
        }
        let rows = recorder.stats()?.reasons ?? []
        let others = Int(rows.first { $0.reason == Reason.other }?.count ?? 0)
        let named = rows.filter { $0.reason != Reason.other }
        let (kept, areSingle) = (min(count + 1, 32), named.allSatisfy { $0.count == 1 })
        recorder.expect(
            areSingle && named.count == kept && others == count + 1 - kept,
            "\(count + 1) reasons, and \(named.count) rows with \(others) others")
    }

    /// A commit that changed nothing is one of all evaluations since the last one.
    static func commits(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        var evaluations = 0
        for round in 0...random.below(3) {
            let here = round == 0 ? count : 1 + random.below(2 * count)
            for _ in 0..<here { recorder.store.evaluate("View", instance: 1) {} }
            recorder.store.committed("View", changed: false, instance: 1)
            evaluations += here
        }
        let waste = recorder.stats()?.wasted
        recorder.expect(
            waste?.measured == UInt64(evaluations) && waste?.inferred == 0 && waste?.unjudged == 0,
            "\(evaluations) evaluations, and \(String(describing: waste))")
    }

    /// Before the k-th evaluation, one function writes k times.
    static func varyingWrites(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = One(value: Ticker())
        func evaluate() { _ = recorder.store.evaluate("View", of: view) { view.value.tick } }
        evaluate()
        var written = 0
        for writes in (1...count).shuffled(using: &random) {
            for _ in 0..<writes { _ = advance(view.value) }
            written += writes
            evaluate()
        }
        recorder.expect(recorder.row("value.tick")?.count == UInt64(count), "another number of evaluations")
        recorder.expectWrites(written, of: "value.tick", known: written)
    }

    /// A chain of causes has the nearest 16 levels.
    static func levels(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        func nest(_ level: Int) {
            guard level < count else { return }
            recorder.store.evaluate("V\(level)", of: One(value: 0)) { nest(level + 1) }
        }
        nest(0)
        let root = random.pick(["count", "theme"])
        recorder.store.invalidate("V0", cause: root, writer: "w")
        nest(0)
        let levels = (0..<(count - 1)).reversed().map { "V\($0)" } + [root]
        let truly = levels.prefix(16).joined(separator: " ← ") + (levels.count > 16 ? " ← …" : "")
        let row = recorder.row("parent: V\(count - 2)", of: "V\(count - 1)")
        let said = row?.chains.map(\.chain) ?? []
        recorder.expect(row?.count == 1 && said == [truly], "from \(truly), and from \(said) is said")
    }

    /// The previous values of 4,096 instances are kept. Of others nothing is said.
    static func instances(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let first = random.below(100)
        for round in 0..<2 {
            for number in 0..<count {
                recorder.store.evaluate(
                    "View", of: One(value: first + number + round), instance: InstanceID(UInt64(number))
                ) {}
            }
        }
        guard let stats = recorder.stats() else { return recorder.expect(false, "no statistics") }
        let number = { (reason: String) in Int(recorder.row(reason)?.count ?? 0) }
        let (initial, changed) = (number(Reason.initial), number("value"))
        let (unknown, wasted) = (number(Reason.externalSignal), stats.wasted.count)
        recorder.expect(
            initial == count && changed + unknown == count && (count > 4_096 || unknown == 0) && wasted == 0,
            "\(initial) initial, \(changed) changed, \(unknown) unknown, \(wasted) wasted")
        for number in 0..<count { recorder.store.ended("View", instance: InstanceID(UInt64(number))) }
    }
}
