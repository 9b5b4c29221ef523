// SPDX-License-Identifier: MIT
// The state on disk while the daemon runs, so that a daemon that is killed has lost little.

internal import Glibc
internal import Logging
internal import NIOCore
import RerenderModel
import RerenderWire

/// Adds to the state file what changes: each hang, each process as it begins and ends, and other processes every few seconds. Confined
/// to the registry's event loop.
///
/// Appends instead of writing the file anew, because what changes is a fraction of the whole. A file that has grown too long is
/// replaced by what the registry holds, which is bounded, and so is one that could not be written. Nothing is written, and no
/// timer runs, while nothing changes and the disk has room. Nothing waits for the disk: what was written survives the daemon, not a
/// power failure.
///
/// The file has room on the disk beside what is in it. While the disk is full, processes as they begin and end and hangs are added
/// there. The others wait.
final class StateJournal {
    /// Calls something later, on the event loop.
    typealias Schedule = (TimeAmount, @escaping () -> Void) -> Void

    private let registry: Registry
    private let directory: String?
    private let path: String?
    private let limits: DaemonLimits
    private let log: Logger
    private let schedule: Schedule
    private let clock: () -> NIODeadline
    /// Where to append; nil before the first file, and after an error: a file with a gap would be read up to the gap.
    private var file: Descriptor?
    /// The bytes that the file had when it was written anew, and those added since.
    private var (base, added) = (0, 0)
    /// Up to where the file has room on the disk.
    private var reserved = 0
    private var isRetryScheduled = false
    /// Whether most of that room is used up and the disk has no more: the rest is for what has no other place.
    private var isShort = false
    private var isFaulty = false
    private var isStopped = false
    /// A file that cannot be written costs as much work as one that can.
    private var rewrites = RateLimit(count: 1, period: 1_000_000_000)
    /// What found no way into the file, until it was written anew with all of it.
    private(set) var failures: UInt64 = 0
    /// Processes that have changed and are being added, one at a time.
    private var round: [ProcessInstance] = []
    private var roundBytes = 0
    private var isRoundScheduled = false
    private var nextRound = NIODeadline.uptimeNanoseconds(0)

    /// - Parameter clock: the monotonic clock, which tests drive.
    init(
        of registry: Registry, _ configuration: DaemonConfiguration, log: Logger,
        clock: @escaping () -> NIODeadline = { .now() }, schedule: @escaping Schedule
    ) {
        self.registry = registry
        directory = configuration.stateDirectory
        path = configuration.stateFile
        limits = registry.limits
        self.log = log
        self.clock = clock
        self.schedule = schedule
    }

    /// Replaces the file that was read by what the registry holds of it, and keeps it up to date from now on.
    ///
    /// If that fails, the old file stays: it is all there is.
    func begin() {
        guard path != nil else { return }
        attempt(rewrite)
        registry.onStoresChanged = { [weak self] in self?.add($1, of: $0) }
        registry.onLateStack = { [weak self] in self?.addAgain($0) }
        // At once: if the daemon and the process are killed together, the next daemon can say so.
        registry.onProcessBegan = { [weak self] in self?.add($0) }
        registry.onProcessEnded = { [weak self] in self?.add($0) }
        registry.onUnsaved = { [weak self] in self?.scheduleRound() }
    }

    /// Writes nothing any more: the whole state is about to be saved.
    func stop() { isStopped = true }

    /// Adds what the file does not have of processes, because the whole could not be saved; false if it still has not all.
    func addRest() -> Bool {
        guard path != nil, isStopped, file != nil else { return false }
        isStopped = false
        defer { isStopped = true }
        for process in registry.processes where process.isUnsaved { add(process) }
        return !isFaulty && registry.processes.allSatisfy { $0.viewCount <= limits.savedViews }
    }

    // MARK: Hangs

    /// Adds what has become of stores with hangs.
    private func add(_ stores: [StoreEntry], of process: ProcessEntry) {
        append(StateFile.bytes(ofHangsIn: stores, of: process, now: .now()))
    }

    /// Adds a hang once more: more is known of it.
    func addAgain(_ id: UInt64) {
        if let entry = registry.hangs.entry(id) { add(entry.hang, of: entry.process, counted: []) }
    }

    /// Adds a hang that the registry holds, if one is over, and the counts that it changed.
    func add(_ hang: Hang?, of identity: ProcessInstance, counted: [Registry.HangCount]) {
        guard path != nil else { return }
        // The list's own has its stacks, and whose it is where several copies of the library told of it.
        let listed = hang.flatMap { registry.hangs.entry($0.id) }
        append(
            StateFile.bytes(
                of: listed?.hang ?? hang, listed?.process ?? identity, in: registry.process(identity), counted: counted,
                now: .now()))
    }

