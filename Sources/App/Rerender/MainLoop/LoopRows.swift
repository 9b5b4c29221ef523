// SPDX-License-Identifier: MIT
// Reads the rows of what main loops call, and names each function once.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

/// The rows of this process, for who sends or exports them.
enum LoopRows {
    /// Has the ledger ask for them, once.
    static let isProvided: Bool = {
        LoopLedger.shared.provideRows { rows(named: $0) }
        LoopLedger.shared.onReset { crerender_rows_reset() }
        return true
    }()

    /// From so long on, what passes before the main loop is seen to turn for the first time has a row: no turn has it.
    private static let leastStart: UInt64 = 2_000_000_000

    /// Gives it one. The first time on the loop's thread, when that is seen to turn. What an attach finds has turned before.
    static let hasStart: Bool = {
        let passed = MonotonicClock.now &- crerender_loaded_at()
        guard passed >= leastStart, unsafe crerender_given_directory() == nil else { return false }
        // Proof: the text is copied.
        let row = unsafe LoopRow.start.withCString { unsafe crerender_row(ROW_SOURCE, 0, $0, nil) }
        crerender_row_add(row, crerender_piece(wall: passed, in_turn: 0, processor: 0, is_shared: false))
        return true
    }()

    /// What is known of each row's function, by the row's number. A row is of one function for as long as the process lives, and was
    /// named while its file was there.
    private static let functions = Mutex<[Int: RowFunction]>([:])

    /// What samples tell of rows whose functions are a library's.
    private static let callees = Mutex(RowCallees())

    /// Whether a row is of a library's function that calls the program's. Known once the row was named.
    static func callsOthers(_ number: Int) -> Bool {
        functions.withLock { $0[number]?.callsOthers == true }
    }

    /// Whether such a row took so much processor time, and what it calls is not known.
    static func hasUnknownCallee(of nanoseconds: UInt64) -> Bool {
        let numbers = functions.withLock { known in known.filter { $0.value.callsOthers }.map(\.key) }
        guard !numbers.isEmpty else { return false }
        let (rows, samples) = (read(), callees.withLock { $0 })
        return numbers.contains { number in
            number < rows.count && rows[number].processor > 0 && rows[number].processor >= nanoseconds
                && samples.callee(of: number) == nil
        }
    }

    /// A sample was taken while the function of such a row ran. Takes milliseconds for a function not named before.
    ///
    /// - Parameter place: An instruction in the function of the program that it called; nil where there was none.
    static func addSample(_ place: UInt?, of number: Int) {
        let callee = place.map { function(at: $0) }
        callees.withLock { $0.add(callee, of: number) }
    }

    /// The same with a whole stack, innermost first.
    static func addSample(_ addresses: [UInt], of number: Int) {
        guard !addresses.isEmpty, callsOthers(number) else { return }
        let places = LoopSample.places(addresses)
        addSample(LoopSample.callee(places, places.map { StackFile(of: $0) }), of: number)
    }

    /// The rows in the order of their numbers. Takes milliseconds for each that was not named before, if they are to be `named`.
    static func rows(named: Bool) -> [LoopRow] {
        let read = read()
        if named { name(read) }
        let (known, samples) = (functions.withLock { $0 }, callees.withLock { $0 })
        return read.enumerated().map { number, row in
            value(row, known[number] ?? .generated, callee: samples.callee(of: number))
        }
    }

    /// Names functions outside of the lock: the thread of a HUD, which names none, waits for no other one.
    private static func name(_ rows: [crerender_row]) {
        let known = functions.withLock { $0 }
        for (number, row) in rows.enumerated() where known[number] == nil {
            let function = function(of: row)
            functions.withLock { $0[number] = function }
            if isOfSeveral(function, row) { crerender_row_is_of_library(UInt32(number)) }
        }
    }

