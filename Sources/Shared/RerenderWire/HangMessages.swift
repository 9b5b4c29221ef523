// SPDX-License-Identifier: MIT
// What the two sides tell each other of hangs, and the bytes of it.

package import RerenderModel

/// How many hangs, and how long the latest and the longest were.
package struct HangCounts: Hashable, Sendable, BitwiseCopyable {
    package var count: UInt64 = 0
    package var lastNanoseconds: UInt64 = 0
    package var worstNanoseconds: UInt64 = 0

    /// What it takes on the wire.
    static let byteCount = 24

    package init() {}

    /// Adds a hang.
    package mutating func add(nanoseconds: UInt64) {
        count &+= 1
        lastNanoseconds = nanoseconds
        worstNanoseconds = max(worstNanoseconds, nanoseconds)
    }

    package var totals: HangTotals {
        var totals = HangTotals()
        totals.count = count
        totals.lastNanoseconds = lastNanoseconds
        totals.worstNanoseconds = worstNanoseconds
        return totals
    }

    package func write(to writer: inout WireWriter) {
        writer.integer(count)
        writer.integer(lastNanoseconds)
        writer.integer(worstNanoseconds)
    }

    @inline(__always)
    package init(from reader: inout WireReader) throws(WireError) {
        count = try reader.integer()
        lastNanoseconds = try reader.integer()
        worstNanoseconds = try reader.integer()
    }
}

/// A hang or micro-hang that ended and counts, as the app is told of it.
///
/// The app compares the duration with each store's thresholds, counts, and calls the stores' handlers.
package struct HangNotice: Hashable, Sendable {
    /// Names the hang in the daemon's life; 0 for a micro-hang, which is not listed.
    package var id: UInt64
    package var startedAt: Timestamp
    package var durationNanoseconds: UInt64
    package var turn: UInt64
    /// The blamed view, empty if none is.
    package var view: String
    /// The store and the number of the blamed view.
    package var viewStoreID: UInt32
    package var viewIndex: UInt32
    package var viewEpoch: UInt32
    /// Empty if there was none.
    package var lastRendered: String
    package var attribution: HangAttribution
    package var verdict: HangVerdict
    /// Empty if it was not blocked or that is not known.
    package var waitingOn: String
    /// At most ``WireLimits/sharesPerHang``.
    package var shares: [Hang.Share]
    package var unattributedNanoseconds: UInt64

    package init(id: UInt64, startedAt: Timestamp, durationNanoseconds: UInt64, turn: UInt64) {
        self.id = id
        self.startedAt = startedAt
        self.durationNanoseconds = durationNanoseconds
        self.turn = turn
        view = ""
        viewStoreID = 0
        viewIndex = 0
        viewEpoch = 0
        lastRendered = ""
        attribution = .none
        verdict = .unknown
        waitingOn = ""
        shares = []
        unattributedNanoseconds = durationNanoseconds
    }

    package func write(to writer: inout WireWriter) {
        writer.integer(id)
        writer.integer(startedAt.nanosecondsSince1970)
        writer.integer(durationNanoseconds)
        writer.integer(turn)
        writer.string(view, limit: WireLimits.keyBytes)
        writer.integer(viewStoreID)
        writer.integer(viewIndex)
        writer.integer(viewEpoch)
        writer.string(lastRendered, limit: WireLimits.keyBytes)
        writer.integer(attribution.wireCode)
        writer.integer(verdict.wireCode)
        writer.string(waitingOn, limit: WireLimits.stringBytes)
        writer.integer(UInt8(min(shares.count, WireLimits.sharesPerHang)))
        for share in shares.prefix(WireLimits.sharesPerHang) {
            writer.string(share.view.rawValue, limit: WireLimits.keyBytes)
            writer.integer(share.nanoseconds)
        }
        writer.integer(unattributedNanoseconds)
    }

    package init(from reader: inout WireReader) throws(WireError) {
        id = try reader.integer()
        startedAt = Timestamp(nanosecondsSince1970: try reader.integer())
        durationNanoseconds = try reader.integer()
        turn = try reader.integer()
        view = try reader.string(limit: WireLimits.keyBytes)
        viewStoreID = try reader.integer()
        viewIndex = try reader.integer()
        viewEpoch = try reader.integer()
        lastRendered = try reader.string(limit: WireLimits.keyBytes)
        attribution = try HangAttribution(wireCode: reader.integer())
        verdict = try HangVerdict(wireCode: reader.integer())
        waitingOn = try reader.string(limit: WireLimits.stringBytes)
        let count = try reader.integer(UInt8.self)
        guard count <= WireLimits.sharesPerHang else { throw .invalid("the number of shares") }
        shares = []
        for _ in 0..<count {
            let view = ViewKey(rawValue: try reader.string(limit: WireLimits.keyBytes))
            shares.append(Hang.Share(view: view, nanoseconds: try reader.integer()))
        }
        unattributedNanoseconds = try reader.integer()
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

extension HangAttribution {
    fileprivate var wireCode: UInt8 {
        switch self {
        case .none: 0
        case .inBody: 1
        case .share: 2
        case .lastRendered: 3
        }
    }

    fileprivate init(wireCode: UInt8) throws(WireError) {
        guard let value = Self.allCases.first(where: { $0.wireCode == wireCode }) else {
            throw .invalid("why a view is blamed")
        }
        self = value
    }
}

extension HangVerdict {
    fileprivate var wireCode: UInt8 {
        switch self {
        case .unknown: 0
        case .running: 1
        case .blocked: 2
        case .starved: 3
        case .stopped: 4
        case .suspended: 5
        }
    }

    fileprivate init(wireCode: UInt8) throws(WireError) {
        guard let value = Self.allCases.first(where: { $0.wireCode == wireCode }) else { throw .invalid("a verdict") }
        self = value
    }
}
