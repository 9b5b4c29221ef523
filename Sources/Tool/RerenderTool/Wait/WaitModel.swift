// SPDX-License-Identifier: MIT
// What `rerenderctl wait` waits for, and what it saw meanwhile. Pure.

import RerenderShow

/// Reads live events until one is what somebody waits for.
struct WaitModel: Sendable {
    enum Goal: Hashable, Sendable {
        /// A process that is connected.
        case program
        /// A view that was evaluated; its key, a part of it, or its handle.
        case view(String)
        /// No evaluation for ``WaitModel/quiet``, and no hang in it.
        case idle
        /// A hang that begins or goes on from now on.
        case hang
    }

    /// How long nothing is evaluated before a program counts as idle.
    static let quiet = Duration.seconds(1)
    /// The keys that are remembered for a failure's text, and the hangs.
    private static let keptKeys = 10_000

    let goal: Goal
    let process: String?
    /// When the waiting began, by the clock of hangs.
    private let began: Timestamp
    /// What was seen of what is waited for; nil until then.
    private(set) var reached: String?
    private var stream = EventStream()
    /// The connected stores. After an `exec` a store has the process and number of one that has ended.
    private var connected: [StoreID: ProcessStats] = [:]
    private var keys: Set<String> = []
    /// When a view was evaluated last, and which one.
    private var latest: (key: String, at: ContinuousClock.Instant)?
    private var isQuietSince: ContinuousClock.Instant
    /// The hangs that go on, and when the daemon named one last. While a loop hangs, nothing is evaluated, and it is not idle.
    private var hanging: Set<UInt64> = []
    private var hungAt: ContinuousClock.Instant?

    init(_ goal: Goal, process: String?, now: ContinuousClock.Instant, began: Timestamp = .now) {
        (self.goal, self.process, self.began, isQuietSince) = (goal, process, began, now)
    }

    /// Begins anew with a connection: its stream names all stores and views again.
    mutating func connect() {
        stream = EventStream()
        connected = [:]
        hanging = []
    }

    /// Reads the next bytes of the stream. Throws status 65 for anything but live events.
    mutating func take(_ bytes: [UInt8], at now: ContinuousClock.Instant) throws {
        for line in try stream.lines(bytes) where reached == nil { take(try EventStream.read(line), at: now) }
    }

    /// Notes that time has passed.
    mutating func pass(to now: ContinuousClock.Instant) {
        if !hanging.isEmpty { isQuietSince = now }
        guard goal == .idle, reached == nil, isFitting, now - isQuietSince >= Self.quiet else { return }
        reached = "Nothing was evaluated or drawn for \(Self.quiet.components.seconds) s."
    }

    private mutating func take(_ event: LiveEvent, at now: ContinuousClock.Instant) {
        switch event.event {
        case .connected, .store:
            guard let store = event.process, ProcessSelection(process: process).fits(store) else { return }
            // One that has just connected may not have begun.
            if connected.updateValue(store, forKey: StoreID(store)) == nil { isQuietSince = now }
            if goal == .program { reached = "\(Self.name(store)) is connected." }
        case .disconnected:
            if let store = event.process { connected[StoreID(store)] = nil }
        case .view:
            guard let view = event.view, view.count > 0, let pid = event.pid,
                let store = connected.values.first(where: { $0.pid == pid })
            else { return }
            note(view, of: store, at: now)
        case .hang:
            guard let hang = event.hang, HangsQuery(process: process).matches(hang) else { return }
            note(hang, at: now)
        case .hangDropped:
            if let id = event.hangID, hanging.remove(id) != nil { hungAt = nil }
        }
    }

    private mutating func note(_ hang: Hang, at now: ContinuousClock.Instant) {
        // The daemon also tells what it learns later of a hang that is over: its views, a stack, a trace.
        guard hang.open || hanging.contains(hang.id) || hang.seenUntil >= began else { return }
        if goal == .hang { reached = HangText(hang: hang, now: .now).headline.text }
        (hungAt, isQuietSince) = (now, now)
        if hang.open, hanging.count < Self.keptKeys { hanging.insert(hang.id) } else { hanging.remove(hang.id) }
    }

