// SPDX-License-Identifier: MIT
// Writes that lead to each other, in programs that say themselves which cycle they have.

import CRerender
import Observation
import RerenderModel
import TestSupport
import Testing

@testable import Rerender

/// A framework of a few lines: bodies that are evaluated in the order in which they were written for.
private final class Program {
    let store = RerenderStore(name: "cycles")
    /// What a view's body does, and what reacts to it.
    struct Part {
        var body: (UInt64?) -> Void = { _ in }
        var reaction: ((UInt64?) -> Void)?
    }
    var parts: [String: Part] = [:]
    private var waiting: [(view: String, instance: UInt64?)] = []
    private(set) var evaluations = 0

    /// Writes something that a view reads.
    func write(_ view: String, _ instance: UInt64? = nil) {
        store.invalidate(view, instance: instance.map { InstanceID(rawValue: $0) }, cause: "value")
        wait(view, instance)
    }

    /// Has a view evaluated whose cause is told elsewhere.
    func wait(_ view: String, _ instance: UInt64? = nil) {
        if !waiting.contains(where: { $0 == (view, instance) }) { waiting.append((view, instance)) }
    }

    func evaluate(_ view: String, _ instance: UInt64? = nil, parent: ViewKey? = nil) {
        evaluations += 1
        let (part, number) = (parts[view], instance.map { InstanceID(rawValue: $0) })
        store.evaluate(view, instance: number, parent: parent) { part?.body(instance) }
        if let reaction = part?.reaction {
            store.reacting("onChange", of: view, instance: number) { reaction(instance) }
        }
    }

    /// Evaluates what waits, and what that leads to, at most so many times.
    func run(_ most: Int = 200) {
        while !waiting.isEmpty, evaluations < most {
            let (view, instance) = waiting.removeFirst()
            evaluate(view, instance)
        }
        evaluations = 0
    }

    var cycles: [Cycle] { store.core.cycles(WallClock()) }
    var paths: [[String]] { cycles.map { $0.steps.map(\.name) } }
}

/// What bodies have put on a queue, and the steps that led there.
private final class Queue {
    private final class Work {
        let run: () -> Void

        init(_ run: @escaping () -> Void) { self.run = run }
    }

    private var waiting: [(step: UInt, work: Work)] = []

    /// Puts something there, as the code in C does for a block or a job.
    func put(over passage: Int, _ run: @escaping () -> Void) {
        waiting.append((StoreCore.leadingStep(over: CInt(passage)), Work(run)))
    }

    /// Runs what came first.
    func runNext() {
        let (step, work) = waiting.removeFirst()
        let kept = UnsafeMutableRawPointer(bitPattern: step)
        let context = Unmanaged.passRetained(work)
        crerender_run_led(
            kept, { Unmanaged<Work>.fromOpaque($0).takeUnretainedValue().run() }, context.toOpaque())
        context.release()
        if let kept { Unmanaged<CauseLink>.fromOpaque(kept).release() }
    }

    /// Runs all that is there, and nothing that this puts there.
    func runAll() { for _ in waiting.indices { runNext() } }
}

@Suite("Cycles")
struct CycleTests {
    private let program = Program()

    /// Runs from a write outside of everything.
    private func run(_ parts: [String: Program.Part], from view: String = "A", _ instance: UInt64? = nil) {
        program.parts = parts
        for view in parts.keys.sorted() where instance == nil { program.evaluate(view) }
        program.write(view, instance)
        program.run()
    }

    private func writing(_ view: String) -> Program.Part { .init(body: { [program] _ in program.write(view) }) }
    private func reacting(_ view: String) -> Program.Part { .init(reaction: { [program] _ in program.write(view) }) }

    // MARK: Those that are

    @Test(
        "over an idle function, a queue or a task, which is said of the row that it is in",
        arguments: [Passage.idleFunction, .queue, .task])
    func over(passage: Passage) throws {
        let step = CauseLink.Step.layout(storeID: 1, view: 0, key: "A", instance: 1)
        var (link, list) = (CauseLink(step, after: nil), CycleList())
        for round in 1...StoreLimits.cycleRounds {
            let queued = link.leading(over: passage)
            let closed = CauseLink.closing(step, writer: nil, after: queued, at: round)
            let cycle = try #require(closed.cycle)
            #expect(cycle.run.rounds == round)
            _ = list.note(cycle, epoch: 0)
            link = closed.link
        }
        #expect(list.entries.map { $0.passage } == [passage])
    }

