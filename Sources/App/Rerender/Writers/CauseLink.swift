// SPDX-License-Identifier: MIT
// What led to an evaluation or a handler, back to where writes of the same view began to lead to each other.

import RerenderModel
import Synchronization

/// A step of the way that led to an evaluation: one evaluation or handler whose write led to the next.
///
/// Made only where a body, or a handler that an evaluation led to, writes something. What input, timers and other threads lead to has
/// none. The way ends where a view is reached again, and after ``StoreLimits/cycleSteps`` steps: so what is kept is bounded.
final class CauseLink: Sendable {
    /// An evaluation of an instance, or a handler.
    enum Step: Hashable, Sendable {
        case evaluation(storeID: UInt32, view: UInt32, key: ViewKey, instance: UInt64?)
        /// A layout of an instance, by a toolkit that tells of it.
        case layout(storeID: UInt32, view: UInt32, key: ViewKey, instance: UInt64)
        case handler(EventHandler)

        /// What a reader knows it as.
        var name: String {
            switch self {
            case .evaluation(_, _, let key, _): key.rawValue
            case .layout(_, _, let key, _): "\(key.rawValue): layout"
            case .handler(let handler): handler.text
            }
        }
    }

    let step: Step
    /// Who wrote what led to this step, where that is known.
    let writer: Writer?
    /// The step whose write led to this one; nil at the beginning.
    let previous: CauseLink?
    /// What the step after this one came over; nil where this one led to it at once.
    let passage: Passage?
    /// How often ways led back to this evaluation in a row, of each way, and since when.
    let runs: CycleRuns
    /// How often something came from outside before, where a toolkit tells of that.
    private let outside: UInt64
    private let length: Int

    init(
        _ step: Step, writer: Writer? = nil, after previous: CauseLink?, runs: CycleRuns = CycleRuns(),
        outside: UInt64 = 0
    ) {
        self.step = step
        self.outside = outside
        self.writer = writer
        passage = nil
        let length = (previous?.length ?? 0) + 1
        self.previous = length > StoreLimits.cycleSteps ? nil : previous
        self.length = length > StoreLimits.cycleSteps ? 1 : length
        self.runs = runs
    }

    private init(_ link: CauseLink, over passage: Passage) {
        (step, writer, previous) = (link.step, link.writer, link.previous)
        (runs, outside, length) = (link.runs, link.outside, link.length)
        self.passage = passage
    }

    /// The same step, as one that leads on over what is called later.
    func leading(over passage: Passage) -> CauseLink { CauseLink(self, over: passage) }

    /// The steps from the last one of `step` on to this one; nil if it is not on the way.
    func way(from step: Step) -> [CauseLink]? {
        var way: [CauseLink] = []
        var link: CauseLink? = self
        while let current = link {
            way.append(current)
            if current.step == step { return way.reversed() }
            link = current.previous
        }
        return nil
    }

    /// The link of an evaluation that a write led to, and the cycle that it closes, if it closes one.
    ///
    /// - Parameters:
    ///   - step: The evaluation.
    ///   - writer: Who wrote.
    ///   - previous: The step that wrote.
    ///   - now: Nanoseconds of the clock.
    ///   - outside: How often something came from outside. Where that is more than in the round before, a row begins.
    static func closing(
        _ step: Step, writer: Writer?, after previous: CauseLink, at now: UInt64, outside: UInt64 = 0
    ) -> (link: CauseLink, cycle: ClosedCycle?) {
        guard let way = previous.way(from: step), let first = way.first else {
            return (CauseLink(step, writer: writer, after: previous, outside: outside), nil)
        }
        var runs = first.outside == outside ? first.runs : CycleRuns()
        let run = runs.add(way.map(\.step), at: now)
        let steps =
            [CycleStep(step.name, writer)] + way.dropFirst().map { CycleStep($0.step.name, $0.writer) }
        // What is behind is on the way already.
        return (
            CauseLink(step, writer: writer, after: nil, runs: runs, outside: outside),
            ClosedCycle(steps: steps, run: run, passage: way.lazy.compactMap(\.passage).first)
        )
    }
}

/// What lies between a step and the next one, where it is known which step led there.
enum Passage: String, Sendable {
    case idleFunction = "an idle function"
    /// A block that was put on a queue of libdispatch.
    case queue = "a queue"
    /// A job of a task of Swift's: what runs of it until it waits.
    case task = "a Task"
}

/// What led to the code that the main loop calls now, where a toolkit's part follows that.
enum SourceSteps {
    /// Returns the link, or null; it is kept until the code returns.
    typealias Running = @convention(c) () -> UnsafeMutableRawPointer?

    /// A function of that type as a number; 0 for none. It stays for as long as the process runs.
    private static let running = Atomic<UInt>(0)

