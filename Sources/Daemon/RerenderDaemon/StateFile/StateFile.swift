// SPDX-License-Identifier: MIT
// What the daemon knows, kept over its end: the push protocol's messages in a file.

import Glibc
import NIOCore
import RerenderModel
import RerenderWire

/// Writes a registry to bytes and takes it in again.
///
/// A file is frames: first the boot in which the pids mean what they say, then the hangs, then for each process what it
/// would send itself, followed by what only the daemon knows. So it is read by the code that reads apps, with the same distrust.
enum StateFile {
    enum Kind: UInt8 {
        /// The first message: version, boot, and since when daemons have watched that did not stop in order, or 0.
        case header = 200
        /// A store's own number, when it ended in nanoseconds since 1970, or 0, and what was lost of it.
        case storeOutcome
        /// When the process ended in nanoseconds since 1970, or 0; closes the process.
        case processOutcome
        /// A hang without its stacks, and whose it is.
        case hang
        /// One stack of the hang before it.
        case hangStack
        /// Up to where the hangs of the process are counted.
        case checkpoint
        /// Hangs that were counted in a store, and those that a view of it was blamed for.
        case storeHangs, viewHangs
        /// What tells the process's flight page from all others.
        case page
        /// Hangs of a store by the source or handler that they were in.
        case sourceHangs
    }

    static let version: UInt16 = 22

    // MARK: Writing

    /// The first bytes of a file.
    private static func header(of registry: Registry, _ bootID: String) -> [UInt8] {
        var writer = WireWriter()
        writer.message(kind: Kind.header.rawValue) {
            $0.integer(version)
            $0.string(bootID, limit: WireLimits.stringBytes)
            $0.integer(registry.watchedSince ?? 0)
        }
        return writer.bytes
    }

    /// What a file holds: the hangs that are over, and all processes. Of one with more than `views` views only its hangs.
    ///
    /// In at most `limit` bytes; those that do not fit are left out, the ones that ended first. In parts, one for each process or hang, so
    /// that the whole is never in one piece. A process is made a part when its turn comes. The registry may not change meanwhile.
    static func parts(
        of registry: Registry, bootID: String, limit: Int, views: Int = .max, now: NIODeadline
    ) -> some Sequence<[UInt8]> {
        let hangs = parts(of: registry.hangs, limit: limit / 2)
        return fill(limit, [header(of: registry, bootID)] + hangs, registry.processes) { process in
            if process.viewCount <= views { return bytes(of: process, now: now) }
            guard process.progress != nil || process.stores.contains(where: \.hasHangs) else { return [] }
            return bytes(ofHangsIn: process.stores.filter(\.hasHangs), of: process, now: now)
        }
    }

    /// Parts, and then processes while they fit, those that were heard of last first.
    private static func fill(
        _ limit: Int, _ parts: [[UInt8]], _ processes: [ProcessEntry], _ bytes: @escaping (ProcessEntry) -> [UInt8]
    ) -> some Sequence<[UInt8]> {
        var (first, rest) = (parts[...], processes[...])
        var room = limit - parts.reduce(0) { $0 + $1.count }
        return AnyIterator {
            if let part = first.popFirst() { return part }
            guard let part = rest.popLast().map(bytes), part.count <= room else {
                // Those before one that does not fit are left out, too.
                rest = []
                return nil
            }
            room -= part.count
            return part
        }
    }

    /// What one hang adds to such a file: itself, unless it is a micro-hang, the counts that it changed, and that the watch
    /// has come so far.
    static func bytes(
        of hang: Hang?, _ identity: ProcessInstance, in process: ProcessEntry?, counted: [Registry.HangCount],
        now: NIODeadline
    ) -> [UInt8] {
        var writer = WireWriter()
        if let hang, hang.id != 0 { write(hang, of: identity, to: &writer) }
        guard let process else { return writer.bytes }
        let blamed = Set(counted.compactMap { $0.view })
        return writer.bytes + bytes(ofHangsIn: counted.map { $0.store }, of: process, now: now) { blamed.contains($0) }
    }

    /// Hangs counted in stores of a process, without its views: the file has them as they were a moment ago, and the app tells of
    /// them when it comes back.
    static func bytes(
        ofHangsIn stores: [StoreEntry], of process: ProcessEntry, now: NIODeadline,
        where isIncluded: (UInt32) -> Bool = { _ in true }
    ) -> [UInt8] {
        var writer = WireWriter()
        AppMessage.hello(hello(of: process)).write(to: &writer)
        for store in stores {
            AppMessage.store(store.state).write(to: &writer)
            writeHangs(of: store, to: &writer, where: isIncluded)
            writeOutcome(of: store, to: &writer)
        }
        if let mark = process.progress {
            writer.message(kind: Kind.checkpoint.rawValue) { mark.write(to: &$0) }
        }
        writeOutcome(of: process, now: now, to: &writer)
        return writer.bytes
    }