    @Test(
        "over what a body puts on a queue, and over a task",
        arguments: [(CRERENDER_OVER_QUEUE, "a queue"), (CRERENDER_OVER_TASK, "a Task")])
    func queued(passage: Int, over: String) throws {
        let queue = Queue()
        program.parts["A"] = .init(body: { [program] _ in queue.put(over: passage) { program.write("A") } })
        program.evaluate("A")
        for _ in 0..<50 {
            queue.runAll()
            program.run()
        }
        queue.runAll()
        let cycle = try #require(program.cycles.first)
        #expect(program.paths == [["A"]] && cycle.over == over && cycle.rounds == 50, "\(cycle)")
    }

    @Test("over a queue that leads to another one, of a body and of a handler that an evaluation led to")
    func twiceQueued() {
        let queue = Queue()
        program.parts["A"] = .init(reaction: { [program] _ in
            queue.put(over: CRERENDER_OVER_TASK) {
                queue.put(over: CRERENDER_OVER_QUEUE) { program.write("A") }
            }
        })
        program.evaluate("A")
        for _ in 0..<50 {
            queue.runAll()
            queue.runAll()
            program.run()
        }
        queue.runAll()
        queue.runAll()
        #expect(program.paths == [["A", "A: onChange"]] && program.cycles.map(\.over) == ["a queue"])
    }

    @Test("at once, which nothing lies between")
    func atOnce() {
        run(["A": writing("B"), "B": writing("A")])
        #expect(program.cycles.map { $0.over } == [nil])
    }

    @Test("of two bodies that write for each other")
    func bodies() throws {
        run(["A": writing("B"), "B": writing("A")])
        #expect(program.paths == [["A", "B"]])
        let cycle = try #require(program.cycles.first)
        // 200 evaluations, of which the first of each view came before; a round ends where A is evaluated again.
        #expect(cycle.rounds == 98 && cycle.latestRounds == 98, "\(cycle)")
        #expect(cycle.steps.allSatisfy { $0.writer?.contains("CycleTests.swift") == true }, "\(cycle.steps)")
    }

    @Test("of three bodies, wherever it began, which makes no other cycle")
    func three() {
        let parts = ["A": writing("B"), "B": writing("C"), "C": writing("A")]
        for begin in ["B", "C", "A"] { run(parts, from: begin) }
        #expect(program.paths == [["A", "B", "C"]])
    }

    @Test("of two ways that take turns, each with its own rounds")
    func alternating() {
        var isOfB = false
        let begins = Program.Part(body: { [program] _ in
            isOfB.toggle()
            program.write(isOfB ? "B" : "C")
        })
        run(["A": begins, "B": writing("A"), "C": writing("A")])
        #expect(program.paths.sorted { $0.joined() < $1.joined() } == [["A", "B"], ["A", "C"]])
        let rounds = program.cycles.map(\.rounds)
        #expect(program.cycles.map(\.latestRounds) == rounds)
        #expect(rounds.reduce(0, +) <= 100 && rounds.allSatisfy { $0 >= 45 }, "\(rounds)")
    }

    @Test("of a view and its own reaction")
    func ownReaction() {
        run(["A": reacting("A")])
        #expect(program.paths == [["A", "A: onChange"]])
    }

    @Test("of two views that react to each other")
    func reactions() {
        run(["A": reacting("B"), "B": reacting("A")])
        #expect(program.paths == [["A", "A: onChange", "B", "B: onChange"]])
    }

    @Test("of a view and the reaction of one in its body")
    func child() {
        program.parts["C"] = reacting("P")
        run(["P": .init(body: { [program] _ in program.evaluate("C") }), "C": reacting("P")], from: "P")
        #expect(program.paths == [["C", "C: onChange", "P"]])
    }

    @Test("of a view and the reaction of a child that is evaluated after it")
    func announcedChild() {
        let parent = Program.Part(body: { [program] _ in program.wait("C") })
        program.parts = ["P": parent, "C": reacting("P")]
        program.evaluate("P")
        program.run(1)
        for _ in 0..<50 {
            program.write("P")
            break
        }
        // Its host evaluates C for P's sake.
        for _ in 0..<50 {
            program.evaluate("P")
            program.evaluate("C", parent: "P")
        }
        #expect(program.paths == [["C", "C: onChange", "P"]])
    }

    @Test("of instances of one view")
    func instances() {
        let part = Program.Part(body: { [program] in program.write("Row", $0 == 1 ? 2 : 1) })
        program.parts["Row"] = part
        for instance in 1...2 { program.evaluate("Row", UInt64(instance)) }
        run(["Row": part], from: "Row", 1)
        #expect(program.paths == [["Row", "Row"]])
    }

    @Test("of a handler in a body")
    func handler() {
        let part = Program.Part(body: { [program] _ in
            program.store.handling("onResize", of: "A") { program.write("B") }
        })
        run(["A": part, "B": writing("A")])
        #expect(program.paths == [["A", "A: onResize", "B"]])
    }

