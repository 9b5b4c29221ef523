// SPDX-License-Identifier: MIT
// What a pulse prints.

import RerenderModel
import Synchronization
import Testing

@_spi(Bridge) @testable import Rerender

@Suite("Pulse")
struct PulseTextTests {
    @Test("it says how often the view was evaluated, why, and who wrote what caused it")
    func causes() {
        var stats = Stats(key: "CartTotal", file: "Shop/Cart.swift", line: 12)
        (stats.count, stats.instances) = (1_200, 1)
        var reason = ReasonCount(reason: "parent: B", count: 900, attribution: .exact)
        reason.writers = [WriterCount(writer: "f() a.swift:1", count: 800), WriterCount(writer: "g()", count: 100)]
        let more = (1...3).map { ReasonCount(reason: "tick \($0)", count: 100, attribution: .announced) }
        stats.reasons = [reason] + more
        let text = PulseText.text("CartTotal", store: "shop", stats, areWidgets: false)
        #expect(
            text == """
                [Rerender] CartTotal in shop, Shop/Cart.swift:12
                  Its body was evaluated 1,200 times; 1 live instance.
                  900 (75%) parent: B
                      written by f() a.swift:1 (800)
                  100 (8%) tick 1
                  100 (8%) tick 2

                """)
    }

    @Test("control characters in a key never reach the terminal")
    func hostileKey() {
        let text = PulseText.text("\u{1B}[2J\nA", store: "s\u{7}", nil, areWidgets: true)
        #expect(text == "[Rerender] \\u{1b}[2J\\u{a}A in s\\u{7}: not drawn yet\n")
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
