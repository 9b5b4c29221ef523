// SPDX-License-Identifier: MIT
// The hangs in the state file, and how far those of each process are counted.

import RerenderModel
import RerenderWire

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
