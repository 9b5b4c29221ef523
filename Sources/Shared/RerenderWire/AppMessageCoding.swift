// SPDX-License-Identifier: MIT
// The bytes of the messages from an app: fields in the order in which they are written here.

package import RerenderModel

extension AppMessage {
    private enum Kind: UInt8 {
        case hello = 1
        case store, view, reason, totals, done, storeEnded, goodbye, detail, stack, handler, cycle, work
        case loop, row, fact, threads, mark
    }

    /// The kind of the message that makes up nearly all the traffic; see ``ViewTotals``.
    package static let totalsKind: UInt8 = Kind.totals.rawValue

    /// Appends the message to the frames in `writer`.
    package func write(to writer: inout WireWriter) {
        switch self {
        case .hello(let hello): writer.message(kind: Kind.hello.rawValue) { hello.write(to: &$0) }
        case .store(let state): writer.message(kind: Kind.store.rawValue) { state.write(to: &$0) }
        case .view(let view): writer.message(kind: Kind.view.rawValue) { view.write(to: &$0) }
        case .handler(let handler): writer.message(kind: Kind.handler.rawValue) { handler.write(to: &$0) }
        case .reason(let reason): writer.message(kind: Kind.reason.rawValue) { reason.write(to: &$0) }
        case .detail(let detail): writer.message(kind: Kind.detail.rawValue) { detail.write(to: &$0) }
        case .totals(let totals): writer.message(kind: Kind.totals.rawValue) { totals.write(to: &$0) }
        case .cycle(let cycle): writer.message(kind: Kind.cycle.rawValue) { cycle.write(to: &$0) }
        case .work(let work): writer.message(kind: Kind.work.rawValue) { work.write(to: &$0) }
        case .loop(let loop): writer.message(kind: Kind.loop.rawValue) { loop.write(to: &$0) }
        case .row(let row): writer.message(kind: Kind.row.rawValue) { row.write(to: &$0) }
        case .fact(let fact): writer.message(kind: Kind.fact.rawValue) { fact.write(to: &$0) }
        case .threads(let threads): writer.message(kind: Kind.threads.rawValue) { threads.write(to: &$0) }
        case .mark(let name):
            writer.message(kind: Kind.mark.rawValue) { $0.string(name, limit: MarkRequest.longestName) }
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
        case .handler: self = .handler(try HandlerDeclaration(from: &reader))
        case .reason: self = .reason(try ReasonDeclaration(from: &reader))
        case .detail: self = .detail(try DetailDeclaration(from: &reader))
        case .totals: self = .totals(try TotalsMessage(from: &reader))
        case .cycle: self = .cycle(try ItemMessage(from: &reader))
        case .work: self = .work(try ItemMessage(from: &reader))
        case .loop: self = .loop(try LoopMessage(from: &reader))
        case .row: self = .row(try ItemMessage(from: &reader))
        case .fact: self = .fact(try ItemMessage(from: &reader))
        case .threads: self = .threads(try ThreadsMessage(from: &reader))
        case .mark: self = .mark(try reader.string(limit: MarkRequest.longestName))
        case .done: self = .done(try CommandResult(from: &reader))
        case .stack: self = .stack(try StackSample(from: &reader))
        case .storeEnded: self = .storeEnded(storeID: try reader.integer())
        case .goodbye: self = .goodbye
        case nil: return nil
        }
    }
}

extension Hello: WireFields {
    package static var blank: Hello { Hello(pid: 0, startTicks: 0, processName: "") }

    /// Throws ``WireError/versionMismatch(ours:theirs:)`` before it looks at a field that another version may not have.
    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        let magic = try coder.integer(WireProtocol.magic)
        try coder.require(magic == WireProtocol.magic, or: .notRerender)
        version = try coder.integer(version)
        try coder.require(
            version == WireProtocol.version, or: .versionMismatch(ours: WireProtocol.version, theirs: version))
        pid = try coder.integer(pid)
        startTicks = try coder.integer(startTicks)
        let number = try coder.integer(copy ?? .max)
        copy = number == .max ? nil : number
        processName = try coder.string(processName, limit: WireLimits.stringBytes)
    }
}

extension StoreState: WireFields {
    package static var blank: StoreState {
        StoreState(storeID: 0, name: "", startedAt: Timestamp(nanosecondsSince1970: 0))
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        name = try coder.string(name, limit: WireLimits.stringBytes)
        kind = try coder.choice(kind, of: [nil, .views, .injectedViews, .widgets, .loop], "the kind of a store")
        epoch = try coder.integer(epoch)
        startedAt = try coder.time(startedAt)
        countedSince = try coder.time(countedSince)
        enabled = try coder.flag(enabled)
        mainLoop = try coder.choice(mainLoop, of: LoopLayout.monitors, "the kind of main loop")
        hangThresholdMilliseconds = try coder.integer(hangThresholdMilliseconds)
        microHangThresholdMilliseconds = try coder.integer(microHangThresholdMilliseconds)
        evaluations = try coder.integer(evaluations)
        dropped = try coder.integer(dropped)
        hangStacks = try coder.flag(hangStacks)
        isConfigured = try coder.flag(isConfigured)
        frames = try coder.value(frames)
        gaps = try coder.list(gaps, limit: WireLimits.gapsPerStore, blank: "", "the number of gaps") {
            (coder, gap) throws(Coder.Failure) in
            try coder.string(gap, limit: WireLimits.gapBytes)
        }
    }
}

