// SPDX-License-Identifier: MIT
// Carries out the keys of `top` that do more than change the screen.

import FoundationEssentials

/// Carries out what the model wants of the daemon, of files and of the clipboard.
struct TopActions: Sendable {
    let session: Session
    let clipboard: Clipboard

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

    /// Copies one view.
    func copy(_ row: RankedView) async -> TopMessage {
        await attempt {
            let export = StatsExport(processes: [row.store.with(views: [row.view])])
            var text = NamedJSON()
            let bytes = text.add(Array(try export.json())) + text.end() + [UInt8(ascii: "\n")]
            return try clipboard.copy(bytes, name: row.view.key.displayName)
        }
    }

    /// Copies everything.
    func copyAll() async -> TopMessage {
        await attempt {
            var bytes: [UInt8] = []
            try await session.client.writeNamed(
                StatsQuery(),
                to: { piece in
                    guard bytes.count + piece.count <= Clipboard.most else {
                        throw ToolFailure(
                            ExitStatus.system,
                            "more than \(Clipboard.most >> 20) MiB cannot be copied: press x to export")
                    }
                    bytes += piece
                })
            return try clipboard.copy(bytes, name: "everything")
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

/// The terminal's clipboard, and a file beside it, because terminals do not confirm a copy.
struct Clipboard: Sendable {
    /// Where the file is.
    var path: String { directory + "/copied.json" }
    private let directory: String
    /// Writes to the terminal; nil for terminals that would print the control sequence.
    let terminal: OutputStream?

    /// The most that is held to be copied.
    static let most = 64 << 20
    /// Longer sequences are cut or ignored by terminals (xterm takes 100,000 bytes).
    private static let longestSequence = 74_994

    /// The clipboard by OSC 52 if the terminal is of a kind that may have one.
    init(directory: RuntimeDirectory, terminal kind: String, stream: OutputStream = .standardOutput) {
        self.directory = directory.path
        terminal = TerminalLink.isKnown(by: kind) ? stream : nil
    }

    /// Sends the bytes to the clipboard where they fit, and to the file.
    func copy(_ bytes: [UInt8], name: String) throws -> TopMessage {
        let isSent = try send(bytes)
        let what = "copied \(name), \(Counted.text(bytes.count, "byte")) of JSON"
        do {
            // It is missing if the only daemon is private to a command.
            try? FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try AtomicFile.write(bytes, to: path)
        } catch  where isSent {
            return TopMessage(text: "\(what), to the clipboard if the terminal allows it; writing the file failed")
        }
        let file = Printable.text(path)
        return TopMessage(text: isSent ? "\(what), to the clipboard and \(file)" : "\(what), to \(file)")
    }

    private func send(_ bytes: [UInt8]) throws -> Bool {
        guard let terminal, (bytes.count + 2) / 3 * 4 <= Self.longestSequence else { return false }
        // Shows nothing and moves nothing, so that curses need not know of it.
        try terminal.write("\u{1B}]52;c;" + Data(bytes).base64EncodedString() + "\u{07}")
        return true
    }
}