    static func follow(_ function: @escaping Running) {
        unsafe running.store(unsafeBitCast(function, to: UInt.self), ordering: .releasing)
    }

    /// Proof: the number is that of a function, which returns what `InjectedStep` gave away and is kept.
    static var link: CauseLink? {
        let number = running.load(ordering: .acquiring)
        if number == 0 { return nil }
        return unsafe unsafeBitCast(number, to: Running.self)().map {
            unsafe Unmanaged<CauseLink>.fromOpaque($0).takeUnretainedValue()
        }
    }
}

/// Rounds of a way that led back to where it began, one after the other.
struct CycleRun: Sendable {
    let rounds: UInt64
    /// When the first and the last ended, in nanoseconds of the clock.
    let beganAt, endedAt: UInt64

    /// The clock may be read a few nanoseconds early.
    var nanoseconds: UInt64 { endedAt > beganAt ? endedAt - beganAt : 0 }
}

/// The rounds in a row of each way that leads back to one evaluation: it may take another one each time.
struct CycleRuns: Sendable {
    private var ways: [(steps: [CauseLink.Step], run: CycleRun)] = []

    /// Adds a round of a way. One for which there is no room has one round each time.
    mutating func add(_ steps: [CauseLink.Step], at now: UInt64) -> CycleRun {
        if let place = ways.firstIndex(where: { $0.steps == steps }) {
            let before = ways[place].run
            ways[place].run = CycleRun(rounds: before.rounds + 1, beganAt: before.beganAt, endedAt: now)
            return ways[place].run
        }
        let run = CycleRun(rounds: 1, beganAt: now, endedAt: now)
        if ways.count < StoreLimits.cycles { ways.append((steps, run)) }
        return run
    }
}

/// A step of a cycle as it is kept: its name, and who wrote what led to it.
struct CycleStep: Sendable {
    let name: String
    let writer: Writer?

    init(_ name: String, _ writer: Writer?) { (self.name, self.writer) = (name, writer) }
}

/// A way that has led back to where it began.
struct ClosedCycle {
    /// From the view on that was reached again.
    let steps: [CycleStep]
    let run: CycleRun
    /// What lies between two of them; nil where each leads to the next at once.
    var passage: Passage?

    /// The same cycle, beginning so that its names are the first by order: what began it is by chance.
    var canonical: [CycleStep] {
        let turned = steps.indices.map { Array(steps[$0...] + steps[..<$0]) }
        return turned.min { $0.map(\.name).lexicographicallyPrecedes($1.map(\.name)) } ?? steps
    }
}

/// The cycles of a store. Plain values; a lock guards them.
struct CycleList: Sendable {
    /// What is known of one cycle.
    struct Entry: Sendable {
        let steps: [CycleStep]
        /// What lies between two steps; nil where each leads to the next at once.
        var passage: Passage?
        var rounds: UInt64
        /// The rounds in a row of which the last was one.
        var run: CycleRun
    }

    private var epoch: UInt32 = 0
    private(set) var entries: [Entry] = []
    private var places: [[String]: Int] = [:]

    /// Notes a round; true if that changes what a reader sees.
    ///
    /// A way that leads back a few times and then stops is no cycle: a layout may need that to settle. It is one from
    /// ``StoreLimits/cycleRounds`` rounds in a row on.
    mutating func note(_ cycle: ClosedCycle, epoch: UInt32) -> Bool {
        guard cycle.run.rounds >= StoreLimits.cycleRounds else { return false }
        enter(epoch: epoch)
        let canonical = cycle.canonical
        let steps = hasRoom(for: canonical) ? canonical : []
        let names = steps.map(\.name)
        // Those before were too few to be told of. A reset may be among the rounds of a row.
        let rounds = cycle.run.rounds == StoreLimits.cycleRounds ? StoreLimits.cycleRounds : 1
        let place = places[names, default: entries.count]
        if place == entries.count {
            places[names] = place
            entries.append(Entry(steps: steps, passage: steps.isEmpty ? nil : cycle.passage, rounds: 0, run: cycle.run))
        }
        entries[place].rounds += rounds
        entries[place].run = cycle.run
        return true
    }

    /// Whether a cycle has an entry or gets one; the last one is that of all others, and has no steps.
    private func hasRoom(for steps: [CycleStep]) -> Bool {
        places[steps.map(\.name)] != nil || places.keys.count { !$0.isEmpty } < StoreLimits.cycles
    }

    /// Clears the list if a new epoch has begun.
    mutating func enter(epoch: UInt32) {
        if epoch != self.epoch { self = CycleList(epoch: epoch) }
    }

    init(epoch: UInt32 = 0) { self.epoch = epoch }
}
