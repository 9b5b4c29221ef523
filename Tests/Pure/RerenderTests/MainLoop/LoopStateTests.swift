// SPDX-License-Identifier: MIT
// Which loop is the main loop, and where its turns are, under a clock of the test's own.

import Testing

@testable import Rerender

@Suite("Main loop's state")
struct LoopStateTests {
    private let millisecond: UInt64 = 1_000_000

    /// Feeds edges and notes what comes of them as words; times are in milliseconds.
    private struct Script {
        var state = LoopState()

        mutating func glib(
            _ edge: LoopState.Edge, at milliseconds: Double, on thread: Int32 = 1
        ) -> [String] {
            take(.glib, edge, milliseconds, thread)
        }

        mutating func cf(_ edge: LoopState.Edge, at milliseconds: Double, on thread: Int32 = 1) -> [String] {
            take(.cfrunloop, edge, milliseconds, thread)
        }

        private mutating func take(
            _ loop: LoopState.Loop, _ edge: LoopState.Edge, _ milliseconds: Double, _ thread: Int32
        ) -> [String] {
            let time = UInt64(milliseconds * 1_000_000)
            let effects = state.handle(LoopState.Event(loop: loop, edge: edge, thread: thread, time: time))
            var words: [String] = []
            if let ended = effects.ended {
                words.append("\(effects.leftBy != nil ? "left" : "ended") \(Double(ended) / 1_000_000)")
            }
            if effects.isNamed { words.append("\(state.monitor) on \(state.thread)") }
            if let began = effects.began { words.append("began \(Double(began) / 1_000_000)") }
            if effects.isPaused { words.append("paused") }
            if effects.isResumed { words.append("resumed") }
            return words
        }
    }

    @Test("a GLib loop is busy from the end of a poll to the beginning of the next")
    func glibTurns() {
        var script = Script()
        #expect(script.glib(.beforeWait, at: 1) == ["glib on 1"])
        #expect(script.glib(.afterWait, at: 5) == ["began 5.0"])
        #expect(script.glib(.beforeWait, at: 7) == ["ended 7.0"])
        #expect(script.glib(.afterWait, at: 9) == ["began 9.0"])
    }

    @Test("a CFRunLoop is busy from when it is entered or wakes up to when it waits or is left")
    func runLoopTurns() {
        var script = Script()
        #expect(script.cf(.entered, at: 1) == ["cfrunloop on 1", "began 1.0"])
        #expect(script.cf(.beforeWait, at: 2) == ["ended 2.0"])
        #expect(script.cf(.afterWait, at: 3) == ["began 3.0"])
        #expect(script.cf(.left, at: 4) == ["ended 4.0"])
        // Outside: whatever the program does now is no turn.
        #expect(script.cf(.entered, at: 900) == ["began 900.0"])
    }

    @Test("a CFRunLoop that was running before it was observed is seen from its next wait on")
    func observedLate() {
        var script = Script()
        #expect(script.cf(.beforeWait, at: 1) == ["cfrunloop on 1"])
        #expect(script.cf(.afterWait, at: 2) == ["began 2.0"])
        #expect(script.cf(.left, at: 3) == ["ended 3.0"])
    }

    @Test("leaving a loop names no monitor")
    func leavingNamesNothing() {
        var script = Script()
        #expect(script.cf(.left, at: 1) == [])
        #expect(script.state.monitor == .none)
    }

    @Test("a modal CFRunLoop in a CFRunLoop ends turns with its waits, and is not the end of the outer one")
    func modalRunLoop() {
        var script = Script()
        _ = script.cf(.entered, at: 1)
        #expect(script.cf(.entered, at: 2) == [])
        #expect(script.cf(.beforeWait, at: 3) == ["ended 3.0"])
        #expect(script.cf(.afterWait, at: 4) == ["began 4.0"])
        #expect(script.cf(.left, at: 5) == [])
        #expect(script.cf(.beforeWait, at: 9) == ["ended 9.0"])
    }

    @Test("a modal GLib loop in a GLib loop ends turns with its polls")
    func modalGLib() {
        var script = Script()
        _ = script.glib(.beforeWait, at: 0)
        _ = script.glib(.afterWait, at: 1)
        #expect(script.glib(.beforeWait, at: 2) == ["ended 2.0"])
        #expect(script.glib(.afterWait, at: 3) == ["began 3.0"])
        // The inner loop is left; the callback of the outer one goes on in the same turn.
        #expect(script.glib(.beforeWait, at: 90) == ["ended 90.0"])
    }

