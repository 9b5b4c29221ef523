// SPDX-License-Identifier: MIT
// Hangs on disk while the daemon runs, so that a daemon that is killed has lost none.

internal import Logging
internal import NIOCore
import RerenderModel
import RerenderWire

/// Adds each hang to the state file as it ends. Confined to the registry's event loop.
///
/// Appends instead of writing the file anew, because a hang is a few hundred bytes and all of them are megabytes. A file
/// that has grown by `limit` bytes is replaced by what the registry holds, which is bounded. Nothing waits for the disk: what
/// was written survives the daemon, not a power failure.
final class HangJournal {
    private let registry: Registry
    private let directory: String?
    private let path: String?
    private let limit: Int
    private let log: Logger
    private var file: Descriptor?
    private var added = 0
    private var hasFailed = false

    init(of registry: Registry, _ configuration: DaemonConfiguration, log: Logger) {
        self.registry = registry
        directory = configuration.stateDirectory
        path = configuration.stateFile
        self.log = log
        limit = registry.limits.journalBytes
    }

    /// Replaces the file that was read by one of its hangs; what it says of evaluations would be outdated after a crash.
    func begin() {
        guard let path else { return }
        if registry.hasHangs { attempt(rewrite) }
        if file == nil { FileSystem.remove(path) }
    }

    /// Adds a hang once more: more is known of it.
    func addAgain(_ id: UInt64) {
        if let entry = registry.hangs.entry(id) { add(entry.hang, of: entry.process, counted: []) }
    }

    /// Adds a hang that the registry holds, and the counts that it changed.
    func add(_ hang: Hang, of identity: ProcessInstance, counted: [CountedHang]) {
        guard path != nil, !hasFailed, hang.id != 0 || !counted.isEmpty else { return }
        let bytes = StateFile.bytes(
            of: hang, identity, in: registry.process(identity), counted: counted, now: .now())
        attempt { () throws(DaemonError) in
            guard self.file != nil, self.added + bytes.count <= self.limit else { return try self.rewrite() }
            try self.file?.write(bytes)
            self.added += bytes.count
        }
    }

    private func rewrite() throws(DaemonError) {
        guard let directory, let path else { return }
        added = 0
        try FileSystem.makeDirectory(directory)
        let parts = StateFile.hangParts(
            of: registry, bootID: ProcessTable.bootID, limit: registry.limits.stateBytes / 2, now: .now())
        file = try Descriptor(replacing: path, with: parts)
    }

    /// Gives up after an error: a file with a gap would be read up to the gap.
    private func attempt(_ change: () throws(DaemonError) -> Void) {
        do throws(DaemonError) {
            try change()
        } catch {
            hasFailed = true
            file = nil
            log.error("cannot keep the hangs", metadata: ["file": "\(path ?? "")", "reason": "\(error)"])
        }
    }
}
