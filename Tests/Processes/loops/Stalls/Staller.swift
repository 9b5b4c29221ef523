// SPDX-License-Identifier: MIT
// `loops stall cfrunloop|glib|late|main [MILLISECONDS]`: an app whose main loop is held up on command, and which measures
// itself for how long.
//
// A line `KIND MILLISECONDS` on its input holds up the loop: it says `begin KIND` and then `end KIND START END WAITED` in
// nanoseconds of CLOCK_MONOTONIC, and of waiting for a processor by the kernel's count. `busy MILLISECONDS SECONDS`
// keeps it busy with short turns; `leave MILLISECONDS` leaves the loop for so long, `last MILLISECONDS OUTSIDE` after a
// body that takes so long and `last-then-body` for a body that runs outside; `threshold HANG MICRO` sets the store's
// thresholds; `labelled FIRST LAST SCALE` makes hangs of many kinds and says `truth JSON` of each (``HangTruth``),
// `told ID GUESS VIEW` when the handler is called, and `labelled all` at the end; `hold` has the next call of the
// handler say `held` and wait for `release`; `export` prints the store's own export on one line; the end of the input
// ends the process. `handler` says what the app's handler was called with. `late` is GLib that is loaded after the
// store was made, at the first line of the input.

import Foundation
import Rerender
import Synchronization

final class Staller: Sendable {
    private let loop: any MainLoop
    private let store: RerenderStore
    private let stalls: Stalls
    /// How long the main thread stays outside of its loop when it has left it, in milliseconds; 0 ends the process.
    private let pause = Atomic<Int>(0)
    /// Whether the handler was held up, and what lets it go on.
    private let isHeld = Atomic<Bool>(false)
    private let mayReturn = DispatchSemaphore(value: 0)
    /// Whether a body takes up that time.
    private let evaluatesOutside = Atomic<Bool>(false)

    private init(_ name: String?) {
        // That of an app that loads GLib later.
        let early = name == "late" ? RerenderStore(name: "main") : nil
        let loop = Self.makeLoop(name)
        loop.markBegins()
        let store = early ?? RerenderStore(name: "main")
        loop.markEnds()
        (self.loop, self.store, stalls) = (loop, store, Stalls(store: store, loop: loop))
    }

    private static func makeLoop(_ name: String?) -> any MainLoop {
        switch name {
        case "cfrunloop": return CFMainLoop()
        case "main": return DispatchMainLoop()
        case "glib", "late":
            if name == "late" {
                say("waits")
                _ = readLine()
            }
            if let loop = GLibMainLoop() { return loop }
            say("no GLib")
            exit(69)
        default:
            say("usage: loops stall cfrunloop|glib|late|main [MILLISECONDS]")
            exit(64)
        }
    }

    static func run(_ arguments: [String]) -> Never {
        let staller = Staller(arguments.first)
        Thread.detachNewThread {
            while let line = readLine() { staller.obey(line.split(separator: " ").map(String.init)) }
            exit(0)
        }
        say("ready \(getpid())")
        // What a program does first in its loop: as long as the second argument says, in milliseconds.
        if let milliseconds = arguments.dropFirst().first.flatMap(Double.init) {
            staller.loop.post { staller.stall("start-up", milliseconds: milliseconds) }
        }
        while true { staller.runLoop() }
    }

    /// Runs the loop until it is left, and stays outside of it.
    private func runLoop() {
        loop.run()
        let milliseconds = pause.exchange(0, ordering: .relaxed)
        let start = monotonic()
        let wait = { Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000) }
        if evaluatesOutside.exchange(false, ordering: .relaxed) { store.evaluate("Outside") { wait() } } else { wait() }
        say("end leave \(start) \(monotonic())")
    }

    private func keepBusy(milliseconds: Double, until end: UInt64) {
        loop.post { [self] in
            _ = stalls.run("body", milliseconds: milliseconds)
            if monotonic() < end { keepBusy(milliseconds: milliseconds, until: end) }
        }
    }

    private func stall(_ kind: String, milliseconds: Double) {
        say("begin \(kind)")
        let start = monotonic()
        guard stalls.run(kind, milliseconds: milliseconds) else { return say("no stall \(kind)") }
        say("end \(kind) \(start) \(monotonic())")
    }

    private func obey(_ words: [String]) {
        let number = words.count > 1 ? Double(words[1]) ?? 0 : 0
        switch words.first {
        case "threshold":
            store.hangThreshold = .milliseconds(number)
            store.microHangThreshold = .milliseconds(Int(words[2]) ?? 100)
            say("ok")
        case "labelled":
            // Hangs from one number to another, each with what the process saw of it; then what the handler is called with.
            let (first, last) = (Int(words[1]) ?? 0, Int(words[2]) ?? 0)
            store.onHang = { say("told \($0.id) \($0.guess) \($0.view?.rawValue ?? "")") }
            let hangs = LabelledHangs(loop: loop, store: store, scale: Double(words[3]) ?? 1)
            loop.post { hangs.run(from: first, to: last) }
        case "hold":
            store.onHang = { [self] _ in
                guard !isHeld.exchange(true, ordering: .relaxed) else { return }
                say("held")
                mayReturn.wait()
            }
            say("ok")
        case "release": mayReturn.signal()
        case "enough": Stalls.isEnough.store(true, ordering: .sequentiallyConsistent)
        case "export":
            say(String(decoding: store.exportJSON(), as: UTF8.self).replacingOccurrences(of: "\n", with: " "))
        case "leave":
            pause.store(Int(number), ordering: .relaxed)
            loop.post { [self] in loop.leave() }
        case "last", "last-then-body":
            let outside = Int(words[2]) ?? 0
            evaluatesOutside.store(words[0] == "last-then-body", ordering: .relaxed)
            loop.post { [self] in
                stall("body", milliseconds: number)
                pause.store(outside, ordering: .relaxed)
                loop.leave()
            }
        case "busy":
            // Turns of a number of milliseconds, one after the other, for a number of seconds.
            keepBusy(milliseconds: number, until: monotonic() + (UInt64(words.last ?? "") ?? 0) * 1_000_000_000)
        case "timer": loop.post { [self] in loop.postByTimer { [self] in stall("timer", milliseconds: number) } }
        case let kind?: loop.post { [self] in stall(kind, milliseconds: number) }
        case nil: break
        }
    }
}

/// How long this thread was ready to run and had no processor: the second number of its `schedstat`.
func nanosecondsWaited() -> UInt64 {
    let text = (try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { UInt64($0) } ?? 0
}