    @Test(
        "an inner loop's short wait is part of the turn; after a long one a new turn begins", arguments: [true, false])
    func innerWait(isGLibOutside: Bool) {
        var script = Script()
        func outer(_ edge: LoopState.Edge, at time: Double) -> [String] {
            isGLibOutside ? script.glib(edge, at: time) : script.cf(edge, at: time)
        }
        func inner(_ edge: LoopState.Edge, at time: Double) -> [String] {
            isGLibOutside ? script.cf(edge, at: time) : script.glib(edge, at: time)
        }
        _ = outer(.beforeWait, at: 0)
        _ = outer(.afterWait, at: 1)
        #expect(inner(.entered, at: 10) == [])
        #expect(inner(.beforeWait, at: 11) == ["paused"])
        #expect(inner(.afterWait, at: 11.5) == ["resumed"])
        #expect(inner(.beforeWait, at: 20) == ["paused"])
        #expect(!script.state.waitsInside(at: 20_999_999) && script.state.waitsInside(at: 21_000_000))
        #expect(inner(.afterWait, at: 21) == ["ended 20.0", "began 21.0"])
        #expect(inner(.left, at: 30) == [])
        #expect(outer(.beforeWait, at: 31) == ["ended 31.0"])
    }

    @Test("the outermost loop wins, though an inner one fired first")
    func outermostWins() {
        var script = Script()
        // The store was made in a callback of GLib, which pumps CFRunLoop before it polls again.
        #expect(script.cf(.entered, at: 1) == ["cfrunloop on 1", "began 1.0"])
        #expect(script.cf(.left, at: 2) == ["ended 2.0"])
        #expect(script.glib(.beforeWait, at: 3) == ["glib on 1"])
        #expect(script.glib(.afterWait, at: 4) == ["began 4.0"])
        #expect(script.cf(.entered, at: 5) == [])
        #expect(script.cf(.left, at: 6) == [])
        #expect(script.state.monitor == .glib)
    }

    @Test("of two loops in two threads the first is the main loop until it is left")
    func twoThreads() {
        var script = Script()
        _ = script.cf(.entered, at: 1)
        #expect(script.glib(.beforeWait, at: 2, on: 2) == [])
        #expect(script.glib(.afterWait, at: 3, on: 2) == [])
        #expect(script.cf(.beforeWait, at: 4) == ["ended 4.0"])
        #expect(script.glib(.beforeWait, at: 5, on: 2) == [])
        #expect(script.cf(.afterWait, at: 6) == ["began 6.0"])
        #expect(script.cf(.left, at: 7) == ["ended 7.0"])
        #expect(script.glib(.afterWait, at: 8, on: 2) == ["glib on 2", "began 8.0"])
        #expect(script.cf(.entered, at: 9) == [])
    }

    @Test("a GLib loop that polls on another thread has moved; of the turn it left nothing is known")
    func movedThread() {
        var script = Script()
        _ = script.glib(.beforeWait, at: 1)
        _ = script.glib(.afterWait, at: 2)
        #expect(script.glib(.beforeWait, at: 900, on: 2) == ["left 2.0", "glib on 2"])
        #expect(script.glib(.afterWait, at: 901, on: 2) == ["began 901.0"])
    }

    @Test("a GLib loop that was seen to be left ends its turn then, when it runs again")
    func leftAndRunAgain() {
        var script = Script()
        _ = script.glib(.beforeWait, at: 1)
        _ = script.glib(.afterWait, at: 2)
        #expect(script.state.mayBeGone)
        let seen = script.state.glibWasLeft(at: 100 * millisecond, by: 110 * millisecond)
        #expect(seen && !script.state.mayBeGone)
        #expect(script.glib(.beforeWait, at: 900) == ["left 100.0"])
        #expect(script.glib(.afterWait, at: 901) == ["began 901.0"])
    }

    @Test("a GLib loop whose own thread finds that it was left ends its turn at once, when it was last seen")
    func leftByItsThread() {
        var script = Script()
        _ = script.glib(.beforeWait, at: 1)
        _ = script.glib(.afterWait, at: 2)
        let effects = script.state.glibWasLeftByItsThread(at: 400 * millisecond, by: 430 * millisecond)
        #expect(effects.leftBy == 430 * millisecond && effects.ended == 400 * millisecond)
        #expect(script.state.outsideSince == 400 * millisecond && !script.state.mayBeGone)
        let again = script.state.glibWasLeftByItsThread(at: 500 * millisecond, by: 510 * millisecond)
        #expect(again == LoopState.Effects(), "it is left once")
        #expect(script.glib(.beforeWait, at: 900) == [])
        #expect(script.glib(.afterWait, at: 901) == ["began 901.0"])
    }

    @Test("after a GLib loop that was left, CFRunLoop is the main loop")
    func leftForAnother() {
        var script = Script()
        _ = script.glib(.beforeWait, at: 1)
        _ = script.glib(.afterWait, at: 2)
        _ = script.state.glibWasLeft(at: nil, by: 100 * millisecond)
        #expect(script.cf(.entered, at: 900) == ["left 2.0", "cfrunloop on 1", "began 900.0"])
    }

