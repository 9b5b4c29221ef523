// SPDX-License-Identifier: MIT
// The traces that the flight recorder saved at hangs: where they are, which belongs to a hang, how many are kept, and
// the search for a new one.

import CShared
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
package import RerenderModel
import Signpost

/// The directory of saved traces. Blocks on files: call it off the event loop.
///
/// LTTng writes each snapshot into a directory of its own, and cannot delete any.
package struct HangCaptures: Sendable {
    /// The LTTng session and trigger that save them.
    package static let session = "rerender-hangs"
    /// How many are kept: a morning of hangs, and a list short enough to read.
    package static let kept = 16
    /// What they may take in all. The newest is kept however large it is.
    package static let keptBytes: UInt64 = 256 << 20
    /// The largest that LTTng may write.
    package static let snapshotBytes: UInt64 = 64 << 20
    /// How long after a hang its trace may begin to be written on a machine that is busy.
    static let patience: Int64 = 10_000_000_000
    /// Entries that are read of a directory; more than any machine has processors.
    private static let entries = 4_096

    package let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    /// Where they are for this user; nil without a home. The same for the daemon and for a shell, whatever the
    /// variables of either are: below the home and LTTng's usual directory.
    package static func current() -> HangCaptures? {
        guard let home = environmentVariable("HOME"), PathName.isAbsolute(home) else { return nil }
        return HangCaptures(directory: home + "/lttng-traces/" + session)
    }

    /// One saved trace.
    package struct Snapshot: Hashable, Sendable {
        package var path: String
        /// When LTTng began to write it.
        package var savedAt: Timestamp
        package var bytes: UInt64
    }

    /// All of them, the oldest first.
    package func snapshots() -> [Snapshot] {
        names().map { name in
            let path = directory + "/" + name
            return Snapshot(path: path, savedAt: Self.modified(path), bytes: Self.size(path, depth: 0))
        }.sorted { ($0.savedAt, $0.path) < ($1.savedAt, $1.path) }
    }

    /// The directory of the trace that was saved at a hang; nil if none was.
    ///
    /// It is the first that was saved after the hang was noticed: where several apps hang at once, one trace may show
    /// them all. Reads the time of each directory and no trace.
    ///
    /// - Parameter openedAt: When the hang crossed its threshold; nil where that is not known any more.
    package func trace(for hang: Hang, openedAt: Timestamp? = nil) -> String? {
        // The clock of files is up to a hundredth of a second behind.
        let start = (openedAt ?? hang.startedAt).nanosecondsSince1970 &- 10_000_000
        let end = hang.seenUntil.nanosecondsSince1970
        let saved = names().map { (path: directory + "/" + $0, at: Self.modified(directory + "/" + $0)) }
        let candidates = saved.filter {
            (start...max(start, end &+ Self.patience)).contains($0.at.nanosecondsSince1970)
        }
        return candidates.min { ($0.at, $0.path) < ($1.at, $1.path) }?.path
    }

    /// The result of one scan of the directory.
    struct Scan: Sendable {
        var directory: String
        /// The directories of traces that are left.
        var kept: Set<String>
        /// Where the traces of hangs are, by the hangs' numbers.
        var traces: [UInt64: String]
    }

    /// Deletes the oldest traces, and finds those of hangs; see ``trace(for:openedAt:)``.
    func scan(for hangs: [(hang: Hang, openedAt: Timestamp)]) -> Scan {
        _ = prune()
        var traces: [UInt64: String] = [:]
        for (hang, openedAt) in hangs { traces[hang.id] = trace(for: hang, openedAt: openedAt) }
        return Scan(directory: directory, kept: Set(names().map { directory + "/" + $0 }), traces: traces)
    }

    /// Deletes the oldest until no more than ``kept`` and ``keptBytes`` are left; returns how many it deleted.
    ///
    /// Touches only what LTTng made in this directory, and follows no link.
    @discardableResult
    package func prune(kept: Int = Self.kept, bytes limit: UInt64 = Self.keptBytes) -> Int {
        var left = snapshots()
        var bytes = left.reduce(UInt64(0)) { $0 &+ $1.bytes }
        var deleted = 0
        while left.count > max(1, kept) || (left.count > 1 && bytes > limit) {
            let oldest = left.removeFirst()
            bytes -= min(bytes, oldest.bytes)
            // One that cannot be deleted is tried again the next time.
            if (try? FileManager.default.removeItem(atPath: oldest.path)) != nil { deleted += 1 }
        }
        return deleted
    }

    /// Directories with the name that LTTng gives: `snapshot-1-20261121-053001-0`.
    private func names() -> [String] {
        guard Self.isDirectory(directory) else { return [] }
        return FileSystem.names(in: directory, limit: .max)
            .filter { Self.isSnapshot($0) && Self.isDirectory(directory + "/" + $0) }
    }

    /// Exactly what LTTng calls them: what a user renamed is not ours to delete.
    private static func isSnapshot(_ name: String) -> Bool {
        name.wholeMatch(of: /snapshot-[0-9]+-[0-9]{8}-[0-9]{6}-[0-9]+/) != nil
    }

    private static func isDirectory(_ path: String) -> Bool { FileSystem.status(of: path).map(isDirectory) ?? false }

    private static func isDirectory(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

    private static func modified(_ path: String) -> Timestamp {
        let time = FileSystem.status(of: path)?.st_mtim ?? timespec()
        return Timestamp(nanosecondsSince1970: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// What a directory takes on disk. LTTng's lie five deep (`ust/uid/1000/64-bit/index`).
    private static func size(_ path: String, depth: Int) -> UInt64 {
        guard let status = FileSystem.status(of: path) else { return 0 }
        let bytes = UInt64(clamping: status.st_blocks) &* 512
        guard isDirectory(status), depth < 8 else { return bytes }
        return FileSystem.names(in: path, limit: entries)
            .reduce(bytes) { $0 &+ size(path + "/" + $1, depth: depth + 1) }
    }
}

/// Looks for the trace of each hang that ended, off the event loop to which it is confined.
final class CaptureSearch {
    private let context: DaemonContext
    /// Hangs whose traces the next scan searches for.
    private var waiting: [(hang: Hang, openedAt: Timestamp)] = []
    private var isScanning = false
    /// The hang of that number has got a trace.
    private let onFound: (UInt64) -> Void

    init(_ context: DaemonContext, onFound: @escaping (UInt64) -> Void) {
        self.context = context
        self.onFound = onFound
    }

    /// Looks for the trace of a hang that has just ended: after a moment, since LTTng still writes it.
    func search(for hang: Hang) {
        let openedAt = hang.startedAt.nanosecondsSince1970 &+ Int64(clamping: hang.openedAfterNanoseconds ?? 0)
        context.loop.scheduleTask(in: context.limits.captureDelay) {
            self.waiting.append((hang, Timestamp(nanosecondsSince1970: openedAt)))
            self.scan()
        }
    }

    /// One scan at a time, for all hangs that wait: the directory may be on a slow disk.
    private func scan() {
        guard !isScanning, !waiting.isEmpty else { return }
        isScanning = true
        let hangs = waiting
        waiting = []
        let loop = context.loop.nonisolated()
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { HangCaptures.current()?.scan(for: hangs) }
            .assumeIsolated().whenComplete { result in
                self.isScanning = false
                if case .success(let scan?) = result { self.take(scan) }
                self.scan()
            }
    }

    private func take(_ scan: HangCaptures.Scan) {
        context.registry.hangs.forgetTraces(in: scan.directory, except: scan.kept)
        for (id, trace) in scan.traces {
            context.registry.noteTrace(trace, ofHang: id)
            onFound(id)
        }
    }
}

// Hangs in the trace: `com.rerender.Hang:begin` and `:end`.

/// The provider `com.rerender.Hang`: one of the process, even if several daemons run in it.
enum HangSignposts {
    private static let provider = Provider.reserved(.hang)

    /// Makes the provider, and has the tracer loaded, which waits for a session daemon. Both wait for nothing here.
    static func load() {
        _ = provider
        SignpostTracing.load()
    }

    /// Emits that a hang was opened: its view is a guess. `startedAt` is by the monotonic clock.
    static func began(_ hang: Hang, startedAt: UInt64) {
        if provider.beginIsOn { emit(hang, startedAt) { $0.emitBegin() } }
    }

    /// Emits the end of what turned out not to be a hang, with a duration of 0, which no hang has.
    static func dropped(_ hang: Hang) {
        var hang = hang
        hang.durationNanoseconds = 0
        ended(hang, startedAt: Clocks.monotonic)
    }

    /// Emits that a hang ended. `startedAt` is by the monotonic clock.
    static func ended(_ hang: Hang, startedAt: UInt64) {
        if provider.endIsOn { emit(hang, startedAt) { $0.emitEnd() } }
    }

    private static func emit(_ hang: Hang, _ startedAt: UInt64, _ emit: (csignpost_hang) -> Void) {
        let age = Clocks.monotonic.saturatingDifference(startedAt)
        let handlerTime: UInt64 = hang.handler == nil ? 0 : hang.share ?? 0
        let shareText = HangShareText.text(of: hang)
        FieldText.lend(hang.handler ?? "", hang.source ?? "", hang.call ?? "", shareText) {
            handler, source, call, shares, _ in
            FieldText.lend(
                hang.view?.rawValue ?? "", hang.lastRendered?.rawValue ?? "", hang.viewAtThreshold?.rawValue ?? ""
            ) { name, lastRendered, atThreshold, _, _ in
                emit(
                    csignpost_hang(
                        signpost_id: hang.id, name: name, last_rendered: lastRendered,
                        pid: UInt32(bitPattern: hang.pid),
                        attribution: TraceCode.code(hang.attribution, none: .none),
                        verdict: TraceCode.code(hang.verdict, none: .unknown),
                        duration_ns: hang.durationNanoseconds, at_threshold: atThreshold, turn: hang.turn,
                        age_ns: age, starved_ns: hang.starvedNanoseconds, guess: hang.guess ? 1 : 0,
                        store_id: number(hang.viewStore), at_threshold_store_id: number(hang.viewAtThresholdStore),
                        last_rendered_store_id: number(hang.lastRenderedStore), stopped_ns: hang.stoppedNanoseconds,
                        counts: hang.counts ? 1 : 0, handler: handler, handler_ns: handlerTime,
                        source: source, call: call, excused: Self.excuse(of: hang), own_ns: hang.share ?? 0,
                        shares: shares))
            }
        }
    }

    private static func excuse(of hang: Hang) -> UInt8 {
        if hang.ended == .exited { return 1 }
        // What it waited for is in the trace by itself.
        return hang.isFirstDrawing ? 2 : 0
    }

    /// The number of a store; no store has the largest, which stands for none.
    private static func number(_ store: Hang.Store?) -> UInt32 { store?.number ?? .max }
}

// Marks in the trace: `com.rerender.Mark:event`.

/// The provider `com.rerender.Mark`: one of the process, even if several daemons run in it.
enum MarkSignposts {
    private static let signposter = Signposter(subsystem: "com.rerender", category: "Mark")

    /// Makes the provider. Waits for nothing: the tracer is loaded on a thread of its own.
    static func load() {
        _ = signposter
    }

    /// Emits a mark, whose name is the event's message.
    static func emit(_ name: String) { signposter.emitEvent("mark", name) }
}
