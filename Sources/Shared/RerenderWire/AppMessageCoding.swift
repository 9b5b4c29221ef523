// SPDX-License-Identifier: MIT
// The bytes of the messages from an app: fields in the order in which they are written here.

import RerenderModel

extension AppMessage {
    private enum Kind: UInt8 {
        case hello = 1
        case store, view, reason, totals, done, storeEnded, goodbye, detail, stack
    }

    /// The kind of the message that makes up nearly all the traffic; see ``ViewTotals``.
    package static let totalsKind: UInt8 = Kind.totals.rawValue

    /// Appends the message to the frames in `writer`.
    package func write(to writer: inout WireWriter) {
        switch self {
        case .hello(let hello): writer.message(kind: Kind.hello.rawValue) { hello.write(to: &$0) }
        case .store(let state): writer.message(kind: Kind.store.rawValue) { state.write(to: &$0) }
        case .view(let view): writer.message(kind: Kind.view.rawValue) { view.write(to: &$0) }
        case .reason(let reason): writer.message(kind: Kind.reason.rawValue) { reason.write(to: &$0) }
        case .detail(let detail): writer.message(kind: Kind.detail.rawValue) { detail.write(to: &$0) }
        case .totals(let totals): writer.message(kind: Kind.totals.rawValue) { totals.write(to: &$0) }
        case .done(let result): writer.message(kind: Kind.done.rawValue) { result.write(to: &$0) }
        case .stack(let stack): writer.message(kind: Kind.stack.rawValue) { stack.write(to: &$0) }
        case .storeEnded(let storeID): writer.message(kind: Kind.storeEnded.rawValue) { $0.integer(storeID) }
        case .goodbye: writer.message(kind: Kind.goodbye.rawValue) { _ in }
        }
    }

    /// Reads one message's fields; nil for a kind that this version does not know.
    ///
    /// Fields may be followed by bytes that this version does not know; they are skipped.
    package init?(kind: UInt8, fields reader: inout WireReader) throws(WireError) {
        switch Kind(rawValue: kind) {
        case .hello: self = .hello(try Hello(from: &reader))
        case .store: self = .store(try StoreState(from: &reader))
        case .view: self = .view(try ViewDeclaration(from: &reader))
        case .reason: self = .reason(try ReasonDeclaration(from: &reader))
        case .detail: self = .detail(try DetailDeclaration(from: &reader))
        case .totals: self = .totals(try TotalsMessage(from: &reader))
        case .done: self = .done(try CommandResult(from: &reader))
        case .stack: self = .stack(try StackSample(from: &reader))
        case .storeEnded: self = .storeEnded(storeID: try reader.integer())
        case .goodbye: self = .goodbye
        case nil: return nil
        }
    }
}

extension Hello {
    func write(to writer: inout WireWriter) {
        writer.integer(WireProtocol.magic)
        writer.integer(version)
        writer.integer(pid)
        writer.integer(startTicks)
        writer.string(processName, limit: WireLimits.stringBytes)
        writer.string(flightPage, limit: WireLimits.stringBytes)
    }

    /// Throws ``WireError/versionMismatch(ours:theirs:)`` before it looks at a field that another version may not have.
    init(from reader: inout WireReader) throws(WireError) {
        guard try reader.integer(UInt32.self) == WireProtocol.magic else { throw .notRerender }
        version = try reader.integer()
        guard version == WireProtocol.version else {
            throw .versionMismatch(ours: WireProtocol.version, theirs: version)
        }
        pid = try reader.integer()
        startTicks = try reader.integer()
        processName = try reader.string(limit: WireLimits.stringBytes)
        flightPage = try reader.string(limit: WireLimits.stringBytes)
    }
}