    /// Whether a row may be of several functions that only their sources distinguish: a library calls them, or a binding made them.
    private static func isOfSeveral(_ function: RowFunction, _ row: crerender_row) -> Bool {
        switch function {
        case .library: true
        case .generated: isSource(row)
        case .known, .nameless: false
        }
    }

    /// What a binding made: the program is an interpreter, or has one in it.
    private static func ofBinding() -> RowFunction {
        let function = RowFunction(inFile: nil, ofProgram: LoadedFile.programName) { nil }
        let binding = UInt(crerender_binding())
        if function != .generated || binding == 0 { return function }
        return RowFunction(inFile: LoadedFile(containing: binding)?.name) { nil }
    }

    private static func isSource(_ row: crerender_row) -> Bool {
        [ROW_TIMER, ROW_IDLE, ROW_DESCRIPTOR, ROW_SOURCE].contains(row.kind)
    }

    /// Proof: C gets the size of the room, and says how much of it it filled.
    private static func read() -> [crerender_row] {
        unsafe Array(unsafeUninitializedCapacity: Int(CRERENDER_ROWS)) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = unsafe Int(crerender_rows(start, UInt32(buffer.count)))
        }
    }

    private static func function(of row: crerender_row) -> RowFunction {
        let address = UInt(row.function)
        if address == 0 {
            // A handler's function is not known. A source has one, that a binding made.
            return isSource(row) || row.kind == ROW_TICK ? ofBinding() : .generated
        }
        return function(at: address)
    }

    private static func function(at address: UInt) -> RowFunction {
        if let script = ScriptPlace(address) {
            return script.function.isEmpty || script.path.isEmpty
                ? .known(script.text, place: nil) : .known(script.function, place: script.place)
        }
        // The program's import leads to ours.
        if let replaced = WriterStacks.replaced(by: address) { return .known(replaced, place: nil) }
        return RowFunction(inFile: LoadedFile(containing: address)?.name, ofProgram: LoadedFile.programName) {
            WriterStacks.function(at: address)
        }
    }

    private static func value(
        _ row: crerender_row, _ function: RowFunction, callee: (function: RowFunction, part: String)?
    ) -> LoopRow {
        let kinds = LoopRow.Kind.allCases
        let number = Int(row.kind.rawValue)
        let kind = number < kinds.count ? kinds[number] : .others
        let name =
            kind == .others
            ? RowName.others
            : RowName(kind, function, source: String(upToZero: row.name), interval: row.interval, callee: callee)
        var value = LoopRow(
            kind, name: String(name.name.prefix(utf8Bytes: WireLimits.stringBytes)),
            place: name.place.map { String($0.prefix(utf8Bytes: WireLimits.stringBytes)) },
            of: name.source ?? nonEmpty(String(upToZero: row.of)), thread: nonEmpty(String(upToZero: row.thread)))
        value.numbers.count = row.count
        value.numbers.wall = row.wall
        value.numbers.processor = row.processor
        value.numbers.longest = row.longest
        value.numbers.turns = row.turns
        value.numbers.polls = row.polls
        value.numbers.interval = row.interval
        value.numbers.descriptor = row.descriptor
        value.numbers.unread = row.unread
        value.numbers.micro = row.micro
        value.numbers.isShared = row.is_shared
        let isClosed = row.unread > 0 && row.closed >= row.unread - row.unread / 10
        if kind == .descriptor, isClosed { value.of = LoopRow.closedEnd }
        return value
    }

    private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

// What the main loop's thread did with its processor time, as values that travel.

