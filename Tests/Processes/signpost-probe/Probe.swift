// SPDX-License-Identifier: MIT
// The commands. Each says what it did, so that a test has its own count of what must be in the trace.

import CShared
import Glibc
import Signpost

struct Probe {
    private var signposters: [Signposter] = []

    /// Carries out one command.
    mutating func answer(_ words: [String]) async -> String {
        switch words.first {
        case "make": make(subsystem: words[1], category: words[2], scope: words[3])
        case "wait": wait(milliseconds: number(words[1]))
        case "status": "\(SignpostTracing.status)"
        case "enabled": "\(signposters[number(words[1])].isEnabled)"
        case "pairs": pairs(signposters[number(words[1])], count: number(words[2]), threads: number(words[3]))
        case "event": event(signposters[number(words[1])], id: number(words[2]), hex: words.count > 3 ? words[3] : "")
        case "lazy": lazy(signposters[number(words[1])])
        case "around": await around(signposters[number(words[1])])
        case "animate": animate(signposters[number(words[1])])
        case "mistakes": mistakes(signposters[number(words[1])], other: signposters[number(words[2])])
        case "mute": mute(signposters[number(words[1])])
        case "body": body(count: number(words[1]))
        case "turns": turns(count: number(words[1]))
        case "hangs": hangs(count: number(words[1]))
        case "fork": Forking.once(signposters[number(words[1])], childEnds: words[2])
        case "storm": Forking.storm(signposters[number(words[1])], forks: number(words[2]), threads: number(words[3]))
        case "ids": "\(getpid())"
        case "map": mappedLibraries()
        default: "unknown command"
        }
    }

    private mutating func make(subsystem: String, category: String, scope: String) -> String {
        let scopes: [String: Signposter.Scope] = ["thread": .thread, "process": .process, "system": .system]
        let signposter = Signposter(subsystem: subsystem, category: category, scope: scopes[scope] ?? .process)
        signposters.append(signposter)
        return "\(signposters.count - 1) \(signposter.failure.map { "\($0)" } ?? "fine")"
    }

    private func wait(milliseconds: Int) -> String {
        "\(SignpostTracing.waitUntilReady(milliseconds: milliseconds))"
    }

    private func number(_ word: String) -> Int { Int(word) ?? 0 }

    /// `count` intervals on each of `threads` threads; ids say thread and number.
    private func pairs(_ signposter: Signposter, count: Int, threads: Int) -> String {
        inThreads(threads) { thread in
            for i in 1...count {
                let id = SignpostID(UInt64(thread * 1_000_000 + i))
                let state = signposter.beginInterval("work", id: id, "begin \(i)")
                signposter.endInterval("work", state, "end \(i)")
            }
        }
        return "pairs \(count * threads)"
    }

    private func event(_ signposter: Signposter, id: Int, hex: String) -> String {
        let bytes = stride(from: 0, to: hex.utf8.count, by: 2).compactMap {
            UInt8(hex.dropFirst($0).prefix(2), radix: 16)
        }
        signposter.emitEvent("moment", id: SignpostID(UInt64(id)), String(decoding: bytes, as: UTF8.self))
        return "event"
    }

    /// How many messages are evaluated: 4 while everything is recorded, none while nothing is.
    private func lazy(_ signposter: Signposter) -> String {
        var evaluated = 0
        func message() -> String {
            evaluated += 1
            return "evaluated"
        }
        let state = signposter.beginInterval("lazy", id: signposter.makeSignpostID(), message())
        signposter.emitEvent("lazy", message())
        signposter.endInterval("lazy", state, message())
        signposter.withIntervalSignpost("lazy", id: signposter.makeSignpostID(), message()) {}
        return "evaluated \(evaluated)"
    }

    private struct Thrown: Error {}

    /// Intervals around work that returns, throws, or is cancelled.
    private func around(_ signposter: Signposter) async -> String {
        let value = signposter.withIntervalSignpost("returns", id: signposter.makeSignpostID()) { 42 }
        try? signposter.withIntervalSignpost("throws", id: signposter.makeSignpostID()) { throw Thrown() }
        let later = await signposter.withIntervalSignpost("returns later", "with a message") {
            await Task.yield()
            return 43
        }
        let task = Task {
            try await signposter.withIntervalSignpost("cancelled") { try await Task.sleep(for: .seconds(3600)) }
        }
        task.cancel()
        _ = await task.result
        return "around \(value) \(later)"
    }

    private func animate(_ signposter: Signposter) -> String {
        signposter.endInterval("slide", signposter.beginAnimationInterval("slide"))
        signposter.endInterval("slide", signposter.beginAnimationInterval("slide", "fast"))
        return "animate"
    }

