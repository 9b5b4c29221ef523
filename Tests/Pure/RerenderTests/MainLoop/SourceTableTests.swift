// SPDX-License-Identifier: MIT
// The table of rows. It is the process's own, so one test at a time has it, and rows of other tests may be there.

import CRerender
import Glibc
import RerenderModel
import RerenderWire
import Testing

@testable import Rerender

@Suite("The table of sources and handlers", .serialized)
struct SourceTableTests {
    private func rows() -> [crerender_row] {
        // Proof: C gets the size of the room, and says how much of it it filled.
        Array(unsafeUninitializedCapacity: Int(CRERENDER_ROWS)) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = Int(crerender_rows(start, UInt32(buffer.count)))
        }
    }

    private func piece(
        _ wall: UInt64, _ processor: UInt64 = 0, inTurn: UInt64? = nil, isShared: Bool = false
    ) -> crerender_piece {
        crerender_piece(wall: wall, in_turn: inTurn ?? wall, processor: processor, is_shared: isShared)
    }

    @Test("A function has one row, and another one for each kind and owner")
    func keys() {
        let first = crerender_row(ROW_IDLE, 0x1001, nil, "tick")
        #expect(crerender_row(ROW_IDLE, 0x1001, nil, nil) == first)
        #expect(crerender_row(ROW_SOURCE, 0x1001, nil, nil) != first)
        let button = crerender_row(ROW_HANDLER, 0x1001, "GtkButton#go: clicked", nil)
        #expect(crerender_row(ROW_HANDLER, 0x1001, "GtkButton#stop: clicked", nil) != button)
        #expect(crerender_row(ROW_HANDLER, 0x1001, "GtkButton#go: clicked", nil) == button)
        let row = LoopRows.rows(named: false)[Int(button)]
        #expect(row.kind == .handler && row.of == "GtkButton#go: clicked" && row.thread == nil)
        #expect(LoopRows.rows(named: false)[Int(first)].name == "tick")
    }

    @Test("Calls are added up, and a reset leaves the row and its number")
    func numbers() {
        let row = crerender_row(ROW_TIMER, 0x2001, nil, nil)
        crerender_row_add(row, piece(3_000, 2_000))
        crerender_row_add(row, piece(5_000, 1_000, isShared: true))
        var numbers = LoopRows.rows(named: false)[Int(row)].numbers
        #expect(numbers.count == 2 && numbers.wall == 8_000 && numbers.processor == 3_000)
        #expect(numbers.longest == 5_000 && numbers.isShared == 1)
        crerender_rows_reset()
        #expect(LoopRows.rows(named: false)[Int(row)].numbers == LoopRow.Numbers())
        #expect(crerender_row(ROW_TIMER, 0x2001, nil, nil) == row)
        crerender_row_add(row, piece(1_000))
        numbers = LoopRows.rows(named: false)[Int(row)].numbers
        #expect(numbers.count == 1 && numbers.wall == 1_000 && numbers.longest == 1_000 && numbers.isShared == 0)
    }

    @Test("The row with more than half of a hang is kept for that turn, until the next hang")
    func rowOfHang() {
        var clocks = crerender_account_clocks(now: { 1 }, own: { 1 }, thread: { _ in 1 }, process: { 1 })
        crerender_account_set_test_clocks(&clocks)
        defer { crerender_account_set_test_clocks(nil) }
        crerender_account_turn_began(CInt(CRERENDER_GLIB), 1)
        let (most, other) = (crerender_row(ROW_TIMER, 0x2101, nil, nil), crerender_row(ROW_IDLE, 0x2102, nil, nil))
        for wall in [200, 60] as [UInt64] { crerender_row_add(most, piece(wall)) }
        // It ran a loop of its own, whose last turn this is.
        crerender_row_add(other, piece(900, inTurn: 240))
        #expect(crerender_rows_in_hang(7, 500) == 260)
        #expect(crerender_row_of_hang(7) == most + 1 && crerender_row_of_hang(6) == 0)
        #expect(crerender_rows_in_hang(8, 520) == 260)
        #expect(crerender_row_of_hang(8) == 0 && crerender_row_of_hang(7) == 0, "half is not more than half")
        crerender_account_turn_began(CInt(CRERENDER_GLIB), 2)
        #expect(crerender_rows_in_hang(9, 300) == 0)
        #expect(crerender_row_of_hang(9) == 0, "they ran in the turn before")
    }

    @Test("The record of a hang has what one source took of it, in whole microseconds")
    func ownOfHang() throws {
        let bench = try LoopBench()
        var clocks = crerender_account_clocks(now: { 1 }, own: { 1 }, thread: { _ in 1 }, process: { 1 })
        crerender_account_set_test_clocks(&clocks)
        defer { crerender_account_set_test_clocks(nil) }
        // A turn of a number that no other test has.
        for now in 1...3 as ClosedRange<UInt64> { crerender_account_turn_began(CInt(CRERENDER_GLIB), now) }
        crerender_row_add(crerender_row(ROW_TIMER, 0x2103, nil, nil), piece(197_000_500))
        bench.record.turnBegan(at: 1_000)
        bench.record.turnEnded(at: 284_001_000)
        let turn = try #require(try bench.longTurns().first)
        #expect(turn.inSource == 197_000_000 && !turn.isMixed && turn.endSlack == 0)
        // A look names the one that ran then, and not the one with most.
        let short = crerender_row(ROW_TIMER, 0x2104, nil, nil)
        crerender_row_add(short, piece(60_000_000))
        crerender_row_looked_at(11, short + 1)
        #expect(crerender_rows_in_hang(11, 300_000_000) == 60_000_000 && crerender_row_of_hang(11) != 0)
        crerender_row_looked_at(12, 0)
        #expect(crerender_rows_in_hang(12, 300_000_000) == 0, "what ran has no row")
        #expect(crerender_rows_in_hang(13, 300_000_000) == 197_000_500, "there was no look")
    }

    @Test("Samples tell of one function at a time, until a reset")
    func samples() throws {
        func told() -> [LoopRow] { LoopRows.rows(named: false).filter { $0.kind == .sampled && $0.isTold } }
        crerender_rows_take_samples(0x7001, 19, 20, 40)
        let first = try #require(told().first)
        #expect(told().count == 1 && first.name == "a source" && first.calls == nil)
        #expect(first.samples == "19 of 20 samples" && first.numbers.polls == 40 && first.numbers.processor == 0)
        crerender_rows_take_samples(0x7002, 11, 20, 30)
        #expect(told().map(\.numbers.count) == [11])
        crerender_rows_reset()
        #expect(told().isEmpty)
        crerender_rows_take_samples(0x7002, 12, 20, 30)
        #expect(told().map(\.numbers.count) == [12])
        crerender_rows_take_samples(0, 0, 0, 0)
        #expect(told().isEmpty)
    }

    @Test("A function of ours has the name of the one that it stands in for, and is not ours")
    func standIns() throws {
        let name = try #require(strdup("gtk_widget_queue_draw"))
        crerender_stands_in(0xA001, name)
        // Again, and no function.
        crerender_stands_in(0xA001, name)
        crerender_stands_in(0, name)
        #expect(crerender_stands_in_for(0xA001) == UnsafePointer(name) && crerender_stands_in_for(0) == nil)
        #expect(crerender_stands_in_for(0xA002) == nil)
        let row = crerender_row(ROW_TIMER, 0xA001, nil, nil)
        let told = LoopRows.rows(named: true)[Int(row)]
        #expect(told.name == "gtk_widget_queue_draw()" && told.place == nil)
        #expect(told.words == "the timer gtk_widget_queue_draw()")
        let callback = WorkCallback(source: "timer", function: 0xA001).named
        #expect(callback.source == "timer" && callback.function == "gtk_widget_queue_draw()")
    }

    @Test("Wake-ups and samples leave room for sources")
    func fewRows() {
        let wakeups = (0..<9).map { crerender_row(ROW_WAKEUP, 0x8000 + UInt($0), nil, nil) }
        #expect(Set(wakeups).count == 9 && rows()[Int(wakeups[7])].kind == ROW_WAKEUP)
        #expect(rows()[Int(wakeups[8])].kind == ROW_OTHERS)
        for place in 0..<UInt(9) { crerender_rows_take_samples(0x9000 + place, 20, 20, 20) }
        #expect(rows().filter { $0.kind == ROW_SAMPLED }.count == 4)
        #expect(rows()[Int(wakeups[8])].turns == 0, "the others are no function's")
    }

    @Test("Handlers leave room for sources, and what has none is one row")
    func full() throws {
        let handlers = (0..<50).map { crerender_row(ROW_HANDLER, 0x3000 + UInt($0), nil, nil) }
        let others = try #require(handlers.last)
        #expect(rows()[Int(others)].kind == ROW_OTHERS && handlers[49] == handlers[48])
        let timer = crerender_row(ROW_TIMER, 0x4001, nil, nil)
        #expect(timer != others && rows()[Int(timer)].kind == ROW_TIMER)
        for function in 0..<UInt(80) { _ = crerender_row(ROW_SOURCE, 0x5000 + function, nil, nil) }
        #expect(crerender_row(ROW_SOURCE, 0x6001, nil, nil) == others)
        #expect(rows().count == Int(CRERENDER_ROWS))
        #expect(rows().filter { $0.kind == ROW_OTHERS }.count == 1)
        #expect(LoopRows.rows(named: false)[Int(others)].name == "other sources")
    }

    @Test("A number that is no row is counted for none")
    func none() {
        let before = rows().map(\.count)
        crerender_row_add(UInt32(CRERENDER_ROWS), piece(1))
        crerender_row_add(.max, piece(1))
        #expect(rows().map(\.count) == before)
    }

    @Test("The kinds of C are those of the model, in its order")
    func kinds() {
        #expect(Int(ROW_SAMPLED.rawValue) == LoopRow.Kind.allCases.count - 1)
        #expect(LoopRow.Kind.allCases[Int(ROW_RUN_LOOP.rawValue)] == .runLoop)
        #expect(LoopRow.Kind.allCases[Int(ROW_OTHERS.rawValue)] == .others)
        #expect(LoopRow.Kind.allCases[Int(ROW_WAKEUP.rawValue)] == .wakeup)
    }
}
