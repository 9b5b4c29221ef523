// SPDX-License-Identifier: MIT
// The bytes of the messages from an app: fields in the order in which they are written here.

import RerenderModel

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
        case .cycle: self = .cycle(try CycleMessage(from: &reader))
        case .work: self = .work(try WorkMessage(from: &reader))
        case .loop: self = .loop(try LoopMessage(from: &reader))
        case .row: self = .row(try RowMessage(from: &reader))
        case .fact: self = .fact(try FactMessage(from: &reader))
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

extension CycleMessage: WireFields {
    package static var blank: CycleMessage {
        let none = Timestamp(nanosecondsSince1970: 0)
        let cycle = Cycle(steps: [], rounds: 0, latestRounds: 0, latestNanoseconds: 0, latestAt: none)
        return CycleMessage(storeID: 0, epoch: 0, index: 0, cycle: cycle)
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        epoch = try coder.integer(epoch)
        index = try coder.integer(index)
        try coder.require(index < WireLimits.cyclesPerStore, or: .invalid("a cycle's number"))
        let blank = Cycle.Step(name: "", writer: nil)
        cycle.steps = try coder.list(
            cycle.steps, limit: WireLimits.stepsPerCycle, blank: blank, "the number of a cycle's steps"
        ) { (coder, step) throws(Coder.Failure) in
            let name = try coder.string(step.name, limit: WireLimits.keyBytes)
            return Cycle.Step(name: name, writer: try coder.text(step.writer, limit: WireLimits.stringBytes))
        }
        cycle.rounds = try coder.integer(cycle.rounds)
        cycle.latestRounds = try coder.integer(cycle.latestRounds)
        cycle.latestNanoseconds = try coder.integer(cycle.latestNanoseconds)
        cycle.latestAt = try coder.time(cycle.latestAt)
        cycle.over = try coder.text(cycle.over, limit: WireLimits.stringBytes)
    }
}

extension WorkMessage: WireFields {
    package static var blank: WorkMessage {
        let none = Timestamp(nanosecondsSince1970: 0)
        return WorkMessage(storeID: 0, epoch: 0, index: 0, work: IdleWork(.evaluations, latestAt: none))
    }

    package mutating func code<Coder: WireCoder & ~Escapable>(with coder: inout Coder) throws(Coder.Failure) {
        storeID = try coder.integer(storeID)
        epoch = try coder.integer(epoch)
        index = try coder.integer(index)
        try coder.require(index < WireLimits.workPerStore, or: .invalid("the number of work without input"))
        work.kind = try coder.choice(work.kind, of: IdleWork.Kind.allCases, "the kind of work without input")
        work.view = try coder.string(work.view, limit: WireLimits.keyBytes)
        work.reason = try coder.string(work.reason, limit: WireLimits.stringBytes)
        work.writer = try coder.text(work.writer, limit: WireLimits.stringBytes)
        let source = try coder.text(work.callback?.source, limit: WireLimits.stringBytes)
        let function = try coder.text(work.callback?.function, limit: WireLimits.stringBytes)
        work.callback = source.map { IdleWork.Callback(source: $0, function: function) }
        try Self.code(&work.all, with: &coder)
        try Self.code(&work.latest, with: &coder)
        work.latestDuration = try coder.integer(work.latestDuration)
        work.latestAt = try coder.time(work.latestAt)
    }

    private static func code<Coder: WireCoder & ~Escapable>(
        _ amount: inout IdleWork.Amount, with coder: inout Coder
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
