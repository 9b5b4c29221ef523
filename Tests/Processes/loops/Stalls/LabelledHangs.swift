// SPDX-License-Identifier: MIT
// Hangs of many kinds, one after the other, each told with the truth of it.

import Foundation
import Rerender
import Synchronization

/// The hangs by name; each holds up the loop for longer than a threshold of 100 ms, times `scale`.
struct LabelledHangs: Sendable {
    let loop: any MainLoop
    let store: RerenderStore
    let scale: Double

    private static let other = {
        let other = RerenderStore(name: "other")
        other.hangThreshold = .milliseconds(100)
        return other
    }()

    static let kinds = [
        "body", "sleep in body", "nested", "unwound", "long, short, long", "short, long", "mostly outside", "outside",
        "asleep outside", "around", "instances", "crowd", "hog after many", "hog among many", "recursion", "deep",
        "unlabelled", "other thread", "other thread and body", "starved", "starved outside", "reset", "off", "throwing",
        "tiny", "a third", "equal", "sixth", "quarter", "read", "timer", "odd key", "empty key", "long key",
    ]

    /// Does some of them, the ones after the last of ``kinds`` by chance, and says so.
    func run(from first: Int, to last: Int) {
        guard first < last else { return say("labelled all") }
        let kind = first < Self.kinds.count ? Self.kinds[first] : "random \(first)"
        let next: @Sendable () -> Void = {
            // From another thread: work that the loop gives itself may come in the same turn.
            DispatchQueue.global().async { loop.post { run(from: first + 1, to: last) } }
        }
        if kind == "timer" { loop.postByTimer { hang(kind, then: next) } } else { hang(kind, then: next) }
    }

    private func hang(_ kind: String, then next: @escaping @Sendable () -> Void) {
        let (log, waited, start) = (BodyLog(store), nanosecondsWaited(), monotonic())
        let threads = help(kind)
        work(kind, log)
        threads.end()
        let (end, waitedNow) = (monotonic(), nanosecondsWaited())
        TurnMarks.shared.tellAtEnd { begunAt, endedAt, isExact in
            let truth = HangTruth(
                kind: kind, isExact: isExact, begin: [begunAt, start], end: [end, endedAt], waited: waitedNow - waited,
                keys: log.keys,
                bodies: log.bodies)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            say("truth " + String(decoding: (try? encoder.encode(truth)) ?? Data(), as: UTF8.self))
            next()
        }
        loop.endTurnSoon()
    }

    // MARK: Threads beside it

    private final class Helpers: Sendable {
        private let isOver = Atomic<Bool>(false)

        func start(_ count: Int, _ work: @escaping @Sendable () -> Void) {
            for _ in 0..<count {
                Thread.detachNewThread { [self] in while !isOver.load(ordering: .relaxed) { work() } }
            }
        }

        func end() { isOver.store(true, ordering: .relaxed) }
    }

    private func help(_ kind: String) -> Helpers {
        let helpers = Helpers()
        if kind.hasPrefix("starved") { helpers.start(12) {} }
        if kind.hasPrefix("other thread") {
            let store = store
            helpers.start(1) { store.evaluate("Background") { _ = usleep(10_000) } }
        }
        return helpers
    }

    // MARK: Work

    private func spin(_ milliseconds: Double) {
        let end = monotonic() + UInt64(milliseconds * scale * 1_000_000)
        while monotonic() < end {}
    }

    private func sleep(_ milliseconds: Double) { Thread.sleep(forTimeInterval: milliseconds * scale / 1_000) }