    // MARK: Processes

    /// Adds all that is known of a process.
    private func add(_ process: ProcessEntry) {
        process.isUnsaved = false
        guard process.viewCount <= limits.savedViews else { return }
        let bytes = StateFile.bytes(of: process, now: .now())
        roundBytes += bytes.count
        append(bytes)
    }

    private func scheduleRound() {
        guard !isRoundScheduled, !isStopped else { return }
        isRoundScheduled = true
        schedule(max(limits.saveInterval, nextRound - clock())) { [weak self] in self?.beginRound() }
    }

    private func beginRound() {
        round = registry.processes.filter { $0.isUnsaved && $0.viewCount <= limits.savedViews }.map(\.identity)
        roundBytes = 0
        goOn()
    }

    /// Adds the next process of the round. The loop does other things before the one after it.
    private func goOn() {
        renewReserve()
        if isShort { round = [] }
        while !isStopped, let identity = round.popLast() {
            guard let process = registry.process(identity), process.isUnsaved else { continue }
            add(process)
            return schedule(limits.piecePause) { [weak self] in self?.goOn() }
        }
        isRoundScheduled = false
        nextRound = clock() + .nanoseconds(Int64(roundBytes) * 1_000_000_000 / Int64(limits.savedBytesPerSecond))
        if registry.processes.contains(where: { $0.isUnsaved && $0.viewCount <= limits.savedViews }) { scheduleRound() }
    }

    // MARK: The file

    private func append(_ bytes: [UInt8]) {
        attempt { () throws(DaemonError) in
            // A large file may grow by as much again, so that writing it anew costs no more than what is added.
            let room = max(self.limits.journalBytes, min(self.base, 4 * self.limits.journalBytes))
            guard self.file != nil, self.added + bytes.count <= room else { return try self.rewrite() }
            try self.file?.write(bytes)
            self.added += bytes.count
            self.renewReserve()
        }
    }

    /// Bytes of room that are left for what is added.
    private var reserveLeft: Int { reserved - base - added }

    /// Takes new room where half of it is used up: all of it, or what a small disk has.
    private func renewReserve() {
        isShort = false
        guard file != nil, reserveLeft < limits.journalReserve / 2 else { return }
        for bytes in [limits.journalReserve, limits.journalReserve / 4, limits.journalReserve / 16]
        where bytes > reserveLeft {
            switch file?.reserve(bytes, from: base + added) ?? ENOSPC {
            case 0:
                reserved = base + added + bytes
                return
            // Where a file system has no such thing, what is added needs none.
            case ENOSPC, EDQUOT: isShort = true
            default: return
            }
        }
    }

    private func rewrite() throws(DaemonError) {
        guard let directory, let path else { return }
        try FileSystem.makeDirectory(directory)
        let parts = StateFile.parts(
            of: registry, bootID: ProcessTable.bootID, limit: limits.runningStateBytes, views: limits.savedViews,
            now: .now())
        for process in registry.processes { process.isUnsaved = false }
        let file = try Descriptor(replacing: path, with: parts)
        (base, added) = (Int(try file.status().st_size), 0)
        self.file = consume file
        reserved = base
        renewReserve()
        // All of the state went through memory. What it left behind would be taken for the daemon's.
        FreedMemory.giveBack()
    }

    /// Tries again later where nothing changes: what the registry holds of programs that have ended is nowhere else.
    private func scheduleRetry() {
        guard !isRetryScheduled else { return }
        isRetryScheduled = true
        schedule(limits.stateRetry) { [weak self] in
            guard let self else { return }
            isRetryScheduled = false
            if isFaulty { attempt(rewrite) }
        }
    }

    /// Tries to change the file; after an error the next change writes it anew, at most once in a second.
    private func attempt(_ change: () throws(DaemonError) -> Void) {
        guard !isStopped else { return }
        guard !isFaulty || rewrites.admit(now: clock().uptimeNanoseconds) != nil else { return failures &+= 1 }
        do throws(DaemonError) {
            try change()
            if isFaulty { log.notice("keeps the state again", metadata: ["file": "\(path ?? "")"]) }
            isFaulty = false
        } catch {
            failures &+= 1
            file = nil
            scheduleRetry()
            guard !isFaulty else { return }
            isFaulty = true
            log.error("cannot keep the state", metadata: ["file": "\(path ?? "")", "reason": "\(error)"])
        }
    }
}
