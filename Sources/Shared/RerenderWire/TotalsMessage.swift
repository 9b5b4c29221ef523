// SPDX-License-Identifier: MIT
// A view's totals as they travel: the numbers, then the counts of its reasons, then those of their writers and chains.

package import RerenderModel

/// A view's numbers with the counts that belong to them. What the numbers have, the message has.
@dynamicMemberLookup
package struct TotalsMessage: Hashable, Sendable {
    package var totals: ViewTotals
    /// Counts by reason; those that are zero are left out.
    package var reasonCounts: [ReasonTotal] = []
    /// Counts of the reasons' writers and chains; those that are zero are left out. At most ``DetailSlot/perView``.
    package var details: [DetailCount] = []

    /// A count of the reason with that number.
    package struct ReasonTotal: Hashable, Sendable {
        package var index: UInt8
        package var count: UInt64
        /// Those of them that were passes.
        package var passes: UInt64

        package init(index: UInt8, count: UInt64, passes: UInt64 = 0) {
            self.index = index
            self.count = count
            self.passes = passes
        }
    }

    package init(_ totals: ViewTotals) {
        self.totals = totals
    }

    /// Whether it is a reason's number or ``ViewTotals/otherReason``.
    @inline(__always)
    static func isReason(_ index: UInt8) -> Bool {
        index < WireLimits.reasonsPerView || index == ViewTotals.otherReason
    }

    package subscript<Value>(dynamicMember field: WritableKeyPath<ViewTotals, Value>) -> Value {
        get { totals[keyPath: field] }
        set { totals[keyPath: field] = newValue }
    }

    func write(to writer: inout WireWriter) {
        writer.value(totals)
        writer.integer(UInt8(min(reasonCounts.count, WireLimits.reasonsPerView + 1)))
        writer.integer(UInt16(min(details.count, DetailSlot.perView)))
        for reason in reasonCounts.prefix(WireLimits.reasonsPerView + 1) {
            writer.integer(reason.index)
            writer.integer(reason.count)
            writer.integer(reason.passes)
        }
        for detail in details.prefix(DetailSlot.perView) {
            writer.integer(detail.reason)
            writer.integer(detail.slot)
            writer.integer(detail.count)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        totals = try reader.value()
        let rest = try TotalsRest(from: &reader)
        for _ in 0..<rest.reasons { reasonCounts.append(try reader.reasonTotal()) }
        for _ in 0..<rest.details { details.append(try reader.detailCount()) }
    }
}

/// What follows a view's numbers. A daemon that takes in millions of totals a second reads it without an array.
package struct TotalsRest: Sendable {
    /// How many times ``WireReader/reasonTotal()`` is to be called.
    package let reasons: UInt8
    /// How many times ``WireReader/detailCount()`` is to be called after that.
    package let details: UInt16

    /// Makes sure that all the reasons and details are there, so that nothing is taken in by halves.
    package init(from reader: inout WireReader) throws(WireError) {
        reasons = try reader.integer()
        details = try reader.integer()
        guard reasons <= WireLimits.reasonsPerView + 1 else { throw .invalid("the number of reasons") }
        guard details <= DetailSlot.perView else { throw .invalid("the number of writers and chains") }
        guard reader.remaining >= Int(reasons) * 17 + Int(details) * 10 else { throw .truncated }
    }
}

extension WireReader {
    /// The next of the reasons that ``TotalsRest/reasons`` announced.
    package mutating func reasonTotal() throws(WireError) -> TotalsMessage.ReasonTotal {
        TotalsMessage.ReasonTotal(index: try reasonNumber(), count: try integer(), passes: try integer())
    }

    /// The next of the writers and chains that ``TotalsRest/details`` announced.
    package mutating func detailCount() throws(WireError) -> DetailCount {
        let reason = try reasonNumber()
        let slot: UInt8 = try integer()
        guard slot < DetailSlot.perReason else { throw .invalid("the slot of a writer or chain") }
        return DetailCount(reason: reason, slot: slot, count: try integer())
    }

    /// A reason's number or ``ViewTotals/otherReason``.
    mutating func reasonNumber() throws(WireError) -> UInt8 {
        let index: UInt8 = try integer()
        guard TotalsMessage.isReason(index) else { throw .invalid("a reason's number") }
        return index
    }
}

/// The slots of one reason: some named writers, the other writers, some named chains, the other chains.
package enum DetailSlot: Sendable {
    /// Named writers, in the order in which they were met.
    package static let writers = 0..<UInt8(WireLimits.writersPerReason)
    /// All further writers.
    package static let otherWriters = writers.upperBound
    /// Named chains, in the order in which they were met.
    package static let chains = otherWriters + 1..<otherWriters + 1 + UInt8(WireLimits.chainsPerReason)
    /// All further chains.
    package static let otherChains = chains.upperBound
    /// Slots of one reason.
    package static let perReason = otherChains + 1
    /// Slots of one view: those of its numbered reasons and of `other`.
    package static let perView = (WireLimits.reasonsPerView + 1) * Int(perReason)

    /// Whether a text is declared for the slot.
    package static func isNamed(_ slot: UInt8) -> Bool { writers.contains(slot) || chains.contains(slot) }

    /// The slot that counts what has no slot of its own beside `slot`.
    package static func other(of slot: UInt8) -> UInt8 { slot <= otherWriters ? otherWriters : otherChains }
}

/// A count of one slot of one reason.
package struct DetailCount: Hashable, Sendable, BitwiseCopyable {
    /// The reason's number or ``ViewTotals/otherReason``.
    package var reason: UInt8
    /// See ``DetailSlot``.
    package var slot: UInt8
    package var count: UInt64

    package init(reason: UInt8, slot: UInt8, count: UInt64) {
        self.reason = reason
        self.slot = slot
        self.count = count
    }
}

// What an app tells of its main loop, and the bytes of it.

/// What the main loop of a process did. One store of the process tells of it.
package struct LoopMessage: Hashable, Sendable {
    package var storeID: UInt32
    package var epoch: UInt32
    package var totals: LoopTotals

    package init(storeID: UInt32, epoch: UInt32, totals: LoopTotals) {
        (self.storeID, self.epoch, self.totals) = (storeID, epoch, totals)
    }
}

/// Other threads of the process, in the place of those that were told of before.
package struct ThreadsMessage: Hashable, Sendable {
    package var storeID: UInt32
    package var epoch: UInt32
    /// At most ``ThreadTime/mostNames``.
    package var threads: [ThreadTime]

    package init(storeID: UInt32, epoch: UInt32, threads: [ThreadTime]) {
        (self.storeID, self.epoch, self.threads) = (storeID, epoch, threads)
    }
}

extension LoopMessage: WireFields {
    package static var blank: LoopMessage { LoopMessage(storeID: 0, epoch: 0, totals: LoopTotals()) }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        epoch = try coder.integer(epoch)
        totals = try coder.value(totals)
    }
}

