// SPDX-License-Identifier: MIT
// What the two sides tell each other of hangs, and the bytes of it.

package import RerenderModel

/// A hang, or micro-hang, that ended and that the daemon has counted: what one store of the app is told.
///
/// The counts are the daemon's own totals, so that a notice that is lost thins the app's copy and cannot falsify it.
package struct HangNotice: Hashable, Sendable {
    package var storeID: UInt32
    /// The store's epoch that it was counted in; in another one the counts are void.
    package var epoch: UInt32
    /// The hang itself, without its stacks. Its number is 0 for a micro-hang, which is not listed.
    package var hang: Hang
    /// Whether it is a micro-hang by the store's thresholds: it is counted, and no handler is called.
    package var isMicroHang: Bool
    /// The store's counts, this one included.
    package var counts: StoreHangs
    /// The blamed view, if it is one of the store's current epoch.
    package var blamed: BlamedView?

    /// A view of the store, and the hangs that it was blamed for.
    package struct BlamedView: Hashable, Sendable {
        package var index: UInt32
        package var hangs: HangTotals

        package init(index: UInt32, hangs: HangTotals) {
            self.index = index
            self.hangs = hangs
        }
    }

    package init(storeID: UInt32, epoch: UInt32, hang: Hang, isMicroHang: Bool, counts: StoreHangs) {
        self.storeID = storeID
        self.epoch = epoch
        self.hang = hang
        self.isMicroHang = isMicroHang
        self.counts = counts
    }

    func write(to writer: inout WireWriter) {
        writer.integer(storeID)
        writer.integer(epoch)
        hang.write(to: &writer)
        writer.flag(isMicroHang)
        writer.value(counts)
        writer.flag(blamed != nil)
        if let blamed {
            writer.integer(blamed.index)
            writer.value(blamed.hangs)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        storeID = try reader.integer()
        epoch = try reader.integer()
        hang = try Hang(from: &reader)
        isMicroHang = try reader.flag()
        counts = try reader.value()
        if try reader.flag() { blamed = BlamedView(index: try reader.integer(), hangs: try reader.value()) }
    }
}

/// A hang's bytes, for an app and for the state file. Its stacks are not among them: all of them would not fit into a message.
extension Hang {
    /// A path longer than this is left out; a part of one would lead nowhere.
    private static let pathBytes = 4_096
    /// Words for attribution, verdict and ending.
    private static let wordBytes = 32

    package func write(to writer: inout WireWriter) {
        writer.integer(id)
        writer.integer(pid)
        writer.string(process, limit: WireLimits.stringBytes)
        writer.integer(startedAt.nanosecondsSince1970)
        writer.integer(turn)
        writer.integer(durationNanoseconds)
        writer.string(view?.rawValue ?? "", limit: WireLimits.keyBytes)
        writer.string(attribution.rawValue, limit: Self.wordBytes)
        writer.string(lastRendered?.rawValue ?? "", limit: WireLimits.keyBytes)
        writer.string(verdict.rawValue, limit: Self.wordBytes)
        writer.string(waitingOn ?? "", limit: WireLimits.stringBytes)
        writer.string(ended?.rawValue ?? "", limit: Self.wordBytes)
        let trace = trace ?? ""
        writer.string(trace.utf8.count > Self.pathBytes ? "" : trace, limit: Self.pathBytes)
        writer.flag(counts)
        writer.optional(openedAfterNanoseconds)
        writer.optional(watchdogLatenessNanoseconds)
        writer.integer(unattributedNanoseconds)
        writer.integer(UInt8(min(shares.count, WireLimits.sharesPerHang)))
        for share in shares.prefix(WireLimits.sharesPerHang) {
            writer.string(share.view.rawValue, limit: WireLimits.keyBytes)
            writer.integer(share.nanoseconds)
        }
    }

    package init(from reader: inout WireReader) throws(WireError) {
        self.init(
            id: try reader.integer(), pid: try reader.integer(),
            process: try reader.string(limit: WireLimits.stringBytes),
            startedAt: Timestamp(nanosecondsSince1970: try reader.integer()), turn: try reader.integer())
        durationNanoseconds = try reader.integer()
        view = try reader.text(limit: WireLimits.keyBytes).map { ViewKey(rawValue: $0) }
        attribution = try reader.word("why a view is blamed", limit: Self.wordBytes) ?? .none
        lastRendered = try reader.text(limit: WireLimits.keyBytes).map { ViewKey(rawValue: $0) }
        verdict = try reader.word("a verdict", limit: Self.wordBytes) ?? .unknown
        waitingOn = try reader.text(limit: WireLimits.stringBytes)
        ended = try reader.word("how a hang ended", limit: Self.wordBytes)
        open = ended == nil
        trace = try reader.text(limit: Self.pathBytes)
        counts = try reader.flag()
        openedAfterNanoseconds = try reader.optional()
        watchdogLatenessNanoseconds = try reader.optional()
        unattributedNanoseconds = try reader.integer()
        let count: UInt8 = try reader.integer()
        guard count <= WireLimits.sharesPerHang else { throw .invalid("the number of shares") }
        for _ in 0..<count {
            let view = ViewKey(rawValue: try reader.string(limit: WireLimits.keyBytes))
            shares.append(Share(view: view, nanoseconds: try reader.integer()))
        }
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

/// The main thread's stack in a hang, its functions named.
package struct StackSample: Hashable, Sendable {
    package var hang: UInt64
    package var turn: UInt64
    /// How long the turn had lasted.
    package var atNanoseconds: UInt64
    /// Innermost first; at most ``WireLimits/framesPerStack``.
    package var frames: [String]

    package init(hang: UInt64, turn: UInt64, atNanoseconds: UInt64, frames: [String]) {
        self.hang = hang
        self.turn = turn
        self.atNanoseconds = atNanoseconds
        self.frames = frames
    }

    package func write(to writer: inout WireWriter) {
        writer.integer(hang)
        writer.integer(turn)
        writer.integer(atNanoseconds)
        writer.integer(UInt8(min(frames.count, WireLimits.framesPerStack)))
        for frame in frames.prefix(WireLimits.framesPerStack) { writer.string(frame, limit: WireLimits.stringBytes) }
    }

    package init(from reader: inout WireReader) throws(WireError) {
        hang = try reader.integer()
        turn = try reader.integer()
        atNanoseconds = try reader.integer()
        let count = try reader.integer(UInt8.self)
        guard count <= WireLimits.framesPerStack else { throw .invalid("the number of frames") }
        frames = []
        for _ in 0..<count { frames.append(try reader.string(limit: WireLimits.stringBytes)) }
    }
}
