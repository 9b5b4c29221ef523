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

/// A source or handler, by the number that stands for it until its epoch ends: from 0 without gaps.
package struct RowMessage: Hashable, Sendable {
    package var storeID: UInt32
    package var epoch: UInt32
    package var index: UInt8
    package var row: LoopRow

    package init(storeID: UInt32, epoch: UInt32, index: UInt8, row: LoopRow) {
        (self.storeID, self.epoch, self.index, self.row) = (storeID, epoch, index, row)
    }
}

/// A fact of a widget, by the number that stands for it until its epoch ends: from 0 without gaps.
package struct FactMessage: Hashable, Sendable {
    package var storeID: UInt32
    package var epoch: UInt32
    package var index: UInt8
    package var fact: WidgetFact

    package init(storeID: UInt32, epoch: UInt32, index: UInt8, fact: WidgetFact) {
        (self.storeID, self.epoch, self.index, self.fact) = (storeID, epoch, index, fact)
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

extension RowMessage: WireFields {
    package static var blank: RowMessage {
        RowMessage(storeID: 0, epoch: 0, index: 0, row: LoopRow(.others, name: ""))
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        epoch = try coder.integer(epoch)
        index = try coder.integer(index)
        try coder.require(index < WireLimits.rowsPerStore, or: .invalid("a row's number"))
        row.kind = try coder.choice(row.kind, of: LoopRow.Kind.allCases, "the kind of a row")
        row.name = try coder.string(row.name, limit: WireLimits.stringBytes)
        row.place = try coder.text(row.place, limit: WireLimits.stringBytes)
        row.of = try coder.text(row.of, limit: WireLimits.stringBytes)
        row.thread = try coder.text(row.thread, limit: WireLimits.rowBytes)
        row.numbers = try coder.value(row.numbers)
    }
}

extension FactMessage: WireFields {
    package static var blank: FactMessage {
        FactMessage(storeID: 0, epoch: 0, index: 0, fact: WidgetFact(.asker, view: ""))
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        epoch = try coder.integer(epoch)
        index = try coder.integer(index)
        try coder.require(index < WireLimits.factsPerStore, or: .invalid("a fact's number"))
        fact.kind = try coder.choice(fact.kind, of: WidgetFact.Kind.allCases, "the kind of a fact")
        fact.view = try coder.string(fact.view, limit: WireLimits.keyBytes)
        fact.hidden = try coder.text(fact.hidden, limit: WireLimits.stringBytes)
        fact.writer = try coder.text(fact.writer, limit: WireLimits.stringBytes)
        fact.parent = try coder.text(fact.parent, limit: WireLimits.keyBytes)
        fact.numbers = try coder.value(fact.numbers)
        fact.interaction = try coder.interaction(fact.interaction)
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