extension LoopRow: StoreItem {
    package static var blank: LoopRow { LoopRow(.others, name: "") }
    package static var most: UInt8 { WireLimits.rowsPerStore }
    package static var number: String { "a row's number" }
    package var texts: [String?] { [name, place, of, thread] }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        kind = try coder.choice(kind, of: Kind.allCases, "the kind of a row")
        name = try coder.string(name, limit: WireLimits.stringBytes)
        place = try coder.text(place, limit: WireLimits.stringBytes)
        of = try coder.text(of, limit: WireLimits.stringBytes)
        thread = try coder.text(thread, limit: WireLimits.rowBytes)
        numbers = try coder.value(numbers)
    }
}

extension WidgetFact: StoreItem {
    package static var blank: WidgetFact { WidgetFact(.asker, view: "") }
    package static var most: UInt8 { WireLimits.factsPerStore }
    package static var number: String { "a fact's number" }
    package var texts: [String?] { [view, hidden, writer, parent] }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        kind = try coder.choice(kind, of: Kind.allCases, "the kind of a fact")
        view = try coder.string(view, limit: WireLimits.keyBytes)
        hidden = try coder.text(hidden, limit: WireLimits.stringBytes)
        writer = try coder.text(writer, limit: WireLimits.stringBytes)
        parent = try coder.text(parent, limit: WireLimits.keyBytes)
        numbers = try coder.value(numbers)
        interaction = try coder.interaction(interaction)
    }
}

extension WireCoder where Self: ~Escapable {
    /// What more is known of an interaction, as a flag and its fields.
    fileprivate mutating func interaction(
        _ value: WidgetFact.Interaction?
    ) throws(Failure) -> WidgetFact.Interaction? {
        guard try flag(value != nil) else { return nil }
        let blank = WidgetFact.Interaction(.press, at: Timestamp(nanosecondsSince1970: 0))
        var fields = value ?? blank
        fields.input = try choice(fields.input, of: WidgetFact.Interaction.Input.allCases, "the kind of an input")
        fields.at = try time(fields.at)
        fields.evaluations = try integer(fields.evaluations)
        fields.style = try integer(fields.style)
        fields.layout = try integer(fields.layout)
        fields.drawing = try integer(fields.drawing)
        fields.presentation = try integer(fields.presentation)
        return fields
    }
}

extension ThreadsMessage: WireFields {
    package static var blank: ThreadsMessage { ThreadsMessage(storeID: 0, epoch: 0, threads: []) }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        epoch = try coder.integer(epoch)
        let blank = ThreadTime(name: "", count: 0, atFirst: 0, processor: 0)
        threads = try coder.list(
            threads, limit: ThreadTime.mostNames, blank: blank, "the number of threads' names"
        ) { (coder, thread) throws(Coder.Failure) in
            ThreadTime(
                name: try coder.string(thread.name, limit: WireLimits.rowBytes), count: try coder.integer(thread.count),
                atFirst: try coder.integer(thread.atFirst), processor: try coder.integer(thread.processor))
        }
    }
}

/// In the state file alone: the daemon counts them.
extension SourceHangs: WireFields {
    package static var blank: SourceHangs { SourceHangs(name: "") }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        name = try coder.string(name, limit: WireLimits.keyBytes)
        let key = try coder.text(view?.rawValue, limit: WireLimits.keyBytes)
        view = key.map { ViewKey(rawValue: $0) }
        handler = try coder.text(handler, limit: WireLimits.keyBytes)
        call = try coder.text(call, limit: WireLimits.stringBytes)
        totals = try coder.value(totals)
    }
}