    @Test("of a reaction that a handler runs in")
    func nestedHandler() {
        let part = Program.Part(reaction: { [program] _ in
            program.store.handling("save", of: "B") { program.write("A") }
        })
        run(["A": part])
        #expect(program.paths == [["A", "A: onChange", "B: save"]])
    }

    @Observable
    final class Sizes {
        var width = 0
        var height = 0
    }

    @Test("of bodies that write what the other one reads")
    func observed() {
        let sizes = Sizes()
        let a = Program.Part(body: { [program] _ in
            if sizes.width < 1000 { sizes.height += 1 }
            program.wait("B")
        })
        let b = Program.Part(body: { [program] _ in
            if sizes.height < 1000 { sizes.width += 1 }
            program.wait("A")
        })
        run(["A": a, "B": b])
        #expect(program.paths == [["A", "B"]])
    }

    @Test("of writes that are announced after them, by the code that wrote")
    func announcedLater() {
        var writers: [CauseWriter] = []
        let part = Program.Part(body: { [program] _ in
            if let writer = program.store.causeWriter() { writers.append(writer) }
            program.wait("A")
        })
        program.parts = ["A": part]
        program.evaluate("A")
        for _ in 0..<20 {
            program.store.invalidate("A", cause: "later", by: writers.removeFirst())
            program.evaluate("A")
        }
        #expect(program.paths == [["A"]])
    }

    @Test("beside a longer one of the same views")
    func two() {
        var number = 0
        let part = Program.Part(body: { [program] _ in
            number += 1
            program.write(number < 40 ? "B" : "C")
        })
        run(["A": part, "B": writing("A"), "C": writing("A")])
        #expect(program.paths == [["A", "B"], ["A", "C"]])
    }

    @Test("of layouts, as a toolkit tells of them; what comes from outside begins its row anew")
    func layouts() throws {
        let step = CauseLink.Step.layout(storeID: program.store.core.id, view: 0, key: "Pane", instance: 1)
        var (link, list) = (CauseLink(step, after: nil), CycleList())
        func goRound(_ rounds: UInt64, outside: UInt64) {
            for round in 0..<rounds {
                let (next, cycle) = CauseLink.closing(step, writer: nil, after: link, at: round, outside: outside)
                link = next
                if let cycle { _ = list.note(cycle, epoch: 0) }
            }
        }
        for outside in 0..<5 as Range<UInt64> { goRound(9, outside: outside) }
        let isNone = list.entries.isEmpty
        #expect(isNone)
        goRound(20, outside: 5)
        #expect(list.entries.map(\.run.rounds) == [20] && list.entries[0].steps.map(\.name) == ["Pane: layout"])
    }

    // MARK: Those that are none

    @Test("are none where a queue runs what input, a timer or another thread has put there")
    func queuedFromOutside() {
        let queue = Queue()
        program.parts["A"] = .init(body: { _ in })
        program.evaluate("A")
        for _ in 0..<50 {
            program.store.handling("click", of: "A") { [program] in
                queue.put(over: CRERENDER_OVER_QUEUE) { program.write("A") }
            }
            queue.put(over: CRERENDER_OVER_TASK) { [program] in program.write("A") }
            queue.runAll()
            program.run()
        }
        #expect(StoreCore.leadingStep(over: 0) == 0)
        #expect(program.paths.isEmpty)
    }

    @Test("are none where a block runs a loop of its own, in whose turns something is written")
    func queuedLoop() {
        let queue = Queue()
        program.parts["A"] = .init(body: { [program] _ in
            queue.put(over: CRERENDER_OVER_QUEUE) {
                crerender_end_queue_step()
                program.write("A")
            }
        })
        program.evaluate("A")
        for _ in 0..<50 {
            queue.runAll()
            program.run()
        }
        queue.runAll()
        #expect(program.paths.isEmpty)
    }

    @Test("are none where one evaluation leads to a task that never ends")
    func endlessTask() {
        let queue = Queue()
        var isFirst = true
        func goOn() {
            program.write("A")
            queue.put(over: CRERENDER_OVER_TASK) { goOn() }
        }
        program.parts["A"] = .init(body: { _ in
            if isFirst { queue.put(over: CRERENDER_OVER_TASK) { goOn() } }
            isFirst = false
        })
        program.evaluate("A")
        for _ in 0..<50 {
            queue.runAll()
            program.run()
        }
        #expect(program.paths.isEmpty)
    }

    @Test("are none where a row of instances write on to the next one")
    func cascade() {
        program.parts["Row"] = .init(body: { [program] instance in
            if let instance, instance < 50 { program.write("Row", instance + 1) }
        })
        for instance in 1...50 { program.evaluate("Row", UInt64(instance)) }
        program.run()
        for _ in 0..<20 {
            program.write("Row", 1)
            program.run()
        }
        #expect(program.paths.isEmpty)
    }

