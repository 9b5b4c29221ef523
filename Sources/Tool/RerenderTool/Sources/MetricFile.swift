// SPDX-License-Identifier: MIT
// The file of metrics: read before it is replaced, because its counters go on.

import Glibc
import RerenderShow

/// Metrics of a daemon, on their way to a file or to standard output.
struct MetricFile {
    /// Nil for standard output.
    private let path: String?
    private let state: MetricState?
    /// Held until the file is written.
    private let lock: MetricLock?

    /// The largest file that is gone on from: far above what the limits of the daemon allow.
    private static let mostBytes = 16 << 20

    /// Reads what is there. Throws status 73 where the path is another user's link, 74 where the file cannot be read or another
    /// export does not end.
    init(path: String?) throws(ToolFailure) {
        self.path = path
        if let path { try Self.refuseForeignLink(path) }
        lock = try path.flatMap { path throws(ToolFailure) in try MetricLock(path) }
        state = try path.flatMap { path throws(ToolFailure) in try Self.state(at: path) }
    }

    /// What the file has to go on from; nil where nothing is, or no plain file.
    private static func state(at path: String) throws(ToolFailure) -> MetricState? {
        guard FilePath.kind(path) == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        try InputFile.read(path, fault: { unreadable(path, $0) }) { piece throws(ToolFailure) in
            guard bytes.count + piece.count <= mostBytes else { throw unreadable(path, EFBIG) }
            bytes += piece
        }
        let state = MetricText.state(in: bytes)
        if state == nil, !bytes.isEmpty {
            FailureText.note(
                "rerenderctl: \(Printable.text(path)) has no counters that can go on: they begin anew")
        }
        return state
    }

    /// Asks the daemon, and writes.
    func write(from client: any QueryClient, to output: OutputOption) async throws {
        var ledger = MetricLedger(continuing: state)
        let health = try await client.health()
        let export = try await client.export(StatsQuery())
        for store in export.processes { ledger.add(store) }
        let result = ledger.result(at: export.generatedAt)
        let text = MetricText.text(
            result, forgotten: health.dropped.endedProcesses, uid: geteuid(), isContinued: path != nil)
        try withExtendedLifetime(lock) { try output.write(Array(text.utf8)) }
    }

    /// In a directory that others may write to, a link of theirs would have us replace a file of our own.
    private static func refuseForeignLink(_ path: String) throws(ToolFailure) {
        guard let owner = FilePath.linkOwner(path), owner != geteuid(), owner != 0 else { return }
        throw ToolFailure(
            ExitStatus.cannotCreate, "\(Printable.text(path)) is a link of another user: choose another file.")
    }

    private static func unreadable(_ path: String, _ error: CInt) -> ToolFailure {
        ToolFailure(
            ExitStatus.inputOutput,
            "cannot read \(Printable.text(path)), whose counters go on: \(SystemText.of(error)).\n"
                + "Remove it, and they begin anew.")
    }
}
