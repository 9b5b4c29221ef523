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
