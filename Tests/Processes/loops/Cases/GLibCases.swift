// SPDX-License-Identifier: MIT
// GLib main loops. The truth is a poll function of the program's own: a turn begins each time it returns.

import CoreFoundation
import Dispatch
import Foundation
import Rerender
import Synchronization

enum GLibCases {
    static let glib = GLib()
    private static let polls = Atomic<Int>(0)
    private static let ticks = Atomic<Int>(0)
    nonisolated(unsafe) private static var loop = glib.makeLoop()
    nonisolated(unsafe) private static var inner = loop
    nonisolated(unsafe) private static var foundPoll = glib.pollFunction

    /// Counts below the monitor, which wraps it.
    private static let countingPoll: PollFunction = { descriptors, count, timeout in
        let ready = GLibCases.foundPoll(descriptors, count, timeout)
        GLibCases.polls.wrappingAdd(1, ordering: .relaxed)
        return ready
    }

    /// - Parameter isHooked: Whether the monitor has found GLib before.
    static func run(_ name: String, isHooked: Bool = false) {
        _ = foundPoll
        if !["late-poll", "removed-poll", "cost"].contains(name) { glib.pollFunction = countingPoll }
        if !isHooked { waitUntilHooked(insteadOf: glib.pollFunction) }
        switch name {
        case "plain": tick()
        case "evaluate": evaluate()
        case "cost": return cost()
        case "modal": modal()
        case "again": again()
        case "thread": onAnotherThread()
        case "late-poll": latePoll()
        case "removed-poll": return removedPoll()
        case "pump": pump()
        case "inner-wait": innerWait()
        case "inner-idle": return innerIdle()
        case "bridge": return bridge()
        case "left": return leave()
        case "quitting": return quitAfterBody()
        case "outside": return outside()
        case "iterated": return iterated()
        case "then-runloop": return thenRunLoop()
        case "then-main": return DispatchCases.run(after: tick)
        case "fork": return fork()
        case "idle": return idle()
        case "ticking": return ticking()
        case "busy": return busy()
        default: exit(EX_USAGE)
        }
        Report.print("polls=\(polls.load(ordering: .relaxed))")
    }

    /// Waits until the monitor has put its own in the place of this function. This program has loaded GLib at run time, and for
    /// such libraries the monitor looks on a thread of its own. Ends the process with EX_SOFTWARE where the monitor does not come.
    static func waitUntilHooked(insteadOf function: PollFunction) {
        func address(_ function: PollFunction) -> UInt { unsafeBitCast(function, to: UInt.self) }
        let deadline = ContinuousClock.now + .seconds(60)
        while store.isEnabled, address(glib.pollFunction) == address(function) {
            guard ContinuousClock.now < deadline else {
                say("GLib was not found")
                exit(EX_SOFTWARE)
            }
            usleep(1_000)
        }
    }

    /// Twenty timeouts, and the end.
    private static func tick() {
        ticks.store(0, ordering: .relaxed)
        glib.addTimeout(1) { _ in
            if GLibCases.ticks.wrappingAdd(1, ordering: .relaxed).newValue < 20 { return 1 }
            GLibCases.glib.quit(GLibCases.loop)
            return 0
        }
        glib.run(loop)
    }

    /// Five turns, each with two evaluations of one view.
    private static func evaluate() {
        glib.addTimeout(1) { _ in
            for _ in 0..<2 { store.evaluate("View") {} }
            if GLibCases.ticks.wrappingAdd(1, ordering: .relaxed).newValue < 5 { return 1 }
            GLibCases.glib.quit(GLibCases.loop)
            return 0
        }
        glib.run(loop)
    }

    /// What a turn costs: polls that do not wait, with the monitor and without. For people; no test asserts it.
    private static func cost() {
        let (bare, wrapped) = (foundPoll, glib.pollFunction)
        func nanoseconds(_ poll: PollFunction) -> Double {
            let count = 200_000
            let clock = ContinuousClock()
            let duration = clock.measure { for _ in 0..<count { _ = poll(nil, 0, 0) } }
            return duration / .nanoseconds(count)
        }
        for _ in 0..<5 { say("bare=\(nanoseconds(bare)) monitored=\(nanoseconds(wrapped))") }
    }

    /// A dialog: a loop in a callback, that ends by itself.
    private static func modal() {
        inner = glib.makeLoop()
        glib.addTimeout(5) { _ in
            GLibCases.glib.addTimeout(10) { _ in
                GLibCases.glib.quit(GLibCases.inner)
                return 0
            }
            GLibCases.glib.run(GLibCases.inner)
            return 0
        }
        glib.addTimeout(40) { _ in
            GLibCases.glib.quit(GLibCases.loop)
            return 0
        }
        glib.run(loop)
    }