    @Test("are none where a layout settles in nine rounds, however often")
    func settling() {
        var rounds = 0
        program.parts["A"] = .init(reaction: { [program] _ in
            rounds += 1
            if rounds % 10 != 0 { program.write("A") }
        })
        for _ in 0..<20 {
            program.write("A")
            program.wait("A")
            program.run()
        }
        #expect(rounds == 200 && program.paths.isEmpty)
    }

    @Test("are none where each round is an input's, a timer's or another thread's")
    func fromOutside() async {
        program.parts["A"] = .init(body: { _ in })
        program.evaluate("A")
        for _ in 0..<50 {
            program.store.handling("click", of: "A") { program.write("A") }
            program.run()
        }
        let store = program.store
        for _ in 0..<50 {
            await Task.detached { store.invalidate("A", cause: "loaded") }.value
            program.evaluate("A")
        }
        #expect(program.paths.isEmpty)
    }

    @Test("have no step of a body of which nobody knows the instance, where nothing explains its evaluation, too")
    func unknownInstance() {
        let tree = InjectedView("Tree", in: program.store, file: "", line: 0)
        var areSteps: [Bool] = []
        for _ in 0..<4 {
            tree.evaluate { areSteps.append(StoreCore.currentLink() != nil) }
            program.store.evaluate("Row", instance: 1) { areSteps.append(StoreCore.currentLink() != nil) }
        }
        #expect(areSteps == [false, true, false, true, false, true, false, true])
    }

    @Test("are none where a tick would have led to the same evaluation")
    func beside() {
        program.parts["A"] = .init(reaction: { [program] _ in program.store.invalidate("A", cause: "smoothed") })
        program.evaluate("A")
        for _ in 0..<100 {
            program.store.invalidate("A", cause: "tick")
            program.evaluate("A")
        }
        #expect(program.paths.isEmpty)
    }

    @Test("are none where a parent that ticks would have led to the same evaluation")
    func besideParent() {
        program.parts["C"] = .init(reaction: { [program] _ in program.store.invalidate("C", cause: "smoothed") })
        program.parts["P"] = .init(body: { [program] _ in program.evaluate("C") })
        for _ in 0..<100 {
            program.store.invalidate("P", cause: "tick")
            program.evaluate("P")
        }
        #expect(program.paths.isEmpty)
    }

    // MARK: Bounds

    @Test("are forgotten with the epoch, and are found again")
    func reset() {
        run(["A": reacting("A")])
        program.store.reset()
        #expect(program.paths.isEmpty)
        program.run()
        #expect(program.paths == [["A", "A: onChange"]])
    }

    @Test("of more than sixteen steps are not found, and keep no memory", arguments: around(StoreLimits.cycleSteps))
    func long(count: Int) {
        let names = (0..<count).map { "V\($0)" }
        var parts: [String: Program.Part] = [:]
        for (index, name) in names.enumerated() { parts[name] = writing(names[(index + 1) % count]) }
        run(parts, from: "V0")
        // More ways than one are under way: each goes round as often as it takes.
        program.run(60 * count)
        #expect(program.paths.map { Set($0) } == (count <= StoreLimits.cycleSteps ? [Set(names)] : []))
    }

    @Test("are told from so many rounds in a row on", arguments: around(Int(StoreLimits.cycleRounds)))
    func rounds(count: Int) throws {
        let step = CauseLink.Step.layout(storeID: 1, view: 0, key: "A", instance: 1)
        var (link, list) = (CauseLink(step, after: nil), CycleList())
        for round in 1...UInt64(count) {
            let closed = CauseLink.closing(step, writer: nil, after: link, at: round)
            _ = list.note(try #require(closed.cycle), epoch: 0)
            link = closed.link
        }
        #expect(list.entries.map(\.rounds) == (count < Int(StoreLimits.cycleRounds) ? [] : [UInt64(count)]))
    }

    @Test("of a store are told apart up to a limit", arguments: around(StoreLimits.cycles))
    func limit(count: Int) {
        for number in 0..<count {
            program.parts["V\(number)"] = writing("V\(number)")
            program.evaluate("V\(number)")
            program.run(20)
            program.parts["V\(number)"] = Program.Part()
            program.run()
        }
        let kept = min(count, StoreLimits.cycles)
        let known = (0..<kept).map { ["V\($0)"] }
        #expect(program.paths == known + (count > kept ? [[]] : []))
        // Of each of the others, as many as of those that are known.
        let others = UInt64(max(1, count - kept))
        #expect(program.cycles.last?.rounds == others * (program.cycles.first?.rounds ?? 0))
    }
}
