// SPDX-License-Identifier: MIT
// What an app tells of its main loop, and the bytes of it.

package import RerenderModel

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