/// Reads the account that the loop's thread keeps.
///
/// Proof of the unsafe parts: the C function fills the value that it is given, and keeps nothing of it.
enum LoopAccount {
    /// Has the ledger ask for the account and for other threads.
    ///
    /// - Parameter news: Called on the loop's thread when something is worth a message: see `crerender_account_on_news`.
    static func provide(to ledger: LoopLedger, news: @convention(c) () -> Void) {
        let threads = OwnThreads()
        ledger.provideTotals { wallClock in
            let totals = Self.totals(wallClock)
            // Files are read there, for which the loop's thread, which may have a HUD, does not wait.
            if totals != nil, crerender_account_thread() != crerender_this_thread() { threads.lookFirst() }
            return totals
        }
        ledger.provideThreads { threads.read() }
        ledger.onReset {
            crerender_account_reset()
            threads.wasReset()
        }
        crerender_account_on_news(news)
    }

    /// When the seconds began for which the loop's thread has been busy without input, or has turned often. Nil where these are over or few.
    /// Nil also where samples can tell nothing: less than a tenth of the thread's time is in sources that are not seen, and in each source in
    /// which a library calls a function that is not known.
    static func sampledBegan(at now: UInt64) -> UInt64? {
        var account = crerender_account()
        guard unsafe crerender_account_read(&account) else { return nil }
        let longer = account.spinning.nanoseconds > account.busy.nanoseconds ? account.spinning : account.busy
        guard longer.nanoseconds >= QuietStretch.least, now < longer.latest_at &+ QuietStretch.pause else {
            return nil
        }
        let totals = LoopTotals(account, WallClock())
        // A source that takes a moment is taken for the loop itself.
        let unseen = crerender_account_sees_all_sources() ? nil : totals.rest.clampedSum(totals.loop.processor)
        let tenth = totals.processor / 10
        guard unseen.map({ $0 >= tenth }) == true || LoopRows.hasUnknownCallee(of: tenth) else { return nil }
        return longer.latest_at &- longer.nanoseconds
    }

    /// What is known now; nil before a loop of GLib or CoreFoundation has turned, and in a forked child.
    static func totals(_ wallClock: WallClock) -> LoopTotals? {
        guard !crerender_is_forked() else { return nil }
        var account = crerender_account()
        guard unsafe crerender_account_read(&account) else { return nil }
        return LoopTotals(account, wallClock)
    }
}

extension LoopTotals {
    fileprivate init(_ account: crerender_account, _ wallClock: WallClock) {
        self.init()
        counted = account.counted
        turns = account.turns
        pollsWithoutWait = account.polls_without_wait
        emptyTurns = account.empty_turns
        wakeups = account.wakeups
        processor = account.processor
        process = account.process
        bodies = LoopPart(account.parts.0)
        style = LoopPart(account.parts.1)
        layout = LoopPart(account.parts.2)
        update = LoopPart(account.parts.3)
        snapshot = LoopPart(account.parts.4)
        drawing = LoopPart(account.parts.5)
        sources = LoopPart(account.parts.6)
        loop = LoopPart(account.parts.7)
        frames = QuietStretch(account.frames, wallClock)
        spinning = QuietStretch(account.spinning, wallClock)
        busy = QuietStretch(account.busy, wallClock)
        isInputKnown = account.is_input_known
    }
}

extension LoopPart {
    fileprivate init(_ time: crerender_part_time) {
        self.init()
        (wall, processor) = (time.wall, time.processor)
    }
}

extension QuietStretch {
    fileprivate init(_ stretch: crerender_stretch, _ wallClock: WallClock) {
        self.init()
        guard stretch.nanoseconds > 0 else { return }
        nanoseconds = stretch.nanoseconds
        latestAt = wallClock.time(at: stretch.latest_at)
        processor = stretch.processor
        turns = stretch.turns
        pollsWithoutWait = stretch.polls_without_wait
        emptyTurns = stretch.empty_turns
        sameTurns = stretch.same_turns
        row = stretch.row
        wakeups = stretch.wakeups
        frames = stretch.frames
        unpainted = stretch.unpainted
        sameFrames = stretch.same_frames
        (compared, comparedSame) = (stretch.compared, stretch.compared_same)
        (likely, likelySame) = (stretch.likely, stretch.likely_same)
    }
}
