// SPDX-License-Identifier: MIT
// Carries out the keys of `top` that do more than change the screen.

/// Carries out what the model wants of the daemon and of files.
struct TopActions: Sendable {
    let session: Session

    /// Has an app show a view.
    func pulse(_ row: TopRowID) async -> TopMessage {
        await attempt {
            let request = PulseRequest(key: row.key.rawValue, row.store.selection)
            let report = try await session.daemon.document(.post(.pulse, request), as: CommandReport.self)
            guard report.sent > 0 else {
                return TopMessage(text: "\(row.key.displayName) is not in a connected app", isFault: true)
            }
            return TopMessage(text: try CommandText.pulsed(row.key, in: row.store, "the app", report))
        }
    }

    /// Has apps flash what they draw again, or ends that.
    func highlight(_ isOn: Bool, _ process: String?) async -> TopMessage {
        await attempt {
            let request = OverlayRequest(.highlight, on: isOn, ProcessSelection(process: process))
            let report = try await session.daemon.document(.post(.overlay, request), as: CommandReport.self)
            return TopMessage(text: try CommandText.overlaid(.highlight, isOn: isOn, report))
        }
    }

    /// Marks this moment; the latest mark of the name is meant by other commands.
    func mark(_ process: String?) async -> TopMessage {
        await attempt {
            let request = try QueryRequest.post(.mark, MarkRequest(name: "top", process: process))
            let report = try await session.daemon.document(request, as: MarkReport.self)
            guard !report.processes.isEmpty else {
                let reason = report.left ?? 0 > 0 ? "there is no room for so many stores" : "no process is connected"
                return TopMessage(text: "\(reason): nothing to mark", isFault: true)
            }
            let isWhole = report.left ?? 0 == 0 && report.processes.allSatisfy { $0.left == 0 }
            let what = isWhole ? "marked" : "marked, but not all, for want of room"
            return TopMessage(text: "\(what); what comes from now on: rerenderctl stats --since top")
        }
    }

    /// Writes everything to a file in the working directory.
    func export() async -> TopMessage {
        await attempt {
            let time = Timestamp.now.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }
            let path = "rerender-\(time).json"
            let file = try AtomicFile(path: path)
            try await session.client.writeNamed(StatsQuery(), to: { try file.write($0) })
            try file.commit()
            return TopMessage(text: "exported to \(path)")
        }
    }

    private func attempt(_ body: () async throws -> TopMessage) async -> TopMessage {
        do {
            return try await body()
        } catch {
            let text = (error as? ToolFailure)?.message ?? "\(error)"
            return TopMessage(text: text.split(separator: "\n").joined(separator: " "), isFault: true)
        }
    }
}