extension StoreState {
    func write(to writer: inout WireWriter) {
        writer.integer(storeID)
        writer.string(name, limit: WireLimits.stringBytes)
        writer.integer(epoch)
        writer.integer(startedAt.nanosecondsSince1970)
        writer.flag(enabled)
        writer.integer(mainLoop.wireCode)
        writer.integer(hangThresholdMilliseconds)
        writer.integer(microHangThresholdMilliseconds)
        writer.integer(evaluations)
        writer.integer(dropped)
        writer.flag(hangStacks)
    }

    init(from reader: inout WireReader) throws(WireError) {
        storeID = try reader.integer()
        name = try reader.string(limit: WireLimits.stringBytes)
        epoch = try reader.integer()
        startedAt = Timestamp(nanosecondsSince1970: try reader.integer())
        enabled = try reader.flag()
        mainLoop = try MainLoopKind(wireCode: reader.integer())
        hangThresholdMilliseconds = try reader.integer()
        microHangThresholdMilliseconds = try reader.integer()
        evaluations = try reader.integer()
        dropped = try reader.integer()
        hangStacks = try reader.flag()
    }
}

extension ViewDeclaration {
    func write(to writer: inout WireWriter) {
        writer.integer(storeID)
        writer.integer(index)
        writer.string(key, limit: WireLimits.keyBytes)
        writer.string(file, limit: WireLimits.stringBytes)
        writer.integer(line)
    }

    init(from reader: inout WireReader) throws(WireError) {
        storeID = try reader.integer()
        index = try reader.integer()
        key = try reader.string(limit: WireLimits.keyBytes)
        file = try reader.string(limit: WireLimits.stringBytes)
        line = try reader.integer()
    }
}

extension ReasonDeclaration {
    func write(to writer: inout WireWriter) {
        writer.integer(storeID)
        writer.integer(viewIndex)
        writer.integer(index)
        writer.string(text, limit: WireLimits.stringBytes)
        writer.integer(attribution.wireCode)
    }

    init(from reader: inout WireReader) throws(WireError) {
        storeID = try reader.integer()
        viewIndex = try reader.integer()
        index = try reader.integer()
        guard index < WireLimits.reasonsPerView else { throw .invalid("a reason's number") }
        text = try reader.string(limit: WireLimits.stringBytes)
        attribution = try Attribution?(wireCode: reader.integer())
    }
}

extension DetailDeclaration {
    func write(to writer: inout WireWriter) {
        writer.integer(storeID)
        writer.integer(viewIndex)
        writer.integer(reason)
        writer.integer(slot)
        writer.string(text, limit: WireLimits.stringBytes)
    }

    init(from reader: inout WireReader) throws(WireError) {
        storeID = try reader.integer()
        viewIndex = try reader.integer()
        reason = try reader.reasonNumber()
        slot = try reader.integer()
        guard DetailSlot.isNamed(slot) else { throw .invalid("the slot of a writer or chain") }
        text = try reader.string(limit: WireLimits.stringBytes)
    }
}

extension CommandResult {
    func write(to writer: inout WireWriter) {
        writer.integer(request)
        writer.integer(reached)
    }

    init(from reader: inout WireReader) throws(WireError) {
        request = try reader.integer()
        reached = try reader.integer()
    }
}

extension MainLoopKind {
    var wireCode: UInt8 {
        switch self {
        case .none: 0
        case .glib: 1
        case .cfrunloop: 2
        case .ping: 3
        }
    }

    init(wireCode: UInt8) throws(WireError) {
        switch wireCode {
        case 0: self = .none
        case 1: self = .glib
        case 2: self = .cfrunloop
        case 3: self = .ping
        default: throw .invalid("the kind of main loop")
        }
    }
}

extension Attribution? {
    fileprivate var wireCode: UInt8 {
        switch self {
        case nil: 0
        case .exact: 1
        case .announced: 2
        case .diff: 3
        }
    }

    fileprivate init(wireCode: UInt8) throws(WireError) {
        switch wireCode {
        case 0: self = nil
        case 1: self = .exact
        case 2: self = .announced
        case 3: self = .diff
        default: throw .invalid("an attribution")
        }
    }
}
