// SPDX-License-Identifier: MIT
// The shape of OSSignposter, without a tracer.

import Foundation
import Signpost
import Testing

@testable import Signpost

@Suite("Signposter")
struct SignposterTests {
    private let signposter = Signposter(subsystem: "test.signposter", category: "Unit")

    @Test("ids have Apple's special values")
    func specialIDs() {
        #expect(SignpostID.null.rawValue == 0)
        #expect(SignpostID.invalid.rawValue == .max)
        #expect(SignpostID.exclusive.rawValue == 0xEEEE_B0B5_B2B2_EEEE)
        #expect(SignpostID(7).rawValue == 7 && SignpostID(7) < SignpostID(8))
    }

    @Test("made ids are unique, whatever the thread and scope", arguments: Signposter.Scope.allCases)
    func uniqueIDs(_ scope: Signposter.Scope) async {
        let signposter = Signposter(subsystem: "test.signposter", category: "IDs", scope: scope)
        let ids = await withTaskGroup(of: [SignpostID].self) { group in
            for _ in 0..<8 { group.addTask { (0..<1000).map { _ in signposter.makeSignpostID() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 8000)
        #expect(ids.allSatisfy { $0 != .null && $0 != .invalid && $0 != .exclusive })
    }

    @Test("ids for the whole system start elsewhere in each process")
    func systemIDs() {
        #expect(IDSource.scattered(1, seed: 1) != IDSource.scattered(1, seed: 2))
        #expect(Set((0..<10_000).map { IDSource.scattered($0, seed: 42) }).count == 10_000)
        let made = Signposter(subsystem: "test.signposter", category: "System", scope: .system).makeSignpostID()
        #expect(made.rawValue > 1 << 32)
    }

    @Test("an object's id is its own, the same each time, and invalid across processes")
    func objectIDs() {
        final class Object {}
        let (one, other) = (Object(), Object())
        #expect(signposter.makeSignpostID(from: one) == signposter.makeSignpostID(from: one))
        #expect(signposter.makeSignpostID(from: one) != signposter.makeSignpostID(from: other))
        #expect(signposter.makeSignpostID(from: one) != .exclusive)
        let system = Signposter(subsystem: "test.signposter", category: "System", scope: .system)
        #expect(system.makeSignpostID(from: one) == .invalid)
    }

    @Test("the disabled signposter records nothing and gives the null id")
    func disabled() {
        let disabled = Signposter.disabled
        #expect(!disabled.isEnabled && disabled.failure == nil)
        #expect(disabled.makeSignpostID() == .null && disabled.makeSignpostID(from: Bundle.main) == .null)
        var evaluated = false
        func message() -> String {
            evaluated = true
            return ""
        }
        let state = disabled.beginInterval("work", message())
        disabled.emitEvent("work", message())
        disabled.endInterval("work", state, message())
        disabled.endInterval("another name, twice", state, message())
        #expect(!evaluated)
    }

    @Test("work inside an interval returns and throws as it would outside, with its own error type")
    func aroundIsTransparent() async {
        struct Thrown: Error, Equatable {}
        #expect(signposter.withIntervalSignpost("work") { 42 } == 42)
        do throws(Thrown) {
            try signposter.withIntervalSignpost("work") { () throws(Thrown) in throw Thrown() }
            Issue.record("did not throw")
        } catch { #expect(error == Thrown()) }
        #expect(await signposter.withIntervalSignpost("work") { await Task { 43 }.value } == 43)
        // In async code a synchronous closure still takes the synchronous way.
        let value = signposter.withIntervalSignpost("work", "message") { 44 }
        #expect(value == 44)
    }

    @MainActor
    @Test("asynchronous work inside an interval stays on its actor")
    func aroundKeepsIsolation() async {
        var count = 0
        await signposter.withIntervalSignpost("work") {
            await Task.yield()
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 1)
    }

    @Test(
        "a name that LTTng cannot carry or that is Rerender's own is off and says why",
        arguments: [
            ("", "x", SignpostFailure.badName), ("a", "", .badName), ("a..b", "c", .badName), ("a b", "c", .badName),
            ("a:b", "c", .badName), ("a*", "c", .badName), ("a\n", "c", .badName), ("a\"", "c", .badName),
            ("a\0b", "c", .badName), (".a", "c", .badName), (String(repeating: "n", count: 248), "c", .badName),
            ("com.rerender", "BodyEval", .reserved), ("com.rerender", "RenderLoop", .reserved),
            ("com.rerender", "Hang", .reserved), ("com", "rerender.Write", .reserved),
        ])
    func badNames(_ subsystem: String, _ category: String, _ failure: SignpostFailure) {
        let signposter = Signposter(subsystem: subsystem, category: category)
        #expect(signposter.failure == failure)
        #expect(!failure.description.isEmpty)
        #expect(!signposter.isEnabled && signposter.makeSignpostID() == .null)
    }

    @Test(
        "other names are fine, up to LTTng's limit",
        arguments: [
            "com.rerender", "org.Grüße", "a-b_c/d", "com.rerender.RenderLoop", String(repeating: "n", count: 247),
        ])
    func goodNames(_ subsystem: String) {
        #expect(Signposter(subsystem: subsystem, category: "c").failure == nil)
    }
}