    @Test("a loop that waits cannot have been left, nor one that is left twice")
    func notLeft() {
        var script = Script()
        _ = script.glib(.beforeWait, at: 1)
        #expect(!script.state.mayBeGone)
        let whileWaiting = script.state.glibWasLeft(at: 2, by: 5)
        _ = script.glib(.afterWait, at: 2)
        let first = script.state.glibWasLeft(at: 3, by: 5)
        let second = script.state.glibWasLeft(at: 4, by: 5)
        #expect(!whileWaiting && first && !second)
    }

    @Test("an answered ping names the monitor where no hook has fired, and any hook outranks it")
    func ping() {
        var script = Script()
        let first = script.state.pingAnswered(on: 7)
        #expect(first.isNamed)
        #expect(script.state.monitor == .ping && script.state.thread == 7)
        let again = script.state.pingAnswered(on: 7)
        let moved = script.state.pingAnswered(on: 8)
        #expect(!again.isNamed && moved.isNamed)
        #expect(script.cf(.entered, at: 1) == ["cfrunloop on 1", "began 1.0"])
        let late = script.state.pingAnswered(on: 7)
        #expect(!late.isNamed && script.state.monitor == .cfrunloop)
    }

    @Test("an answered ping names the monitor again once the hooked loop was left, and not while it waits")
    func pingAfterHook() {
        var script = Script()
        #expect(script.state.outsideSince == 0)
        _ = script.cf(.entered, at: 1)
        #expect(script.state.outsideSince == nil)
        _ = script.cf(.beforeWait, at: 2)
        let waiting = script.state.pingAnswered(on: 1)
        #expect(!waiting.isNamed && script.state.outsideSince == nil)
        _ = script.cf(.afterWait, at: 3)
        _ = script.cf(.left, at: 4)
        #expect(script.state.outsideSince == 4 * millisecond)
        let outside = script.state.pingAnswered(on: 1)
        #expect(outside.isNamed && outside.ended == nil)
        #expect(script.state.monitor == .ping && script.state.outsideSince == 0)
        #expect(script.glib(.beforeWait, at: 5) == ["glib on 1"])
        #expect(script.glib(.afterWait, at: 6) == ["began 6.0"])
        // Whether it was left nobody has looked.
        let busy = script.state.pingAnswered(on: 2)
        #expect(!busy.isNamed && script.state.outsideSince == nil)
        _ = script.state.glibWasLeft(at: 7 * millisecond, by: 8 * millisecond)
        #expect(script.state.outsideSince == 7 * millisecond)
        let gone = script.state.pingAnswered(on: 2)
        #expect(gone.isNamed && gone.leftBy == 8 * millisecond && gone.ended == 7 * millisecond)
    }

    @Test("whatever comes in whatever order, turns begin and end in turns")
    func randomEdges() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var state = LoopState()
            var (isOpen, isPaused, beganAt, now) = (false, false, UInt64(0), UInt64(0))
            for _ in 0..<200 {
                now += UInt64.random(in: 1...2_000_000, using: &generator)
                if Int.random(in: 0..<20, using: &generator) == 0 {
                    _ = state.glibWasLeft(at: Bool.random(using: &generator) ? now : nil, by: now)
                    continue
                }
                let edge = [LoopState.Edge.entered, .left, .beforeWait, .afterWait].randomElement(using: &generator)!
                let isGLib = Bool.random(using: &generator)
                let effects = state.handle(
                    LoopState.Event(
                        loop: isGLib ? .glib : .cfrunloop, edge: edge,
                        thread: isGLib ? Int32.random(in: 1...2, using: &generator) : 1, time: now))
                if let ended = effects.ended {
                    #expect(isOpen && ended >= beganAt && ended <= now)
                    (isOpen, isPaused) = (false, false)
                }
                if let began = effects.began {
                    #expect(!isOpen && began == now)
                    (isOpen, beganAt) = (true, began)
                }
                if effects.isPaused {
                    #expect(isOpen && !isPaused)
                    isPaused = true
                }
                if effects.isResumed {
                    #expect(isOpen && isPaused)
                    isPaused = false
                }
            }
        }
    }
}

@Suite("Looking for a loop's exit")
struct LoopExitWatchTests {
    @Test("it looks every 10 ms, every second after a minute, and no more once there is nothing to look for")
    func pace() {
        var watch = LoopExitWatch()
        var looks: [UInt64] = []
        #expect(watch.continueIfDue(at: 0) { _ in true } == nil)
        watch.begin(turn: 5, at: 1_000)
        #expect(
            watch.continueIfDue(at: 1_000) {
                looks.append($0); return true
            } == 10_001_000)
        #expect(
            watch.continueIfDue(at: 2_000) {
                looks.append($0); return true
            } == 10_001_000)
        #expect(looks == [5])
        #expect(watch.continueIfDue(at: 60_000_001_000) { _ in true } == 61_000_001_000)
        #expect(watch.continueIfDue(at: 61_000_001_000) { _ in false } == nil)
        #expect(watch.continueIfDue(at: 99_000_000_000) { _ in true } == nil)
    }
}