    private static func hello(of process: ProcessEntry) -> Hello {
        Hello(
            pid: process.identity.pid, startTicks: process.identity.startTicks, copy: process.identity.copy,
            processName: process.name)
    }

    /// All that is known of a process.
    static func bytes(of process: ProcessEntry, now: NIODeadline) -> [UInt8] {
        var writer = WireWriter()
        AppMessage.hello(hello(of: process)).write(to: &writer)
        for store in process.stores {
            write(store, to: &writer)
        }
        if let mark = process.progress {
            writer.message(kind: Kind.checkpoint.rawValue) { mark.write(to: &$0) }
        }
        writeOutcome(of: process, now: now, to: &writer)
        return writer.bytes
    }

    private static func writeOutcome(of process: ProcessEntry, now: NIODeadline, to writer: inout WireWriter) {
        let endedAt = process.endedAt.map { Timestamp.now.nanosecondsSince1970 - (now - $0).nanoseconds } ?? 0
        if let page = process.pageIdentity {
            writer.message(kind: Kind.page.rawValue) {
                $0.integer(page.device)
                $0.integer(page.inode)
            }
        }
        writer.message(kind: Kind.processOutcome.rawValue) { $0.integer(endedAt) }
    }

    private static func write(_ store: StoreEntry, to writer: inout WireWriter) {
        AppMessage.store(store.state).write(to: &writer)
        for (index, view) in store.views.enumerated() {
            AppMessage.view(view.declaration(storeID: store.state.storeID, index: UInt32(index))).write(to: &writer)
            for (number, reason) in view.reasons.enumerated() {
                AppMessage.reason(
                    ReasonDeclaration(
                        storeID: store.state.storeID, viewIndex: UInt32(index), index: UInt8(number),
                        text: reason.text, attribution: reason.attribution)
                ).write(to: &writer)
            }
            for detail in view.details.records {
                AppMessage.detail(
                    DetailDeclaration(
                        storeID: store.state.storeID, viewIndex: UInt32(index), reason: detail.reason,
                        slot: detail.slot, text: detail.text)
                ).write(to: &writer)
            }
            if view.isReported { AppMessage.totals(view.message).write(to: &writer) }
        }
        write(store.cycles, of: store.state, AppMessage.cycle, to: &writer)
        write(store.work, of: store.state, AppMessage.work, to: &writer)
        writeLoop(of: store, to: &writer)
        writeHangs(of: store, to: &writer)
        writeOutcome(of: store, to: &writer)
    }

    private static func write<Item: StoreItem>(
        _ items: [Item], of store: StoreState, _ message: (ItemMessage<Item>) -> AppMessage,
        to writer: inout WireWriter
    ) {
        for (index, item) in items.enumerated() {
            message(ItemMessage(storeID: store.storeID, epoch: store.epoch, index: UInt8(index), item: item))
                .write(to: &writer)
        }
    }

    private static func writeLoop(of store: StoreEntry, to writer: inout WireWriter) {
        let (storeID, epoch) = (store.state.storeID, store.state.epoch)
        guard let totals = store.loop.totals else { return }
        AppMessage.loop(LoopMessage(storeID: storeID, epoch: epoch, totals: totals)).write(to: &writer)
        write(store.loop.rows, of: store.state, AppMessage.row, to: &writer)
        write(store.loop.facts, of: store.state, AppMessage.fact, to: &writer)
        guard !store.loop.threads.isEmpty else { return }
        AppMessage.threads(ThreadsMessage(storeID: storeID, epoch: epoch, threads: store.loop.threads))
            .write(to: &writer)
    }

    private static func writeOutcome(of store: StoreEntry, to writer: inout WireWriter) {
        writer.message(kind: Kind.storeOutcome.rawValue) {
            $0.integer(store.state.storeID)
            $0.integer(store.endedAt?.nanosecondsSince1970 ?? 0)
            $0.flag(store.refusedViews)
            $0.integer(store.lost)
        }
    }
}

extension ViewEntry {
    func declaration(storeID: UInt32, index: UInt32) -> ViewDeclaration {
        ViewDeclaration(storeID: storeID, index: index, key: key, file: file, line: line)
    }