    private static func again() {
        for _ in 0..<3 {
            loop = glib.makeLoop()
            tick()
        }
    }

    private static func onAnotherThread() {
        tick()
        let isDone = DispatchSemaphore(value: 0)
        Thread {
            loop = glib.makeLoop()
            tick()
            isDone.signal()
        }.start()
        isDone.wait()
    }

    /// The app sets a poll function of its own that calls the one it found, which is the monitor's.
    private static func latePoll() {
        foundPoll = glib.pollFunction
        glib.pollFunction = countingPoll
        let second = RerenderStore(name: "second")
        withExtendedLifetime(second) { tick() }
    }

    /// The app sets a poll function, which is wrapped, takes it away by setting the one that it had found, and sets it once
    /// more; twenty times, so that a wrapper for each time would be too many.
    private static func removedPoll() {
        let original = foundPoll
        foundPoll = glib.pollFunction
        for _ in 0..<20 {
            glib.pollFunction = countingPoll
            look()
            glib.pollFunction = foundPoll
            look()
        }
        glib.pollFunction = foundPoll
        let before = (polls.load(ordering: .relaxed), ProcessRuntime.shared.mainLoop.turns)
        tick()
        let removed = (polls.load(ordering: .relaxed) - before.0, ProcessRuntime.shared.mainLoop.turns - before.1)
        say("removed-polls=\(removed.0) removed-turns=\(removed.1)")
        // One that calls another that was never found, nor wrapped: the monitor is out of it until it looks again.
        foundPoll = original
        glib.pollFunction = countingPoll
        look()
        polls.store(0, ordering: .relaxed)
        let turns = ProcessRuntime.shared.mainLoop.turns
        tick()
        Report.print(
            "polls=\(polls.load(ordering: .relaxed)) again-turns=\(ProcessRuntime.shared.mainLoop.turns - turns)")
    }

    /// The monitor looks at the poll function when a store is made.
    private static func look() { withExtendedLifetime(RerenderStore(name: "look")) {} }

    /// SwiftCrossUI's way of serving the main queue.
    private static func pump() {
        glib.addTimeout(50) { _ in
            _ = RunLoop.main.run(mode: .default, before: .distantPast)
            return 1
        }
        DispatchQueue.main.async {
            GLibCases.pumped.wrappingAdd(1, ordering: .relaxed)
            GLibCases.glib.quit(GLibCases.loop)
        }
        glib.run(loop)
        say("pumped=\(pumped.load(ordering: .relaxed))")
    }
    private static let pumped = Atomic<Int>(0)

    /// A callback that runs another loop, which waits: for a moment, then for long.
    /// A callback that takes long and then runs a loop of the other kind, which has nothing to do.
    private static func innerIdle() {
        glib.addTimeout(5) { _ in
            usleep(100_000)
            RunLoopCases.idle()
            return 0
        }
        glib.run(loop)
    }

