// SPDX-License-Identifier: MIT
// A process whose stack is taken while it hangs. `measured hang KIND` says "ready" and hangs; another thread reads orders:
//
//     on, off    switches the taking of stacks; answers the signals that have handlers now, in hexadecimal
//     sample     answers the hanging thread's functions, innermost first, separated by " | "; an empty line for none
//     activity   answers what the hanging thread does, in words
//     go         ends the hang; the process answers what came of it and exits
//     watch      begins a hang that ends by itself, takes stacks until then, and answers how many there were and in how many
//                of them the function that hangs and the one that called it are named
//
// `measured hang label KIND` waits in a way of `Labels` for ever, and first says the words for it.
//
// Kinds that end by themselves: those of `Waits.swift`. Others: mixed (runs and waits for a millisecond in turn), spin,
// read (blocked in a read), lock (blocked in a lock), masked (spins with all signals blocked), replaced (spins; "on" is
// followed by a handler of the app's own), deep (spins in 1,000 calls), thread (spins on another thread), tables (runs
// in code without unwind tables), hole (the same as thread, with a page of its stack that cannot be read between it and
// the outer functions), loop (spins in a turn of the main run loop; with a store, so that a daemon can ask), exec
// (waits for "go", and then goes over to itself with each signal that has a handler blocked and waiting; there it lets
// them come).

import CRerender
import Foundation
import Rerender
import Synchronization

let isOver = Atomic<Bool>(false)
/// Of a hang that ends by itself.
let mayBegin = Atomic<Bool>(false)
let isSaid = Atomic<Bool>(false)
let appsHandlerRan = Atomic<Int>(0)
let hangingThread = Atomic<Int32>(getpid())
nonisolated(unsafe) var sum: UInt64 = 0
let (readEnd, writeEnd) = makePipe()
let lock = Mutex<Int>(0)

private func makePipe() -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    return (ends[0], ends[1])
}

func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// The signals of this process that have handlers.
func caught() -> String {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }.map { String($0.dropFirst(8)) } ?? ""
}

enum Hanging {
    static func run(_ arguments: [String]) -> Never {
        // Made now, and not in the hang or in a handler.
        _ = (readEnd, hangingThread.load(ordering: .relaxed))
        _ = (isOver.load(ordering: .relaxed), appsHandlerRan.load(ordering: .relaxed))
        let kind = arguments.first ?? "spin"
        Thread.detachNewThread {
            // A busy machine may keep the thread from its handler for long.
            var stacks = HangStacks(patience: 60_000_000_000)
            while let order = readLine() { Hanging.obey(order, kind, &stacks) }
        }
        hang(kind, label: arguments.dropFirst().first ?? "")
    }

    private static func obey(_ order: String, _ kind: String, _ stacks: inout HangStacks) {
        switch order {
        case "on", "off":
            stacks.follow(order == "on")
            if kind == "replaced", order == "on" { replaceHandlers() }
            say(caught())
        case "sample":
            say(stacks.frames(of: hangingThread.load(ordering: .relaxed)).joined(separator: " | "))
        case "activity":
            say(stacks.activity(of: hangingThread.load(ordering: .relaxed)))
        case "watch":
            mayBegin.store(true, ordering: .relaxed)
            watch(&stacks)
            isSaid.store(true, ordering: .relaxed)
        case "go":
            isOver.store(true, ordering: .relaxed)
            if kind == "read" { write(writeEnd, "x", 1) }
        default:
            say("unknown order: \(order)")
        }
    }

    private static func watch(_ stacks: inout HangStacks) {
        var (samples, named) = (0, 0)
        while !isOver.load(ordering: .relaxed) {
            let frames = stacks.frames(of: hangingThread.load(ordering: .relaxed))
            guard !frames.isEmpty else { continue }
            samples += 1
            let names = frames.map { $0.prefix { $0 != "(" } }
            if names.contains("Wait.hangHere"), names.contains("timed") { named += 1 }
        }
        say("\(samples) samples, \(named) named")
    }

    /// Puts a handler of the app's own in the place of the sampler's.
    private static func replaceHandlers() {
        signal(SIGURG) { _ in appsHandlerRan.add(1, ordering: .relaxed) }
    }
}
