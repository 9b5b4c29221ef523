// SPDX-License-Identifier: MIT
// Asks the daemon for what the screen shows: a few small requests for each sample.

/// Prepares that names in stores and hangs can be shown, and returns what would bring those that are missing, as sentences.
package typealias TopNames = @Sendable (_ stores: [ProcessStats], _ hangs: [Hang]) async -> [String]

/// Asks for samples, one after the other.
actor TopSource {
    private let session: Session
    private var samples = 0
    private var health: HealthReport?
    /// The directory of a command's own daemon, while that answers.
    private var command: RuntimeDirectory?
    /// The stores of the sample that is made, with their views.
    private var shown: [ProcessStats] = []
    private let prepare: TopNames

    /// Hangs of the process with the open view.
    private static let hangsOfProcess = 32
    /// What the daemon refused changes seldom.
    private static let samplesPerHealth = 10

    init(session: Session, prepare: @escaping TopNames) { (self.session, self.prepare) = (session, prepare) }

    /// The daemon's current data for the screen; nil where it was a command's, and the command ended.
    func sample(_ query: TopQuery) async throws -> TopSample? {
        do {
            return try await answer(query)
        } catch let failure as ToolFailure {
            // The next daemon is another one.
            samples = 0
            guard failure.isUnreachable, let command, FilePath.kind(command.path) == nil else { throw failure }
            return nil
        }
    }

    private func answer(_ query: TopQuery) async throws -> TopSample {
        var sample = try await views(query)
        do {
            sample.hangs = try await hangs(query.process, query.hangs)
            if let pid = query.hangsOf { sample.hangsOfProcess = try await hangs(String(pid), Self.hangsOfProcess) }
        } catch let failure as ToolFailure where failure.status == ExitStatus.unreadable {
            // Something that was saved without a list of hangs.
            sample.hangsFault = failure.message.split(separator: "\n").joined(separator: " ")
        }
        if samples.isMultiple(of: Self.samplesPerHealth) {
            health = await session.health() ?? health
            let directory = health.map { RuntimeDirectory(path: $0.runtimeDirectory) }
            let isPrivate = directory.map { RunDirectories.isPrivate($0.path, beside: session.directory) } ?? false
            command = isPrivate ? directory : nil
        }
        samples += 1
        sample.names = await prepare(shown, sample.hangs + sample.hangsOfProcess)
        sample.health = health
        sample.off = SwitchState.place
        return sample
    }

    private func views(_ query: TopQuery) async throws -> TopSample {
        do {
            let export = try await session.client.export(query.stats)
            let rows = query.order.ranked(export.processes, export.verdict, isReversed: query.isReversed)
            shown = export.processes
            return TopSample(
                query: query, at: export.generatedAt, stores: export.processes.map { $0.with(views: []) }, rows: rows,
                total: export.matchingViews ?? query.first + rows.count, verdict: export.verdict)
        } catch let failure as ToolFailure where failure.status == ExitStatus.usage && query.process != nil {
            // The process is not there yet, or no longer known.
            var sample = TopSample(query: query, at: .now, stores: [], rows: [], total: 0)
            let others = try await session.processes()
            if !others.isEmpty {
                sample.unknownProcess = Self.lines(
                    ProcessSelection(process: query.process).fitsNone(of: others).message)
            }
            return sample
        }
    }

    /// A message as lines that begin as sentences do.
    private static func lines(_ message: String) -> [String] {
        (message.prefix(1).uppercased() + message.dropFirst()).split(separator: "\n").map { String($0) }
    }

    private func hangs(_ process: String?, _ limit: Int) async throws -> [Hang] {
        do {
            return try await session.client.hangs(HangsQuery(process: process, limit: limit)).hangs
        } catch let failure as ToolFailure where failure.status == ExitStatus.usage && process != nil {
            return []
        }
    }
}

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
