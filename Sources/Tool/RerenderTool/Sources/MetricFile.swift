// SPDX-License-Identifier: MIT
// The file of metrics: locked and read before it is replaced, because its counters go on.

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

/// A file of metrics that no other export reads or replaces meanwhile: of two at once, the one that asked the daemon first could write
/// last, and a counter would fall.
///
/// The lock is the file's own, so that nothing else lies beside it. It ends with its owner, also one that is killed.
final class MetricLock {
    private let path: String
    private let file: CInt
    private let isNew: Bool

    /// How long to wait for another export; one takes a few milliseconds.
    private static let seconds = 10

    /// Waits for the lock; nil where there is no plain file to be locked, and none can be made.
    ///
    /// Throws status 74 where another export takes too long.
    init?(_ path: String) throws(ToolFailure) {
        self.path = FilePath.real(path) ?? path
        guard [nil, S_IFREG].contains(FilePath.kind(self.path)) else { return nil }
        var attempts = Self.seconds * 50
        while attempts > 0 {
            guard let (file, isNew) = Self.open(self.path) else { return nil }
            if Self.lock(file, self.path, &attempts) {
                (self.file, self.isNew) = (file, isNew)
                return
            }
            close(file)
        }
        throw ToolFailure(
            ExitStatus.inputOutput,
            "another export has written \(Printable.text(path)) for \(Self.seconds) seconds: try again later.")
    }

    deinit {
        // A file that was not written to is to be as it was.
        if isNew, Self.isStill(file, path) { _ = unsafe unlink(path) }
        close(file)
    }

    /// Waits for the lock of a file; false where it lost its path: the process that had it replaced it, and there is another one to be locked.
    private static func lock(_ file: CInt, _ path: String, _ attempts: inout Int) -> Bool {
        while attempts > 0, isStill(file, path) {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return isStill(file, path) }
            attempts -= 1
            usleep(20_000)
        }
        return false
    }

    private static func open(_ path: String) -> (file: CInt, isNew: Bool)? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY
        let known = unsafe Glibc.open(path, flags)
        if known >= 0 { return (known, false) }
        let made = unsafe Glibc.open(path, flags | O_CREAT | O_EXCL, 0o666)
        return made >= 0 ? (made, true) : nil
    }

    /// Whether a file has the path still.
    private static func isStill(_ file: CInt, _ path: String) -> Bool {
        var (own, there) = (stat(), stat())
        // Proof: both fill the local values.
        guard unsafe fstat(file, &own) == 0, unsafe stat(path, &there) == 0 else { return false }
        return (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino)
    }
}
