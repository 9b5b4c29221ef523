// SPDX-License-Identifier: MIT
// Hangs on disk while the daemon runs, so that a daemon that is killed has lost none.

internal import Logging
internal import NIOCore
import RerenderModel
import RerenderWire

/// Adds each hang to the state file as it ends. Confined to the registry's event loop.
///
/// Appends instead of writing the file anew, because a hang is a few hundred bytes and all of them are megabytes. A file
/// that has grown by `limit` bytes is replaced by what the registry holds, which is bounded, and so is one that could not be
/// written. Nothing waits for the disk: what was written survives the daemon, not a power failure.
final class HangJournal {
    private let registry: Registry
    private let directory: String?
    private let path: String?
    private let limit: Int
    private let log: Logger
    /// Where to append; nil before the first file, and after an error: a file with a gap would be read up to the gap.
    private var file: Descriptor?
    private var added = 0
    private var isFaulty = false
    /// A file that cannot be written costs as much work as one that can.
    private var rewrites = RateLimit(count: 1, period: 1_000_000_000)
    /// What found no way into the file, until it was written anew with all of it.
    private(set) var failures: UInt64 = 0

    init(of registry: Registry, _ configuration: DaemonConfiguration, log: Logger) {
        self.registry = registry
        directory = configuration.stateDirectory
        path = configuration.stateFile
        self.log = log
        limit = registry.limits.journalBytes
    }

    /// Replaces the file that was read by one of its hangs; what it says of evaluations would be outdated after a crash.
    ///
    /// If that fails, the old file stays: it is all there is.
    func begin() {
        guard path != nil else { return }
        attempt(rewrite)
        registry.onStoresChanged = { [weak self] in self?.add($1, of: $0) }
        registry.onLateStack = { [weak self] in self?.addAgain($0) }
    }

    /// Adds what has become of stores with hangs.
    private func add(_ stores: [StoreEntry], of process: ProcessEntry) {
        append(StateFile.bytes(ofHangsIn: stores, of: process, now: .now()))
    }

    /// Adds a hang once more: more is known of it.
    func addAgain(_ id: UInt64) {
        if let entry = registry.hangs.entry(id) { add(entry.hang, of: entry.process, counted: []) }
    }

    /// Adds a hang that the registry holds, if one is over, and the counts that it changed.
    func add(_ hang: Hang?, of identity: ProcessInstance, counted: [CountedHang]) {
        guard path != nil else { return }
        // The list's own has its stacks, and whose it is where several copies of the library told of it.
        let listed = hang.flatMap { registry.hangs.entry($0.id) }
        append(
            StateFile.bytes(
                of: listed?.hang ?? hang, listed?.process ?? identity, in: registry.process(identity), counted: counted,
                now: .now()))
    }

    private func append(_ bytes: [UInt8]) {
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

    /// Tries to change the file; after an error the next change writes it anew, at most once in a second.
    private func attempt(_ change: () throws(DaemonError) -> Void) {
        guard !isFaulty || rewrites.admit(now: Clocks.monotonic) != nil else { return failures &+= 1 }
        do throws(DaemonError) {
            try change()
            if isFaulty { log.notice("keeps the hangs again", metadata: ["file": "\(path ?? "")"]) }
            isFaulty = false
        } catch {
            failures &+= 1
            file = nil
            guard !isFaulty else { return }
            isFaulty = true
            log.error("cannot keep the hangs", metadata: ["file": "\(path ?? "")", "reason": "\(error)"])
        }
    }
}
