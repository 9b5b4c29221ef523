// SPDX-License-Identifier: MIT
// What a pulse prints.

import RerenderModel
import Synchronization
import Testing

@_spi(Bridge) @testable import Rerender

@Suite("Pulse")
struct PulseTextTests {
    @Test("it says everything that is known of the view")
    func everything() throws {
        let core = TestProcess().makeStore("shop")
        core.evaluate("CartTotal", nanoseconds: 1_500, reason: "tap")
        core.evaluate("CartTotal", nanoseconds: 3_500, reason: "tick")
        core.recordCommit(label: "CartTotal", file: "f", line: 1)
        let text = PulseText.text("CartTotal", store: core.name, stats: core.stats().first)
        for part in [
            "[Rerender] CartTotal (store shop)", "at        Shop/Cart.swift:12", "count     2, 1 committed, 1 live",
            "body      last 3.5 µs, average 2.5 µs, p50 1.5 µs, p95 3.5 µs, p99 3.5 µs, max 3.5 µs, sum 5.0 µs",
            "because   tap × 1", "because   tick × 1", ", because tick",
        ] {
            #expect(text.contains(part), "\(part) is missing in \(text)")
        }
    }

    @Test("it says what was wasted, who wrote what caused it, and where a parent's evaluation began")
    func causes() {
        var stats = Stats(key: "A", file: "f", line: 1)
        stats.wasted.count = 3
        stats.wasted.measured = 1
        stats.wasted.inferred = 2
        stats.wasted.kindNanoseconds = [.sameOutput: 2_000, .parentOnly: 500]
        stats.wasted.nanoseconds = 2_500
        stats.wasted.kinds = [.sameOutput: 1, .parentOnly: 2]
        var reason = ReasonCount(reason: "parent: B", count: 3, attribution: .exact)
        reason.writers = [WriterCount(writer: "f() a.swift:1", count: 2)]
        reason.chains = [ChainCount(chain: "B ← x", count: 3)]
        stats.reasons = [reason]
        let text = PulseText.text("A", store: "s", stats: stats)
        for line in [
            "  wasted    1 measured, 2.0 µs; 2 inferred, 0.5 µs; same output 1, parent only 2\n",
            "  because   parent: B × 3\n    by      f() a.swift:1 × 2\n    from    B ← x × 3\n",
        ] {
            #expect(text.contains(line), "\(line) is missing in \(text)")
        }
    }

    @Test("control characters in a key never reach the terminal")
    func hostileKey() {
        let text = PulseText.text("\u{1B}[2J\nA", store: "s\u{7}", stats: nil)
        #expect(text == "[Rerender] \\u{1b}[2J\\u{a}A (store s\\u{7}): not evaluated yet\n")
        let first = PulseText.first("\u{1B}[2J\nA", store: "s\u{7}", nil, areWidgets: true)
        #expect(first == "[Rerender] \\u{1b}[2J\\u{a}A in s\\u{7}: not drawn yet\n")
    }

    @Test("it runs the app's handler with the key")
    func handler() {
        let core = TestProcess().makeStore()
        core.isConsoleLoggingEnabled.store(false, ordering: .relaxed)
        core.evaluate("A")
        #expect(pulsed("A", core) == 0)
        let calls = Counter()
        core.pulseHandler.set { key in if key == "A" { calls.add() } }
        #expect(pulsed("A", core) == 1)
        #expect(calls.value == 1)
        #expect(pulsed("never met", core) == 0)
        core.reset()
        #expect(pulsed("A", core) == 1, "a reset forgets counts, not views")
    }

    @Test("bridges follow pulses beside the app's handler, for as long as they want")
    func followers() {
        let store = RerenderStore(name: "followed")
        store.isConsoleLoggingEnabled = false
        store.evaluate("A") {}
        let (own, first, second) = (Counter(), Counter(), Counter())
        store.onPulse = { _ in own.add() }
        var following = store.followScreen { request, _ in
            if request == .pulse("A") { first.add() }
            return true
        }
        let other = store.followScreen { request, _ in
            guard case .pulse = request else { return false }
            second.add()
            return true
        }
        #expect(following?.store == store.identity)
        #expect(pulsed("A", store.core) == 3)
        following = nil
        store.onPulse = nil
        #expect(pulsed("A", store.core) == 1, "somebody follows")
        #expect(reply(to: .hud(isOn: true), store.core).reached == 0, "nobody shows it")
        #expect([own.value, first.value, second.value] == [1, 1, 2])
        withExtendedLifetime(other) {}
    }

    @Test("what bridges show is added up, whenever they say it, and is complete with the last of them")
    func answers() {
        let store = RerenderStore(name: "answered")
        store.isConsoleLoggingEnabled = false
        store.evaluate("A") {}
        let kept = Mutex<ScreenReply?>(nil)
        let sums = Mutex<[ScreenReply.Sum]>([])
        let now = store.followScreen { _, reply in
            reply.add(shown: 1, of: 3)
            return true
        }
        let later = store.followScreen { _, reply in
            kept.withLock { $0 = reply }
            return true
        }
        store.core.take(.pulse("A"), ScreenReply { sum in sums.withLock { $0.append(sum) } })
        #expect(sums.withLock { $0.isEmpty }, "one has not said it")
        kept.withLock { $0 }?.add(shown: 2, of: Int(UInt32.max))
        kept.withLock { $0 = nil }
        let sum = sums.withLock { $0 }
        #expect(
            sum.map(\.reached) == [2] && sum.map(\.answered) == [2] && sum.map(\.shown) == [3]
                && sum.map(\.instances) == [.max])
        withExtendedLifetime((now, later)) {}
    }

    private func reply(to request: ScreenRequest, _ core: StoreCore) -> ScreenReply.Sum {
        let sum = Mutex(ScreenReply.Sum())
        core.take(request, ScreenReply { done in sum.withLock { $0 = done } })
        return sum.withLock { $0 }
    }

    private func pulsed(_ key: ViewKey, _ core: StoreCore) -> UInt32 { reply(to: .pulse(key), core).reached }
}