    /// Wrong ends. In debug builds the first stops the process.
    private func mistakes(_ signposter: Signposter, other: Signposter) -> String {
        let twice = signposter.beginInterval("work")
        signposter.endInterval("work", twice, "first")
        signposter.endInterval("work", twice, "second")
        signposter.endInterval("play", signposter.beginInterval("work"))
        other.endInterval("work", signposter.beginInterval("work"))
        return "mistakes"
    }

    /// What must not be recorded: ids that are none.
    private func mute(_ signposter: Signposter) -> String {
        for id in [SignpostID.null, .invalid] {
            signposter.emitEvent("mute", id: id, "message")
            signposter.endInterval("mute", signposter.beginInterval("mute", id: id))
            signposter.endInterval("mute", .beginState(id: id))
        }
        return "mute"
    }

    private func text(_ text: StaticString) -> csignpost_text { FieldText.constant(text) }

    // The fields that no test looks at are zero: a new one of the table needs no value here.

    /// Evaluations, as Rerender emits them.
    private func body(count: Int) -> String {
        emit(.bodyEval, count: count, "body") { i in
            var begin = csignpost_body_begin()
            (begin.signpost_id, begin.name, begin.line) = (i, text("CartTotal"), 12)
            (begin.file, begin.parent) = (text("Shop/Cart.swift"), text("Cart"))
            begin.emitBegin()
            var end = csignpost_body_end()
            (end.signpost_id, end.name, end.reason) = (i, text("CartTotal"), text("ticker.tick"))
            (end.body_ns, end.total_ns, end.self_ns) = (1000 + i, 2000 + i, 500 + i)
            (end.wasted, end.turn, end.count, end.epoch) = (1, 7, i, 3)
            end.emitEnd()
        }
    }

    /// Turns of the main loop, as Rerender emits them.
    private func turns(count: Int) -> String {
        emit(.turn, count: count, "turns") { turn in
            var begin = csignpost_turn_begin()
            (begin.signpost_id, begin.name, begin.turn) = (turn, text("turn"), turn)
            begin.emitBegin()
            var end = csignpost_turn_end()
            (end.signpost_id, end.name, end.turn, end.evaluations) = (turn, text("turn"), turn, turn * 3)
            end.emitEnd()
        }
    }

    /// Hangs, as the daemon emits them.
    private func hangs(count: Int) -> String {
        emit(.hang, count: count, "hangs") { id in
            var hang = csignpost_hang()
            (hang.signpost_id, hang.pid, hang.turn, hang.guess) = (id, 4_711, 77, 1)
            (hang.name, hang.last_rendered, hang.at_threshold) = (text("CartTotal"), text("Cart"), text("Row"))
            // In a body, and not known.
            (hang.attribution, hang.verdict, hang.handler) = (1, 0, text("click"))
            (hang.store_id, hang.at_threshold_store_id, hang.last_rendered_store_id) = (2, 3, 4)
            (hang.age_ns, hang.starved_ns, hang.stopped_ns, hang.handler_ns) = (id, id + 1, id + 2, id + 5)
            (hang.source, hang.call) = (text("on_clicked() cases.c:44"), text("g_dbus_connection_call_sync()"))
            (hang.excused, hang.own_ns) = (1, id + 6)
            hang.duration_ns = id * 1_000_000
            hang.emitBegin()
            // Running.
            hang.verdict = 1
            hang.emitEnd()
        }
    }

    private func emit(
        _ shape: Provider.Shape, count: Int, _ answer: String, _ emit: (UInt64) -> Void
    ) -> String {
        guard Provider.reserved(shape).exists else { return "no provider" }
        guard SignpostTracing.waitUntilReady(milliseconds: 10_000) == .ready else { return "not ready" }
        for number in 1...UInt64(count) { emit(number) }
        return "\(answer) \(count)"
    }

    private func mappedLibraries() -> String {
        guard let file = fopen("/proc/self/maps", "r") else { return "" }
        defer { fclose(file) }
        var found = false
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, CInt(line.count), file) != nil {
            found =
                found
                || String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).contains(
                    "lttng")
        }
        return found ? "lttng is mapped" : "no lttng"
    }
}

/// Runs `body` on so many threads at once and waits for all.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    final class Start: Sendable {
        let number: Int
        let body: @Sendable (Int) -> Void
        init(_ number: Int, _ body: @escaping @Sendable (Int) -> Void) {
            self.number = number
            self.body = body
        }
    }
    var threads: [pthread_t] = []
    for number in 1...count {
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(number, body)).toOpaque()
        let error = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                start.body(start.number)
                return nil
            }, start)
        if error == 0 { threads.append(thread) }
    }
    for thread in threads { pthread_join(thread, nil) }
}
