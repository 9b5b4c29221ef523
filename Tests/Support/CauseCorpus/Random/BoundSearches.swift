// SPDX-License-Identifier: MIT
// Programs with much to be searched and named, durations of many sizes, and hangs with many views and handlers.

import Observation
import Rerender
import RerenderModel

@Observable final class Coach {
    var next: Coach?
    var load = 0
}

/// An object that a body goes through and does not read.
private final class Tunnel {
    let first: Tunnel?
    let second: Tunnel?
    let ticker: Ticker?

    /// The first of `count` that are numbered row by row, each with two below it. The last of them has the model.
    init(_ number: Int, of count: Int, _ ticker: Ticker) {
        first = 2 * number <= count ? Tunnel(2 * number, of: count, ticker) : nil
        second = 2 * number + 1 <= count ? Tunnel(2 * number + 1, of: count, ticker) : nil
        self.ticker = number == count ? ticker : nil
    }
}

extension BoundProgram {
    /// Of an array, 1,024 elements are searched for what the body read.
    static func searchedElements(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = One(value: (0..<count).map { _ in Ticker() })
        let index = random.chance(50) ? count - 1 : random.below(count)
        func evaluate(_ truth: Truth) {
            recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.value[index].tick }
        }
        evaluate(.initial)
        evaluate(.wrote(index < 1_024 ? "value[].tick" : "Ticker.tick", advance(view.value[index])))
    }

    /// A way from the view has 16 models.
    static func modelsInEachOther(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let coaches = (0..<count).map { _ in Coach() }
        for index in 1..<count { coaches[index - 1].next = coaches[index] }
        func evaluate(_ truth: Truth) {
            recorder.evaluate("View", One(value: coaches[0]), isDescribed: false, is: truth) { view in
                var coach = view.value
                while let next = coach.next { coach = next }
                return coach.load
            }
        }
        evaluate(.initial)
        coaches[count - 1].load += 1 + random.below(9)
        let way = ["value"] + Array(repeating: "next", count: count - 1) + ["load"]
        evaluate(count <= 16 ? .wrote(way.joined(separator: "."), lesser: "Coach.load") : .wrote("Coach.load"))
    }

    /// 64 objects that were not read lead on.
    static func objectsBetween(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let ticker = Ticker(), view = One(value: Tunnel(1, of: count, ticker))
        func evaluate(_ truth: Truth) {
            recorder.evaluate("View", view, isDescribed: false, is: truth) { _ in ticker.tick }
        }
        evaluate(.initial)
        for _ in 0...random.below(3) {
            let place = advance(ticker)
            evaluate(
                count <= 64
                    ? .wrote("tick", below: "value", of: "Ticker", place) : .wrote("Ticker.tick", place))
        }
    }

    /// What a handler writes has its name, whether or not the handler has a row of its own.
    static func handlers(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let view = One(value: Ticker())
        recorder.evaluate("View", view, is: .initial) { $0.value.tick }
        for number in 0..<count { recorder.store.handling("click on row \(number)") {} }
        for number in [random.below(count), count - 1] {
            let name = "click on row \(number)"
            let place = recorder.store.handling(name) { advance(view.value) }
            var truth = Truth.wrote("value.tick")
            truth.writers = ["\(place.text), in \(name)"]
            recorder.evaluate("View", view, is: truth) { $0.value.tick }
        }
    }

    /// Labels of more than 1,024 bytes are shortened, and stay different.
    static func labels(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let start = String(repeating: random.pick(["x", "y"]), count: count - 1)
        for label in [start + "a", start + "b", start + "a"] { recorder.store.evaluate(label) {} }
        let stats = recorder.store.stats
        recorder.expect(stats.map(\.count).sorted() == [1, 2], "two labels are \(stats.count) views")
        let keys = stats.map(\.key.rawValue)
        let areWhole = keys.allSatisfy { $0.hasPrefix(start) }
        recorder.expect(
            areWhole == (count <= 1_024) && keys.allSatisfy { $0.utf8.count <= 1_024 }, "labels of \(count) bytes")
    }

    /// The same of causes and their writers, which have 256.
    static func texts(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let start = String(repeating: random.pick(["x", "y"]), count: count - 1)
        recorder.store.evaluate("View") {}
        for text in [start + "a", start + "b"] {
            recorder.store.invalidate("View", cause: text, writer: text)
            recorder.store.evaluate("View") {}
        }
        let rows = (recorder.stats()?.reasons ?? []).filter { $0.reason != Reason.initial }
        recorder.expect(rows.map(\.count) == [1, 1], "two causes are \(rows.count) reasons")
        let texts = rows.flatMap { [$0.reason] + $0.writers.map(\.writer) }
        let areWhole = texts.allSatisfy { $0.hasPrefix(start) }
        recorder.expect(
            texts.count == 4 && areWhole == (count <= 256) && texts.allSatisfy { $0.utf8.count <= 256 },
            "causes and writers of \(count) bytes")
    }

    /// A time that so many percent took at most is theirs, and at most a sixteenth more, however far the durations are apart.
    static func octaves(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        var (histogram, all) = (LatencyHistogram(octaves: 24), [UInt64]())
        // There are 41 octaves in all. The first is below 16 ns.
        for octave in 0..<min(count, 41) {
            let (least, more) = octave == 0 ? (0, 16) : (16 << (octave - 1), 16 << (octave - 1))
            for _ in 0...random.below(4) { all.append(UInt64(least + random.below(more))) }
        }
        for duration in all.shuffled(using: &random) { histogram.record(duration) }
        all.sort()
        let said = histogram.percentiles([50, 95, 99], maximum: all[all.count - 1])
        for (index, percent) in [50, 95, 99].enumerated() {
            let truly = all[(all.count * percent + 99) / 100 - 1]
            recorder.expect(
                said[index] >= truly && said[index] <= truly + truly / 16,
                "\(percent) % took \(truly) ns at most, and \(said[index]) is said")
        }
    }

    /// A recording has each share of a hang, with the view or the handler that it is of, or it has none: the blamed handler has its
    /// own time, and not what is left of a body's.
    static func hangShares(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let store = Hang.Store(number: 3, name: "main")
        var hang = Hang(
            id: 1, pid: 1, process: "app", startedAt: Timestamp(nanosecondsSince1970: 0), turn: 1)
        // One in three has names for which an event has no room.
        let length = random.pick([1, 20, 400])
        for number in 0..<count {
            let name = random.pick(["Row", "Größe\n", "a; 1/2:"]) + String(repeating: "x", count: length) + "\(number)"
            let isHandler = random.chance(40)
            let phases: [HangPhase] = isHandler ? [.handler] : [.body, .layout, .drawing]
            hang.shares.append(
                Hang.Share(
                    view: ViewKey(rawValue: name), handler: isHandler ? "click on \(name)" : nil,
                    phase: random.pick(phases), store: store, nanoseconds: UInt64(1 + random.below(1_000_000))))
        }
        let rest = UInt64(random.below(1_000_000))
        hang.unattributedNanoseconds = rest
        let text = HangShareText.text(of: hang)
        let duration = hang.shares.reduce(rest) { $0 + $1.nanoseconds }
        let told = HangShareText.shares(in: text, of: duration) { $0 == 3 ? store : nil }
        let hasRoom = count <= HangShareText.mostShares && length < 400
        recorder.expect(
            told.map { $0.shares == hang.shares && $0.unattributed == rest } ?? !hasRoom,
            "\(count) shares, and \(told?.shares.count ?? 0) are told")
        recorder.expect(
            HangShareText.shares(in: text, of: duration - 1) { _ in store } == nil, "more than the hang is told")
    }
}