    /// The view as its app would tell of it.
    fileprivate var message: TotalsMessage {
        var message = TotalsMessage(totals)
        for detail in details.records where detail.count > 0 {
            message.details.append(.init(reason: detail.reason, slot: detail.slot, count: detail.count))
        }
        for (index, reason) in reasons.enumerated() { message.add(reason.counts, of: UInt8(index)) }
        message.add(others, of: ViewTotals.otherReason)
        return message
    }
}

extension TotalsMessage {
    fileprivate mutating func add(_ counts: ViewEntry.ReasonCounts, of reason: UInt8) {
        if counts.count > 0 { reasonCounts.append(.init(index: reason, count: counts.count, passes: counts.passes)) }
        let others = [(DetailSlot.otherWriters, counts.otherWriters), (DetailSlot.otherChains, counts.otherChains)]
        for (slot, count) in others where count > 0 { details.append(.init(reason: reason, slot: slot, count: count)) }
    }
}

// The hangs in the state file, and how far those of each process are counted.

extension StateFile {
    /// A hang's number must be exact in JSON too.
    private static let hangNumbers: ClosedRange<UInt64> = 1...1 << 53

    // MARK: Writing

    /// The hangs that are over in at most `limit` bytes, the oldest first; those that do not fit are left out, the oldest again.
    static func parts(of book: HangHistory, limit: Int) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var count = 0
        for entry in book.entries.reversed() where !entry.hang.open {
            let part = bytes(of: entry)
            count += part.count
            if count > limit { break }
            parts.append(part)
        }
        return parts.reversed()
    }

    private static func bytes(of entry: HangHistory.Entry) -> [UInt8] {
        var writer = WireWriter()
        write(entry.hang, of: entry.process, to: &writer)
        return writer.bytes
    }

    static func write(_ hang: Hang, of process: ProcessInstance, to writer: inout WireWriter) {
        writer.message(kind: Kind.hang.rawValue) {
            $0.integer(process.startTicks)
            $0.integer(process.copy)
            hang.write(to: &$0)
        }
        for stack in hang.stacks {
            let sample = StackSample(
                hang: hang.id, turn: hang.turn, atNanoseconds: stack.atNanoseconds, frames: stack.frames,
                holder: stack.holder ?? [])
            writer.message(kind: Kind.hangStack.rawValue) { sample.write(to: &$0) }
        }
    }

    /// What the watchdog counted in a store and in the views that `isIncluded` says.
    static func writeHangs(
        of store: StoreEntry, to writer: inout WireWriter, where isIncluded: (UInt32) -> Bool = { _ in true }
    ) {
        guard store.hasHangs else { return }
        writer.message(kind: Kind.storeHangs.rawValue) {
            $0.integer(store.state.storeID)
            $0.value(store.hangs)
        }
        if !store.loop.hangs.isEmpty {
            writer.message(kind: Kind.sourceHangs.rawValue) {
                $0.integer(store.state.storeID)
                $0.integer(UInt8(store.loop.hangs.count))
                for hangs in store.loop.hangs { hangs.write(to: &$0) }
            }
        }
        for (offset, view) in store.views.enumerated() where view.hangs.count > 0 && isIncluded(UInt32(offset)) {
            let name = view.declaration(storeID: store.state.storeID, index: UInt32(offset))
            write(view.hangs, of: name, to: &writer)
        }
        for (index, hangs) in store.hangsOfUnnamed where isIncluded(index) {
            write(hangs, of: .unnamed(index, of: store.state.storeID), to: &writer)
        }
    }

    /// A view's hangs with its name: a process that has ended does not say it again.
    private static func write(_ hangs: HangTotals, of view: ViewDeclaration, to writer: inout WireWriter) {
        writer.message(kind: Kind.viewHangs.rawValue) {
            view.write(to: &$0)
            $0.value(hangs)
        }
    }

    // MARK: Reading

    static func hang(from reader: inout WireReader) throws(WireError) -> (hang: Hang, process: ProcessInstance) {
        let startTicks: UInt64 = try reader.integer()
        let copy: UInt32 = try reader.integer()
        let hang = try Hang(from: &reader)
        try reader.require(hangNumbers.contains(hang.id), or: .invalid("a hang's number"))
        return (hang, ProcessInstance(pid: hang.pid, startTicks: startTicks, copy: copy))
    }
}

extension WatchCheckpoint: WireFields {
    static var blank: WatchCheckpoint { WatchCheckpoint(origin: 0, seenLongTurns: 0, doneTurn: 0) }

    mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        origin = try coder.integer(origin)
        seenLongTurns = try coder.integer(seenLongTurns)
        doneTurn = try coder.integer(doneTurn)
    }
}
