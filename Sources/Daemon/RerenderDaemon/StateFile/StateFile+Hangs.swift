// SPDX-License-Identifier: MIT
// The hangs in the state file, and how far the watch of each process has come.

import RerenderModel
import RerenderWire

extension StateFile {
    /// A hang's number must be exact in JSON too.
    private static let largestID: UInt64 = 1 << 53
    /// In nanoseconds; apps give milliseconds in 32 bits. Reckoning with a longer one would overflow.
    private static let longestThreshold = UInt64(UInt32.max) * 1_000_000

    // MARK: Writing

    /// The hangs in at most `limit` bytes, the oldest first; those that do not fit are left out, the oldest again.
    static func parts(
        of book: HangHistory, limit: Int, where isIncluded: (Hang) -> Bool = { _ in true }
    ) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var count = 0
        for entry in book.entries.reversed() where isIncluded(entry.hang) {
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
            hang.write(to: &$0)
        }
        for stack in hang.stacks {
            let sample = StackSample(
                hang: hang.id, turn: hang.turn, atNanoseconds: stack.atNanoseconds, frames: stack.frames)
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
            $0.integer(view.storeID)
            $0.integer(view.index)
            $0.string(view.key, limit: WireLimits.keyBytes)
            $0.string(view.file, limit: WireLimits.stringBytes)
            $0.integer(view.line)
            $0.value(hangs)
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

    static func write(_ program: ProgramIdentity, to writer: inout WireWriter) {
        writer.integer(program.file.device)
        writer.integer(program.file.inode)
        writer.integer(program.startCode)
    }

    // MARK: Reading

    static func hang(from reader: inout WireReader) throws(WireError) -> (hang: Hang, process: ProcessInstance) {
        let startTicks: UInt64 = try reader.integer()
        let hang = try Hang(from: &reader)
        try check(id: hang.id)
        return (hang, ProcessInstance(pid: hang.pid, startTicks: startTicks))
    }

    static func viewHangs(from reader: inout WireReader) throws(WireError) -> (view: ViewDeclaration, hangs: HangTotals)
    {
        let view = ViewDeclaration(
            storeID: try reader.integer(), index: try reader.integer(),
            key: try reader.string(limit: WireLimits.keyBytes), file: try reader.string(limit: WireLimits.stringBytes),
            line: try reader.integer())
        return (view, try reader.value())
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

    private static func number(from reader: inout WireReader) throws(WireError) -> UInt64 {
        let id: UInt64 = try reader.integer()
        try check(id: id)
        return id
    }

    private static func check(id: UInt64) throws(WireError) {
        guard (1...largestID).contains(id) else { throw .invalid("a hang's number") }
    }
}