extension ViewDeclaration: WireFields {
    package static var blank: ViewDeclaration { ViewDeclaration(storeID: 0, index: 0, key: "", file: "", line: 0) }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        index = try coder.integer(index)
        key = try coder.string(key, limit: WireLimits.keyBytes)
        file = try coder.string(file, limit: WireLimits.stringBytes)
        line = try coder.integer(line)
    }
}

extension HandlerDeclaration: WireFields {
    package static var blank: HandlerDeclaration {
        HandlerDeclaration(storeID: 0, index: 0, name: HandlerName(view: nil, name: ""))
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        index = try coder.integer(index)
        try coder.require(index < WireLimits.handlersPerStore, or: .invalid("a handler's number"))
        let view = try coder.text(name.view, limit: WireLimits.keyBytes)
        name = HandlerName(view: view, name: try coder.string(name.name, limit: WireLimits.stringBytes))
    }
}

extension ItemMessage: WireFields {
    package static var blank: ItemMessage { ItemMessage(storeID: 0, epoch: 0, index: 0, item: .blank) }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        epoch = try coder.integer(epoch)
        index = try coder.integer(index)
        try coder.require(index < Item.most, or: .invalid(Item.number))
        try item.code(with: &coder)
    }
}

extension Cycle: StoreItem {
    package static var blank: Cycle {
        let none = Timestamp(nanosecondsSince1970: 0)
        return Cycle(steps: [], rounds: 0, latestRounds: 0, latestNanoseconds: 0, latestAt: none)
    }

    package static var most: UInt8 { WireLimits.cyclesPerStore }
    package static var number: String { "a cycle's number" }
    package var texts: [String?] { steps.flatMap { [$0.name, $0.writer] } + [over] }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        let blank = Step(name: "", writer: nil)
        steps = try coder.list(
            steps, limit: WireLimits.stepsPerCycle, blank: blank, "the number of a cycle's steps"
        ) { (coder, step) throws(Coder.Failure) in
            let name = try coder.string(step.name, limit: WireLimits.keyBytes)
            return Step(name: name, writer: try coder.text(step.writer, limit: WireLimits.stringBytes))
        }
        rounds = try coder.integer(rounds)
        latestRounds = try coder.integer(latestRounds)
        latestNanoseconds = try coder.integer(latestNanoseconds)
        latestAt = try coder.time(latestAt)
        over = try coder.text(over, limit: WireLimits.stringBytes)
    }
}

extension IdleWork: StoreItem {
    package static var blank: IdleWork { IdleWork(.evaluations, latestAt: Timestamp(nanosecondsSince1970: 0)) }
    package static var most: UInt8 { WireLimits.workPerStore }
    package static var number: String { "the number of work without input" }
    package var texts: [String?] { [view, reason, writer, callback?.source, callback?.function] }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        kind = try coder.choice(kind, of: Kind.allCases, "the kind of work without input")
        view = try coder.string(view, limit: WireLimits.keyBytes)
        reason = try coder.string(reason, limit: WireLimits.stringBytes)
        writer = try coder.text(writer, limit: WireLimits.stringBytes)
        let source = try coder.text(callback?.source, limit: WireLimits.stringBytes)
        let function = try coder.text(callback?.function, limit: WireLimits.stringBytes)
        callback = source.map { Callback(source: $0, function: function) }
        try Self.code(&all, with: &coder)
        try Self.code(&latest, with: &coder)
        latestDuration = try coder.integer(latestDuration)
        latestAt = try coder.time(latestAt)
    }

    private static func code<Coder: WireCoder & ~Escapable>(
        _ amount: inout Amount, with coder: inout Coder
    ) throws(Coder.Failure) {
        amount.own = try coder.integer(amount.own)
        amount.count = try coder.integer(amount.count)
        amount.nanoseconds = try coder.integer(amount.nanoseconds)
        amount.wasted = try coder.optional(amount.wasted)
    }
}

extension ReasonDeclaration: WireFields {
    package static var blank: ReasonDeclaration {
        ReasonDeclaration(storeID: 0, viewIndex: 0, index: 0, text: "", attribution: nil)
    }

    private static let attributions: [Attribution?] = [nil] + Attribution.allCases.map(Optional.some)

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        viewIndex = try coder.integer(viewIndex)
        index = try coder.integer(index)
        try coder.require(index < WireLimits.reasonsPerView, or: .invalid("a reason's number"))
        text = try coder.string(text, limit: WireLimits.stringBytes)
        attribution = try coder.choice(attribution, of: Self.attributions, "an attribution")
    }
}

extension DetailDeclaration: WireFields {
    package static var blank: DetailDeclaration {
        DetailDeclaration(storeID: 0, viewIndex: 0, reason: 0, slot: 0, text: "")
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        viewIndex = try coder.integer(viewIndex)
        reason = try coder.integer(reason)
        try coder.require(TotalsMessage.isReason(reason), or: .invalid("a reason's number"))
        slot = try coder.integer(slot)
        try coder.require(DetailSlot.isNamed(slot), or: .invalid("the slot of a writer or chain"))
        text = try coder.string(text, limit: WireLimits.stringBytes)
    }
}

extension CommandResult: WireFields {
    package static var blank: CommandResult { CommandResult(request: 0, reached: 0) }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        request = try coder.integer(request)
        reached = try coder.integer(reached)
        answered = try coder.integer(answered)
        shown = try coder.integer(shown)
        instances = try coder.integer(instances)
    }
}