    private mutating func note(_ view: Stats, of store: ProcessStats, at now: ContinuousClock.Instant) {
        let key = view.key.rawValue
        latest = (key: key, at: now)
        isQuietSince = now
        if keys.count < Self.keptKeys { keys.insert(key) }
        guard case .view(let wanted) = goal else { return }
        let isMeant = ViewTarget.isHandle(wanted) ? view.handle == wanted || key == wanted : key.contains(wanted)
        guard isMeant else { return }
        let what = StoreWords(store.kind).participle
        reached = "\(view.key.displayName) was \(what) \(Counted.text(view.count, "time")) in \(Self.name(store))."
    }

    private var isFitting: Bool { !connected.isEmpty }

    private static func name(_ store: ProcessStats) -> String { "\(Printable.text(store.name))[\(store.pid)]" }
}

// MARK: - When the time is over

extension WaitModel {
    /// Why it was not seen, with what to do next.
    ///
    /// - Parameters:
    ///   - failure: Why no daemon answers, if none does.
    ///   - off: Where the user switched Rerender off, if so.
    func missed(
        after timeout: Duration, at now: ContinuousClock.Instant, failure: ToolFailure?, off: RuntimeDirectory?
    ) -> ToolFailure {
        let time = DurationText.short(UInt64(max(0, timeout / Duration.nanoseconds(1))))
        var lines = ["nothing within \(time): \(why(at: now, failure))"]
        // A failure says it itself.
        if let off, failure == nil { lines += SwitchState.notice(off) }
        return ToolFailure(ExitStatus.checkFailed, lines.joined(separator: "\n"))
    }

    private func why(at now: ContinuousClock.Instant, _ failure: ToolFailure?) -> String {
        if let failure, !isFitting { return failure.message }
        guard isFitting else {
            let what = process.map { "no process \"\(Printable.text($0))\" is connected" } ?? "no process is connected"
            return "\(what).\nSee: rerenderctl stats; to start a program: rerenderctl run -- CMD"
        }
        switch goal {
        case .program: return "no process is connected."
        case .view(let wanted): return unseen(wanted)
        case .idle:
            if !hanging.isEmpty { return "the main loop hangs.\nSee: rerenderctl hangs" }
            if let hungAt, hungAt > latest?.at ?? hungAt - Self.quiet {
                return "the main loop hung until \(Self.time(from: hungAt, to: now)) ago.\nSee: rerenderctl hangs"
            }
            guard let latest else { return "nothing goes on, but the program was not connected for long enough." }
            let ago = Self.time(from: latest.at, to: now)
            return "\(words.noun)s are still \(words.participle): \(Printable.text(latest.key)) \(ago) ago.\n"
                + "See: rerenderctl stats"
        case .hang: return "no main loop hung.\nShorter turns are micro-hangs: rerenderctl stats"
        }
    }

    /// Those of the programs that are connected.
    private var words: StoreWords { StoreWords(connected.values) }

    private static func time(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> String {
        DurationText.short(UInt64(max(0, (end - start) / Duration.nanoseconds(1))))
    }

    private func unseen(_ wanted: String) -> String {
        if ViewTarget.isHandle(wanted) {
            return
                "no \(words.noun) with the ID \(wanted) was \(words.participle): IDs are those of one daemon while it runs.\n"
                + "See: rerenderctl stats --columns id,count"
        }
        let name = Printable.text(wanted)
        guard !keys.isEmpty else {
            return "no \(words.noun) was \(words.participle) yet, so \"\(name)\" was not, either."
        }
        let near = NearName.find(wanted, among: keys).map { Printable.text($0) }
        let keysAdvice = "See the keys with: rerenderctl stats --sort key"
        let advice = near.isEmpty ? keysAdvice : "Similar: \(near.joined(separator: ", "))"
        let others = Counted.text(keys.count, "other \(words.noun) was", "other \(words.noun)s were")
        return "\(others) \(words.participle), and \"\(name)\" was not.\n\(advice)"
    }
}
