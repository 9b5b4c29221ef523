// SPDX-License-Identifier: MIT
// Recordings that tests read: of real processes, by a real tracer.

import Foundation
import RerenderModel
import TestSupport

/// A recording whose directory lives as long as the closure that gets it.
enum Recording {
    static let needs = "needs lttng-tools, babeltrace2 and setpriv"
    /// What stands in arguments for the directory above the recording.
    static let home = "@HOME@"
    /// For the first evaluation to be in the trace, however loaded the machine is.
    static let waiting = ["RERENDER_WAIT_FOR_TRACER": "60000"]

    /// Records one product under its orders and reads the trace before it is deleted.
    ///
    /// `last` comes when the buffers are empty, so that a few events more are in the trace for certain.
    static func of<T>(
        product: String, _ arguments: [String] = [],
        _ recording: LTTngRecording = LTTngRecording("com.rerender.*"),
        orders: @Sendable (ChildProcess) async throws -> Void = { _ in },
        last: (@Sendable (ChildProcess) async throws -> Void)? = nil,
        read: @Sendable (_ directory: String, _ pid: Int32) async throws -> T
    ) async throws -> T {
        try await LTTngDaemon.with(.ordinary) { daemon in
            try await LTTngSession.with(daemon, recording) { session in
                let environment = waiting.merging(["RERENDER_RUNTIME_DIR": daemon.home + "/runtime"]) { $1 }
                let process = try await daemon.start(
                    product: product, arguments.map { $0.replacing(home, with: daemon.home) }, environment: environment)
                try await orders(process)
                if let last {
                    // Stopping waits until all is written that the buffers hold.
                    for word in ["stop", "start"] {
                        try await daemon.command(["lttng", "--no-sessiond", word, session.name])
                    }
                    try await last(process)
                }
                let output = await process.finish()
                guard output.exit == .status(0) else { throw ChildProcess.Failure("\(product): \(output)") }
                // Reads with babeltrace2 until all is on disk.
                _ = try await session.stopAndRead()
                return try await read(session.output, process.processID)
            }
        }
    }
}

/// What `counting` exports of one of its stores.
func export(of store: Int, from process: ChildProcess) async throws -> ProcessStats {
    let answer = try await process.ask("export \(store)")
    guard let data = Data(base64Encoded: answer) else { throw ChildProcess.Failure("no base64: \(answer)") }
    let export = try JSONDecoder().decode(StatsExport.self, from: data)
    guard let stats = export.processes.first else { throw ChildProcess.Failure("an export without a store") }
    return stats
}

extension Stats {
    /// Without the moment of the last evaluation, which the app takes before the event, and what no trace says.
    var asTraced: Stats {
        var stats = self
        stats.lastRenderedAt = nil
        stats.forgotten = 0
        return stats
    }
}