    private func waitForPipe(_ milliseconds: Double) {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let (readEnd, writeEnd, seconds) = (ends[0], ends[1], milliseconds * scale / 1_000)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: seconds)
            write(writeEnd, "x", 1)
            close(writeEnd)
        }
        var byte: UInt8 = 0
        read(readEnd, &byte, 1)
        close(readEnd)
    }

    private func work(_ kind: String, _ log: BodyLog) {
        switch kind {
        case "body", "timer", "starved": log.body("Slow") { spin(160) }
        case "sleep in body": log.body("Sleeper") { sleep(160) }
        case "read": log.body("Reader") { waitForPipe(160) }
        case "outside", "starved outside", "other thread": spin(160)
        case "asleep outside": sleep(160)
        case "nested", "unwound", "recursion", "deep": nest(kind, log)
        case "instances", "crowd", "hog after many", "hog among many", "tiny": repeatBodies(kind, log)
        case "reset", "off", "throwing", "unlabelled", "odd key", "empty key", "long key": special(kind, log)
        case "long, short, long": parts([("Long", 80), ("Short", 40), ("Long", 100)], log)
        case "short, long": parts([("Short", 104), ("Long", 200)], log)
        case "mostly outside": parts([("", 90), ("Short", 20), ("", 120)], log)
        case "around": parts([("Around", 60), ("", 60), ("Around", 60)], log)
        case "other thread and body": parts([("", 60), ("Slow", 110)], log)
        case "a third": parts([("First", 60), ("Second", 50), ("Third", 40), ("", 30)], log)
        case "equal": parts([("First", 90), ("Second", 90)], log)
        case "sixth": parts([("Short", 30), ("", 150)], log)
        case "quarter": parts([("Short", 60), ("", 120)], log)
        default: random(kind, log)
        }
    }

    /// Bodies one after the other; without a key outside of bodies.
    private func parts(_ parts: [(key: String, milliseconds: Double)], _ log: BodyLog) {
        for part in parts {
            if part.key.isEmpty { spin(part.milliseconds) } else { log.body(part.key) { spin(part.milliseconds) } }
        }
    }

    private func nest(_ kind: String, _ log: BodyLog) {
        switch kind {
        case "nested":
            log.body("Parent") {
                spin(10)
                log.body("Child") { spin(140) }
                spin(10)
            }
        case "unwound":
            log.body("Parent") {
                log.body("Child") { spin(30) }
                spin(120)
            }
        case "recursion": descend(20, log) { _ in "Tree" }
        default: descend(30, log) { "Level \($0)" }
        }
    }

    private func descend(_ levels: Int, _ log: BodyLog, _ key: (Int) -> String) {
        guard levels > 0 else { return }
        log.body(key(levels)) {
            spin(7)
            descend(levels - 1, log, key)
        }
    }

    private func repeatBodies(_ kind: String, _ log: BodyLog) {
        switch kind {
        case "instances": for row in 1...12 { log.body("Row", instance: UInt64(row)) { spin(15) } }
        case "crowd": for row in 0..<120 { log.body("Crowd \(row)") { spin(1.5) } }
        case "tiny":
            for _ in 0..<500 {
                log.body("Tiny") { spin(0.02) }
                spin(0.3)
            }
        case "hog after many":
            for row in 0..<150 { log.body("Crowd \(row)") { spin(0.2) } }
            log.body("Hog") { spin(150) }
        default:
            for round in 0..<5 {
                for row in 0..<30 { log.body("Crowd \(round * 30 + row)") { spin(0.7) } }
                log.body("Hog") { spin(25) }
            }
        }
    }

    private func special(_ kind: String, _ log: BodyLog) {
        switch kind {
        case "reset":
            log.body("Before and after", in: Self.other) { spin(90) }
            Self.other.reset()
            log.body("Before and after", in: Self.other) { spin(90) }
            log.body("Slow") { spin(120) }
        case "off":
            Self.other.isEnabled = false
            Self.other.evaluate("Not counted") { spin(110) }
            Self.other.isEnabled = true
            log.body("Slow") { spin(60) }
        case "throwing": log.throwing("Throwing") { spin(160) }
        case "unlabelled": log.unlabelled { spin(160) }
        case "odd key": log.body("Zeile „ä“ 🛒 \"\\\u{7}") { spin(160) }
        case "empty key": log.body("") { spin(160) }
        default: log.body(String(repeating: "Very long ", count: 100)) { spin(160) }
        }
    }

    /// A program by chance, the same for the same name.
    private func random(_ kind: String, _ log: BodyLog) {
        var state = kind.utf8.reduce(UInt64(0x9E37_79B9)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        func chance(_ limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % limit
        }
        let many = [2, 3, 6, 100][Int(chance(4))] as UInt64
        var left = 120 + Double(chance(180))
        func step(_ depth: Int) {
            let length = min(left, [0.5, 5, 20, 60][Int(chance(4))] * Double(1 + chance(4)) / 2)
            left -= length
            let isAsleep = chance(4) == 0
            if depth < 6, chance(3) != 0 {
                log.body("View \(chance(many))", instance: chance(2) == 0 ? chance(50) : nil) {
                    if isAsleep { sleep(length) } else { spin(length) }
                    if left > 0, chance(2) == 0 { step(depth + 1) }
                }
            } else if isAsleep {
                sleep(length)
            } else {
                spin(length)
            }
        }
        while left > 0 { step(0) }
    }
}
