// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

@testable import RerenderWire

@Suite("Names of handlers on the flight page")
struct HandlerNameTests {
    @Test(
        "come back whole where there is room",
        arguments: [
            HandlerName(view: "Toolbar", name: "click on Save"), HandlerName(view: nil, name: "timer"),
            HandlerName(view: "", name: "é"), HandlerName(view: "a: b", name: "c: d"), .others,
        ])
    func whole(name: HandlerName) {
        #expect(HandlerName(pageText: name.pageText) == name && !name.isCut)
    }

    @Test("are cut to the room of a key and say so, the name last")
    func cut() throws {
        let (long, short) = (String(repeating: "é", count: 90), "tap")
        for (view, name) in [(long, short), (short, long), (long, long), (nil, long)] {
            let text = HandlerName(view: view, name: name).pageText
            #expect(text.utf8.count <= LoopLayout.keyBytes && text.utf8.count >= LoopLayout.keyBytes - 4)
            let read = try #require(HandlerName(pageText: text))
            #expect(read.isCut && (read.view == nil) == (view == nil))
            if name == short { #expect(read.name == short) }
            if view == short { #expect(read.view == short) }
        }
    }

    @Test("have no view that is no view: the separator is no part of a key, and no text is no name")
    func separator() {
        let name = HandlerName(view: "a\u{1F}b", name: "c")
        #expect(HandlerName(pageText: name.pageText) == HandlerName(view: "a b", name: "c"))
        #expect(HandlerName(pageText: "") == nil)
    }

    @Test("belong to numbers that no view has")
    func numbers() {
        let handler = FlightView(storeID: 3, index: 7, epoch: 0, phase: .handler, key: "")
        #expect(handler.handler == 7 && !handler.isUnlisted)
        #expect(handler.word != FlightView(storeID: 3, index: 7, epoch: 0, key: "").word)
        #expect(FlightView(storeID: 3, index: 65_535, epoch: 0, key: "").handler == nil)
        let unlisted = FlightView(storeID: .max, index: .max - 1, epoch: 0, key: "")
        #expect(unlisted.isUnlisted && unlisted.handler == nil)
    }

    @Test("have a number for each phase of a view, and what no app writes names nothing", arguments: HangPhase.allCases)
    func phases(phase: HangPhase) throws {
        let word = LoopLayout.word(storeID: .max, index: 1 << 20, phase: phase)
        let named = try #require(LoopLayout.named(word))
        #expect(named == (.max, 1 << 20, phase))
        let words = Set(HangPhase.allCases.map { LoopLayout.word(storeID: .max, index: 1 << 20, phase: $0) })
        #expect(words.count == HangPhase.allCases.count)
        #expect(LoopLayout.named(LoopLayout.noView) == nil && LoopLayout.named(LoopLayout.unlistedView) == nil)
    }
}
