// SPDX-License-Identifier: MIT
// The hangs in the state file, and how far the watch of each process has come.

import RerenderModel
import RerenderWire

extension StateFile {
    /// A path longer than this is left out; a part of one would lead nowhere.
    private static let pathBytes = 4_096
    /// A hang's number must be exact in JSON too.
    private static let largestID: UInt64 = 1 << 53
    /// In nanoseconds; apps give milliseconds in 32 bits. Reckoning with a longer one would overflow.
    private static let longestThreshold = UInt64(UInt32.max) * 1_000_000
    /// Words for attribution, verdict and ending.
    private static let wordBytes = 32

    // MARK: Writing

    /// The hangs in at most `limit` bytes, the oldest first; those that do not fit are left out, the oldest again.
    static func parts(of book: HangHistory, limit: Int) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var count = 0
        for entry in book.entries.reversed() {
            let part = bytes(of: entry)
            count += part.count
            if count > limit { break }
            parts.append(part)
        }
        return parts.reversed()
    }

    private static func bytes(of entry: HangHistory.Entry) -> [UInt8] {
        var writer = WireWriter()
        writer.message(kind: Kind.hang.rawValue) { write(entry.hang, of: entry.process, to: &$0) }
        // One with all its stacks would not fit into a message.
        for stack in entry.hang.stacks {
            let sample = StackSample(
                hang: entry.hang.id, turn: entry.hang.turn, atNanoseconds: stack.atNanoseconds, frames: stack.frames)
            writer.message(kind: Kind.hangStack.rawValue) { sample.write(to: &$0) }
        }
        return writer.bytes
    }

    private static func write(_ hang: Hang, of process: ProcessInstance, to writer: inout WireWriter) {
        writer.integer(hang.id)
        writer.integer(process.pid)
        writer.integer(process.startTicks)
        writer.string(hang.process, limit: WireLimits.stringBytes)
        writer.integer(hang.startedAt.nanosecondsSince1970)
        writer.integer(hang.durationNanoseconds)
        writer.integer(hang.turn)
        writer.string(hang.view?.rawValue ?? "", limit: WireLimits.keyBytes)
        writer.string(hang.attribution.rawValue, limit: wordBytes)
        writer.string(hang.lastRendered?.rawValue ?? "", limit: WireLimits.keyBytes)
        writer.string(hang.verdict.rawValue, limit: wordBytes)
        writer.string(hang.waitingOn ?? "", limit: WireLimits.stringBytes)
        writer.string(hang.ended?.rawValue ?? "", limit: wordBytes)
        let trace = hang.trace ?? ""
        writer.string(trace.utf8.count > pathBytes ? "" : trace, limit: pathBytes)
        writer.flag(hang.counts)
        writer.optional(hang.openedAfterNanoseconds)
        writer.optional(hang.watchdogLatenessNanoseconds)
        writer.integer(hang.unattributedNanoseconds)
        writer.integer(UInt8(min(hang.shares.count, WireLimits.sharesPerHang)))
        for share in hang.shares.prefix(WireLimits.sharesPerHang) {
            writer.string(share.view.rawValue, limit: WireLimits.keyBytes)
            writer.integer(share.nanoseconds)
        }
    }

    static func write(_ mark: WatchCheckpoint, to writer: inout WireWriter) {
        writer.integer(mark.origin)
        writer.integer(mark.seenLongTurns)
        writer.integer(mark.doneTurn)
        writer.flag(mark.open != nil)
        guard let open = mark.open else { return }
        writer.integer(open.id)
        writer.integer(open.turn)
        writer.integer(open.startedAt)
        writer.integer(open.realStart.nanosecondsSince1970)
        writer.integer(open.threshold)
        writer.integer(open.lastSeen)
        writer.integer(open.openedAfter)
        writer.integer(open.lateness)
        writer.integer(UInt8(clamping: open.stacks))
        writer.flag(open.inBody != nil)
        guard let view = open.inBody else { return }
        writer.integer(view.storeID)
        writer.integer(view.index)
        writer.integer(view.epoch)
        writer.string(view.key, limit: WireLimits.keyBytes)
    }

    static func write(_ entry: NoticeLedger.Entry, to writer: inout WireWriter) {
        writer.flag(entry.owedBy != nil)
        writer.flag(entry.isOwedByView)
        // More stores than this are of no app that anyone has seen; a hang too few is better than one too many.
        let stores = (entry.owedBy ?? []).sorted().prefix(Int(UInt8.max))
        writer.integer(UInt8(stores.count))
        for store in stores { writer.integer(store) }
        entry.notice.write(to: &writer)
    }

    static func write(_ program: ProgramIdentity, to writer: inout WireWriter) {
        writer.integer(program.file.device)
        writer.integer(program.file.inode)
        writer.integer(program.startCode)
    }

    // MARK: Reading

    static func hang(from reader: inout WireReader) throws(WireError) -> (hang: Hang, process: ProcessInstance) {
        let id: UInt64 = try number(from: &reader)
        let process = ProcessInstance(pid: try reader.integer(), startTicks: try reader.integer())
        let name = try reader.string(limit: WireLimits.stringBytes)
        let startedAt = Timestamp(nanosecondsSince1970: try reader.integer())
        let duration: UInt64 = try reader.integer()
        var hang = Hang(id: id, pid: process.pid, process: name, startedAt: startedAt, turn: try reader.integer())
        hang.durationNanoseconds = duration
        hang.view = try reader.text(limit: WireLimits.keyBytes).map { ViewKey(rawValue: $0) }
        hang.attribution = try reader.word("why a view is blamed", limit: wordBytes) ?? .none
        hang.lastRendered = try reader.text(limit: WireLimits.keyBytes).map { ViewKey(rawValue: $0) }
        hang.verdict = try reader.word("a verdict", limit: wordBytes) ?? .unknown
        hang.waitingOn = try reader.text(limit: WireLimits.stringBytes)
        hang.ended = try reader.word("how a hang ended", limit: wordBytes)
        hang.open = hang.ended == nil
        hang.trace = try reader.text(limit: pathBytes)
        hang.counts = try reader.flag()
        hang.openedAfterNanoseconds = try reader.optional()
        hang.watchdogLatenessNanoseconds = try reader.optional()
        hang.unattributedNanoseconds = try reader.integer()
        let shares: UInt8 = try reader.integer()
        guard shares <= WireLimits.sharesPerHang else { throw .invalid("the number of shares") }
        for _ in 0..<shares {
            let view = ViewKey(rawValue: try reader.string(limit: WireLimits.keyBytes))
            hang.shares.append(Hang.Share(view: view, nanoseconds: try reader.integer()))
        }
        return (hang, process)
    }

    static func program(from reader: inout WireReader) throws(WireError) -> ProgramIdentity {
        ProgramIdentity(
            file: FileIdentity(device: try reader.integer(), inode: try reader.integer()),
            startCode: try reader.integer())
    }

    static func mark(from reader: inout WireReader) throws(WireError) -> WatchCheckpoint {
        var mark = WatchCheckpoint(
            origin: try reader.integer(), seenLongTurns: try reader.integer(), doneTurn: try reader.integer())
        guard try reader.flag() else { return mark }
        var open = WatchCheckpoint.Open(
            id: try number(from: &reader), turn: try reader.integer(), startedAt: try reader.integer(),
            realStart: Timestamp(nanosecondsSince1970: try reader.integer()), threshold: try reader.integer(),
            lastSeen: try reader.integer(), openedAfter: try reader.integer(), lateness: try reader.integer(),
            stacks: Int(try reader.integer(UInt8.self)))
        guard open.threshold <= longestThreshold else { throw .invalid("a hang's threshold") }
        if try reader.flag() {
            open.inBody = FlightView(
                storeID: try reader.integer(), index: try reader.integer(), epoch: try reader.integer(),
                key: try reader.string(limit: WireLimits.keyBytes))
        }
        mark.open = open
        return mark
    }

    static func notice(from reader: inout WireReader) throws(WireError) -> NoticeLedger.Entry {
        let wasSent = try reader.flag()
        let isOwedByView = try reader.flag()
        let count: UInt8 = try reader.integer()
        var stores: Set<UInt32> = []
        for _ in 0..<count { stores.insert(try reader.integer()) }
        var entry = NoticeLedger.Entry(notice: try HangNotice(from: &reader))
        (entry.owedBy, entry.isOwedByView) = (wasSent ? stores : nil, isOwedByView)
        return entry
    }

    private static func number(from reader: inout WireReader) throws(WireError) -> UInt64 {
        let id: UInt64 = try reader.integer()
        guard (1...largestID).contains(id) else { throw .invalid("a hang's number") }
        return id
    }
}

extension WireWriter {
    fileprivate mutating func optional(_ value: UInt64?) {
        flag(value != nil)
        integer(value ?? 0)
    }
}

extension WireReader {
    fileprivate mutating func optional() throws(WireError) -> UInt64? {
        let isThere = try flag()
        let value: UInt64 = try integer()
        return isThere ? value : nil
    }

    /// A text that is not empty.
    fileprivate mutating func text(limit: Int) throws(WireError) -> String? {
        let text = try string(limit: limit)
        return text.isEmpty ? nil : text
    }

    /// One of a few words; nil for none.
    fileprivate mutating func word<Word: RawRepresentable<String>>(
        _ what: String, limit: Int
    ) throws(WireError) -> Word? {
        guard let text = try text(limit: limit) else { return nil }
        guard let word = Word(rawValue: text) else { throw .invalid(what) }
        return word
    }
}
