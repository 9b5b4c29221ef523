// SPDX-License-Identifier: MIT
// Writes of a real process in a real LTTng trace.

import Foundation
import TestSupport
import Testing

@Suite(
    "Recorded writes",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
struct RecordedWriteTests {
    @Test("each write is there once, with its key path, its writer and the number of views")
    func complete() async throws {
        let count = 100
        let events = try await LTTngDaemon.with(.ordinary) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("com.rerender.Write:*")) { session in
                let app = try await daemon.start(
                    product: "measured", ["emit", "\(count)"],
                    environment: [
                        "RERENDER_WAIT_FOR_TRACER": "20000", "RERENDER_RUNTIME_DIR": daemon.home + "/runtime",
                    ])
                #expect(await app.finish().exit == .status(0))
                return try await session.stopAndRead()
            }
        }
        #expect(events.count == count)
        #expect(events.allSatisfy { $0.name == "com.rerender.Write:event" && $0.text("name") == "ticker.tick" })
        #expect(events.allSatisfy { $0.text("message") == "Ticker.advance() Shop/Ticker.swift:40" })
        #expect(Set(events.compactMap { $0.integer("views") }) == Set(0..<UInt64(count)))
        #expect(events.allSatisfy { $0.integer("signpost_id") == nil })
    }

    @Test("a session with the log level INFO has writes, and no turns and evaluations")
    func logLevels() async throws {
        var recording = LTTngRecording("com.rerender.*")
        recording.logLevel = "INFO"
        let events = try await LTTngDaemon.with(.ordinary) { [recording] daemon in
            try await LTTngSession.with(daemon, recording) { session in
                let app = try await daemon.start(
                    product: "counting",
                    environment: [
                        "RERENDER_WAIT_FOR_TRACER": "20000", "RERENDER_RUNTIME_DIR": daemon.home + "/runtime",
                    ])
                #expect(try await app.nextLine() == "ready")
                _ = try await app.ask("write 10")
                try app.send("exit")
                #expect(await app.finish().exit == .status(0))
                return try await session.stopAndRead()
            }
        }
        let providers = Set(events.map { $0.name.split(separator: ":")[0] })
        #expect(providers.contains("com.rerender.Write"))
        #expect(providers.isDisjoint(with: ["com.rerender.BodyEval", "com.rerender.View", "com.rerender.RenderLoop"]))
    }
}
