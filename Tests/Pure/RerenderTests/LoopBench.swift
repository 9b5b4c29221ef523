// SPDX-License-Identifier: MIT
// A flight page to write the record of a main loop to, and to read it from.

import CRerender
import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

/// A page of its own, and a store on it.
final class LoopBench: Sendable {
    let page: FlightPageWriter
    let process: TestProcess
    let core: StoreCore
    let record: LoopRecord

    init(_ monitor: MainLoopKind? = .glib) throws {
        let identity = ProcessIdentity(pid: 4_711, name: "shop", startTicks: 99)
        let page = try #require(FlightPageWriter(identity: identity))
        let process = TestProcess(flightPage: page)
        let core = process.makeStore()
        let record = try #require(core.loopRecord)
        self.page = page
        (self.process, self.core, self.record) = (process, core, record)
        if let monitor { record.setMonitor(monitor, threadID: 4_712) }
    }

    func view(_ label: String) -> ViewRecord {
        guard let view = core.view(label: label, file: "Shop/Cart.swift", line: 12) else {
            preconditionFailure("no room for \(label)")
        }
        return view.takeUnretainedValue()
    }

    func began(_ view: ViewRecord, _ now: UInt64) { record.bodyBegan(view, epoch: core.epoch, at: now) }

    func ended(_ view: ViewRecord, _ now: UInt64, in enclosing: ViewRecord? = nil) {
        record.bodyEnded(view, epoch: core.epoch, at: now, enclosing: enclosing.map(runner))
    }

    /// The view as what runs around another one. It lives as long as its store.
    func runner(_ view: ViewRecord) -> LoopRunner { .view(Unmanaged.passUnretained(view), epoch: core.epoch) }

    func runner(_ handler: EventHandler) -> LoopRunner {
        .span(Unmanaged.passUnretained(handler.timed), epoch: core.epoch)
    }

    func began(_ handler: EventHandler, _ now: UInt64) {
        record.spanBegan(handler.timed, epoch: core.epoch, at: now)
    }

    /// The innermost handler ends.
    func handlerEnded(_ now: UInt64, in enclosing: LoopRunner? = nil) {
        record.spanEnded(at: now, enclosing: enclosing)
    }

    /// A view in a phase beside its evaluations, of the store's number and that of the view.
    func phase(_ phase: HangPhase, of view: ViewRecord) -> TimedPlace {
        TimedPlace(
            pageWord: LoopLayout.word(storeID: view.storeID, index: view.index, phase: phase),
            pageKey: PageKey(view.key.rawValue))
    }

    func began(_ timed: TimedPlace, _ now: UInt64) { record.spanBegan(timed, epoch: core.epoch, at: now) }

    func bytes() throws -> [UInt8] {
        try page.bytes()
    }

    func reading() throws -> LoopReading {
        let bytes = try bytes()
        return try LoopReading(page: bytes.span.bytes)
    }

    func shares() throws -> TurnShares {
        let bytes = try bytes()
        return try TurnShares(page: bytes.span.bytes, of: LoopReading(page: bytes.span.bytes))
    }

    func times() throws -> [String: UInt64] {
        try Dictionary(shares().views.map { ($0.view.key, $0.nanoseconds) }, uniquingKeysWith: +)
    }

    func longTurns(after number: UInt64 = 0) throws -> [LongTurn] { try longTurns(in: bytes(), after: number) }

    func longTurns(in bytes: [UInt8], after number: UInt64 = 0) throws -> [LongTurn] {
        try LongTurn.list(in: bytes.span.bytes, after: number)
    }
}