    private static func innerWait() {
        glib.addTimeout(5) { _ in
            let first = ProcessRuntime.shared.mainLoop.turn
            RunLoop.main.perform {}
            _ = RunLoop.main.run(mode: .default, before: .distantPast)
            let second = ProcessRuntime.shared.mainLoop.turn
            let timer = Timer(timeInterval: 0.05, repeats: false) { _ in }
            RunLoop.main.add(timer, forMode: .default)
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.2))
            let third = ProcessRuntime.shared.mainLoop.turn
            say("same=\(first == second) new=\(third > second)")
            GLibCases.glib.quit(GLibCases.loop)
            return 0
        }
        glib.run(loop)
    }

    private static let served = Atomic<Int>(0)

    /// The main queue and the main actor, served by the bridge alone.
    private static func bridge() {
        let first = MainQueueBridge.serveFromGLib()
        let second = MainQueueBridge.serveFromGLib()
        for _ in 0..<20 {
            DispatchQueue.global().async {
                DispatchQueue.main.async { GLibCases.serve() }
            }
            Task.detached { await MainActor.run { GLibCases.serve() } }
        }
        glib.run(loop)
        Report.print("serves=\(first),\(second) served=\(served.load(ordering: .relaxed))")
    }

    private static func serve() {
        dispatchPrecondition(condition: .onQueue(.main))
        if served.wrappingAdd(1, ordering: .relaxed).newValue == 40 { glib.quit(loop) }
    }

    /// The loop ends and the program goes on: GLib tells nobody.
    private static func leave() {
        tick()
        Report.answerLater()
        while true { pause() }
    }

    /// A body of half a second ends in a callback that then leaves the loop. Says when the loop was left.
    private static func quitAfterBody() {
        glib.addTimeout(1) { _ in
            store.evaluate("Leaving") { Thread.sleep(forTimeInterval: 0.5) }
            GLibCases.glib.quit(GLibCases.loop)
            return 0
        }
        loop = glib.makeLoop()
        glib.run(loop)
        say("left=\(monotonic())")
        Report.answerLater()
        while true { pause() }
    }

    /// The loop ends, the program works for longer than a hang lasts, and runs the loop again, in which then a callback takes
    /// as long as a hang. Says from when to when each was; the page has the monitor's word.
    private static func outside() {
        tick()
        let left = monotonic()
        // Until it was noticed: on a busy machine that comes late.
        while monotonic() < left + 500_000_000
            || ProcessRuntime.shared.mainLoop.turn != 0 && monotonic() < left + 20_000_000_000
        {
            store.evaluate("Outside") {}
        }
        say("left=\(left) back=\(monotonic())")
        loop = glib.makeLoop()
        tick()
        glib.addTimeout(1) { _ in
            let began = GLibCases.monotonic()
            Thread.sleep(forTimeInterval: 0.3)
            say("began=\(began) ended=\(GLibCases.monotonic())")
            // In a turn of its own: a loop that ends in the callback may be found left before the callback has ended.
            GLibCases.glib.addTimeout(1) { _ in
                GLibCases.glib.quit(GLibCases.loop)
                return 0
            }
            return 0
        }
        loop = glib.makeLoop()
        glib.run(loop)
        loop = glib.makeLoop()
        tick()
        Report.answerLater()
        while true { pause() }
    }

    /// A game: it looks for events and draws in a loop of its own. One frame takes longer than a hang lasts, later one callback.
    private static func iterated() {
        func frames(_ count: Int) {
            for _ in 0..<count {
                glib.iterate()
                store.evaluate("Frame") { _ = usleep(2_000) }
            }
        }
        frames(30)
        let left = monotonic()
        while monotonic() < left + 500_000_000
            || ProcessRuntime.shared.mainLoop.turn != 0 && monotonic() < left + 20_000_000_000
        {
            store.evaluate("Frame") {}
        }
        say("left=\(left) back=\(monotonic())")
        frames(30)
        ticks.store(0, ordering: .relaxed)
        glib.addTimeout(1) { _ in
            let began = GLibCases.monotonic()
            Thread.sleep(forTimeInterval: 0.3)
            say("began=\(began) ended=\(GLibCases.monotonic())")
            GLibCases.ticks.store(1, ordering: .relaxed)
            return 0
        }
        while ticks.load(ordering: .relaxed) == 0 { frames(1) }
        frames(30)
        Report.answerLater()
        while true { pause() }
    }

    private static func monotonic() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// A loop at start-up that is left, and CFRunLoop's for good.
    private static func thenRunLoop() {
        tick()
        say("first=\(ProcessRuntime.shared.mainLoop.kind)")
        RunLoopCases.idle()
    }

    /// A callback that does not return.
    private static func busy() {
        glib.addTimeout(1) { _ in
            Report.answerLater()
            while true { pause() }
        }
        glib.run(loop)
    }

    private static func ticking() {
        Report.answerLater()
        glib.addTimeout(2) { _ in
            let own = unsafeBitCast(GLibCases.countingPoll, to: UInt.self)
            let isOwn = unsafeBitCast(GLibCases.glib.pollFunction, to: UInt.self) == own
            Report.hooks.store(isOwn ? 0 : 1, ordering: .relaxed)
            Report.ticks.add(1, ordering: .relaxed)
            return 1
        }
        glib.run(loop)
    }

    private static func idle() {
        Report.answerLater()
        glib.run(loop)
    }

    /// A child that runs the loop it inherited.
    private static func fork() {
        glib.addTimeout(1) { _ in
            let before = ProcessRuntime.shared.mainLoop.turns
            let child = GLibCases.forkProcess()
            if child == 0 {
                for _ in 0..<10 { GLibCases.glib.iterate() }
                _exit(ProcessRuntime.shared.mainLoop.turns == before ? 0 : 1)
            }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            say("child=\(status)")
            GLibCases.glib.quit(GLibCases.loop)
            return 0
        }
        glib.run(loop)
        Report.print("polls=\(polls.load(ordering: .relaxed))")
    }

    private static let forkProcess: @convention(c) () -> pid_t = {
        // Swift does not show fork(2); the child of these cases calls nothing that it must not.
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork") else { fatalError("no fork") }
        return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    }()
}
