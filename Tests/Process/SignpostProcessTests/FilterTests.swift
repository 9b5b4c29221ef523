// SPDX-License-Identifier: MIT
// Filters and triggers read our fields.

import Foundation
import TestSupport
import Testing
@testable import SignpostSupport

@Suite("Filters and triggers", .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
struct FilterTests {
    private func ids(_ filter: String, contexts: [String] = []) async throws -> [UInt64] {
        let subsystem = uniqueSubsystem()
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).*", filter: filter, contexts: contexts), subsystem, "Filter",
            commands: (1...6).map { "event 0 \($0) \("m\($0 % 3)".hex)" }
                + ["event 0 7 \(String(repeating: "long", count: 1000).hex)"])
        #expect(events.allSatisfy { $0.text("name") == "moment" && $0.text("scope") == "process" })
        return events.compactMap { $0.integer("signpost_id") }
    }

    @Test("a filter compares integers")
    func integers() async throws {
        #expect(try await ids("signpost_id > 4") == [5, 6, 7])
    }

    @Test("a filter compares texts, the first and the last among them")
    func texts() async throws {
        #expect(try await ids("name == \"moment\" && message == \"m1\" && scope == \"process\"") == [1, 4])
    }

    @Test("a filter matches patterns in texts longer than the packing buffer")
    func longTexts() async throws {
        #expect(try await ids("message == \"longlong*\" && signpost_id == 7") == [7])
    }

    @Test("a trigger's condition and captures see the fields")
    func trigger() async throws {
        let subsystem = uniqueSubsystem()
        try await LTTngDaemon.with(.ordinary) { daemon in
            let name = "trigger-\(subsystem)"
            try await daemon.command([
                "lttng", "--no-sessiond", "add-trigger", "--name=\(name)", "--condition=event-rule-matches",
                "--type=user:tracepoint", "--name=\(subsystem).Trigger:event", "--filter=signpost_id > 250",
                "--capture=signpost_id", "--capture=name", "--capture=message", "--action=notify",
            ])
            let listener = try await daemon.start(product: "signpost-probe", ["listen", name])
            #expect(try await listener.nextLine() == "listening")
            let probe = try await daemon.readyProbe(subsystem, "Trigger")
            for id in [200, 251, 250, 300] { try await probe.ask("event 0 \(id) \("message \(id)".hex)") }
            try await probe.ask("event 0 999 \(String(repeating: "x", count: 600).hex)")
            #expect(try await listener.nextLine() == "[251][moment][message 251]")
            #expect(try await listener.nextLine() == "[300][moment][message 300]")
            let long = try await listener.nextLine()
            #expect(long.hasPrefix("[999][moment][xxxx"))
            listener.kill(SIGTERM)
        }
    }
}
