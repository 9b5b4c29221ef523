// SPDX-License-Identifier: MIT
// Programs with large inputs, with inputs whose value is elsewhere, and with times that are known.

import Rerender
import RerenderModel
import Synchronization

private enum Dial {
    static let position = Atomic(1)
}

/// Its value is not what it keeps, as that of a setting.
@propertyWrapper private struct Turned {
    let key: Int
    var wrappedValue: Int { Dial.position.load(ordering: .relaxed) + key }
}
@propertyWrapper private struct TurnedBy<Value: Sendable> {
    let key: Int
    private let make: @Sendable (Int) -> Value
    init(_ key: Int, _ make: @escaping @Sendable (Int) -> Value) { (self.key, self.make) = (key, make) }
    var wrappedValue: Value { make(Dial.position.load(ordering: .relaxed)) }
}
@propertyWrapper private enum TurnedOnce {
    case left, right
    var wrappedValue: Int { Dial.position.load(ordering: .relaxed) + (self == .left ? 0 : 1) }
    init(wrappedValue: Int) { self = wrappedValue == 0 ? .left : .right }
}
private enum Dials {
    @propertyWrapper struct TurnedInside {
        let key: Int
        var wrappedValue: Int { Dial.position.load(ordering: .relaxed) * key }
    }
}

private struct TurnedPanel {
    var title: Int
    @Turned(key: 1) var turned: Int
    init(_ title: Int) { self.title = title }
}
private struct TurnedByPanel {
    var title: Int
    @TurnedBy(1, { $0 }) var turned: Int
    init(_ title: Int) { self.title = title }
}
private struct TurnedOncePanel {
    var title: Int
    @TurnedOnce var turned = 0
    init(_ title: Int) { self.title = title }
}
private struct TurnedInsidePanel {
    var title: Int
    @Dials.TurnedInside(key: 2) var turned: Int
    init(_ title: Int) { self.title = title }
}

extension BoundProgram {
    /// A text of more bytes than are kept may not be known, and is never called the same where it is another.
    static func bytes(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let isKept = count <= 4_096
        func text(_ other: Int?) -> String {
            String(decoding: (0..<count).map { $0 == other ? UInt8(ascii: "b") : UInt8(ascii: "a") }, as: UTF8.self)
        }
        let (first, equal, other) = (text(nil), text(nil), text(random.below(count)))
        recorder.evaluate(One(value: first), is: .initial)
        recorder.evaluate(One(value: equal), is: isKept ? .same : .equalInAWay)
        recorder.evaluate(One(value: other), is: isKept ? .changed("value") : Truth.open.behind("value"))
        withExtendedLifetime((first, equal, other)) {}
    }

    /// The same of an array that is written in place: its length and its storage stay.
    static func elements(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let isKept = count <= 512
        var view = One(value: Array(0..<count))
        recorder.evaluate(view, is: .initial)
        for _ in 0..<3 {
            view.value[random.below(count)] -= count
            recorder.evaluate(view, is: isKept ? .changed("value") : Truth.open.behind("value"))
        }
        recorder.evaluate(view, is: isKept ? .same : .equalInAWay)
    }

    /// An equal set that enumerates in another order may be another input: the body shows the order.
    static func members(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let numbers = (0..<count).map { $0 * 3 + random.below(3) }
        let first = Set(numbers)
        var other = Set<Int>(minimumCapacity: random.pick([count, 4 * count]))
        for number in numbers.shuffled(using: &random) { other.insert(number) }
        var changed = other
        changed.remove(numbers[random.below(count)])
        changed.insert(-1)
        func evaluate(_ value: Set<Int>, _ truth: Truth) {
            recorder.evaluate("View", One(value: value), isDescribed: false, is: truth) { Array($0.value) }
        }
        evaluate(first, .initial)
        evaluate(other, Array(first) == Array(other) ? .equalInAWay : .open)
        evaluate(changed, count <= 256 ? .changed("value") : Truth.open.behind("value"))
        withExtendedLifetime((first, other, changed)) {}
    }

    /// Nothing may be inferred of a wrapper whose getter is code of its own, in any build.
    static func wrappers(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        switch random.below(4) {
        case 0: panels(recorder, count, &random) { TurnedPanel($0) }
        case 1: panels(recorder, count, &random) { TurnedByPanel($0) }
        case 2: panels(recorder, count, &random) { TurnedOncePanel($0) }
        default: panels(recorder, count, &random) { TurnedInsidePanel($0) }
        }
    }

    private static func panels<View>(
        _ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator, _ make: (Int) -> View
    ) {
        var title = 0
        recorder.evaluate(make(title), isDescribed: false, is: .initial)
        for _ in 0..<count {
            if random.chance(50) { Dial.position.add(1, ordering: .relaxed) }
            let isOther = random.chance(40)
            if isOther { title += 1 }
            recorder.evaluate(make(title), isDescribed: false, is: isOther ? .changed("title") : .open)
        }
    }

    /// A time that so many percent took at most is no shorter than what all of them took at least.
    static func times(_ recorder: Recorder, _ count: Int, _ random: inout SeededGenerator) {
        let clock = ContinuousClock(), microseconds = 20 + random.below(40)
        let length = Duration.microseconds(microseconds)
        for _ in 0..<count {
            recorder.store.evaluate("View") {
                let began = clock.now
                while began.duration(to: clock.now) < length {}
            }
        }
        guard let body = recorder.stats()?.body else { return recorder.expect(false, "no statistics") }
        // Two clocks may differ by a hundredth.
        let least = UInt64(microseconds) * 990
        recorder.expect(
            body.p50Nanoseconds >= least && body.p95Nanoseconds >= body.p50Nanoseconds
                && body.p99Nanoseconds >= body.p95Nanoseconds && body.maxNanoseconds >= body.p99Nanoseconds,
            "bodies of \(microseconds) µs and more: \(body)")
    }
}
