// SPDX-License-Identifier: MIT
// Who wrote: every kind of writer by its source's name and line, which the corpus states itself.

import CRerender
import Foundation
import Testing
import WriterCorpus

@testable import Rerender

@Suite struct WriterTests {
    @Test func `every writer of the corpus is named as its source says`() async throws {
        let corpus = WriterCorpus()
        try await corpus.run()
        #expect(corpus.cases.count >= 74)
        for found in corpus.cases { #expect(found.actual == found.expected) }
    }

    @Test func `a thunk may hide its writer only where inlined functions are not known`() {
        let thunk = SymbolicFrame(mangled: "$s4Shop1fyyFTA", name: "", path: nil, line: nil)
        var bare = thunk
        bare.showsInlined = false
        #expect(!WriterName.mayHideWriter(thunk))
        #expect(WriterName.mayHideWriter(bare))
        let function = SymbolicFrame(mangled: "$s4Shop1fyyF", name: "", path: nil, line: nil, showsInlined: false)
        #expect(!WriterName.mayHideWriter(function))
    }

    @Test func `a function that the optimiser merged with others is said to be one of them`() {
        let merged = SymbolicFrame(mangled: "$s4Shop5pressyySiFTm", name: "merged press(_:)", path: nil, line: nil)
        #expect(WriterName.role(of: merged, accessorsOf: "Shop.Ticker") == .writer)
        #expect(WriterName.text(merged, file: "shop") == "press(_:) (merged) in shop")
    }

    @Test(arguments: ["keypath_setTm", "keypath_set.26Tm", "keypath_get"])
    func `code that writes for a key path is no writer`(symbol: String) {
        let frame = SymbolicFrame(mangled: symbol, name: symbol, path: nil, line: nil)
        #expect(WriterName.role(of: frame, accessorsOf: nil) == .plumbing)
    }

    @Test func `another type's accessor is passed over only if the property's owner is not known`() async {
        let corpus = WriterCorpus(), ticker = WrittenTicker()
        await corpus.check("Ticker.setDouble()", root: nil, reading: { _ = ticker.tick }) { ticker.setDouble() }
        await corpus.check("Ticker.double.setter", root: "Shop.Other", reading: { _ = ticker.tick }) {
            _ = ticker.setQuadruple()
            return WrittenTicker.doubleLine
        }
        #expect(corpus.cases.first.map { $0.actual == $0.expected } == true)
        // The stored property's own setter is then the nearest accessor of the source's.
        #expect(corpus.cases.last.map { $0.actual == $0.expected } == true)
    }

    private func captured() -> (stack: StackID, line: Int) { (.captureCallers(), #line) }

    @Test func `what calls an observer is the writer where the framework was inlined into it`() {
        let (stack, line) = captured()
        let framework = Framework(caller: "Toolkit", modules: ["Toolkit"], callsObservers: true)
        let name = WriterStacks.name(of: stack, .announced(framework))
        #expect(name == "WriterTests.captured() RerenderTests/WriterTests.swift:\(line)")
    }

    @Test func `nothing and no room have their names`() {
        #expect(WriterStacks.name(of: .none, accessorsOf: nil) == "unknown")
        #expect(WriterStacks.name(of: .other, accessorsOf: nil) == "unknown")
        #expect(StackID.none.addresses.isEmpty)
        #expect(StackID.other.addresses.isEmpty)
        #expect(StackID(rawValue: 1_000_000).addresses.isEmpty)
    }

    @Test func `an address of no file gives no name`() {
        let addresses: [UInt] = [0x10, 0x20]
        let stack = StackID(rawValue: crerender_intern_stack(addresses, 2))
        #expect(stack.addresses == addresses)
        #expect(WriterStacks.name(of: stack, accessorsOf: nil) == "unknown")
    }

    @Test func `too many or no addresses are no stack`() {
        let addresses = [UInt](repeating: 1, count: Int(CRERENDER_STACK_FRAMES) + 1)
        #expect(crerender_intern_stack(addresses, 0) == UInt32(CRERENDER_NO_STACK))
        #expect(crerender_intern_stack(addresses, UInt32(CRERENDER_STACK_FRAMES) + 1) == UInt32(CRERENDER_NO_STACK))
    }

    @Test func `threads that meet the same stack at once agree on its number`() {
        let addresses: [UInt] = [0xABC, 0xDEF]
        let numbers = LockedNumbers()
        DispatchQueue.concurrentPerform(iterations: 64) { _ in numbers.insert(crerender_intern_stack(addresses, 2)) }
        #expect(numbers.count == 1)
    }
}

@Suite struct SwiftEntityTests {
    @Test(arguments: [
        ("Shop.Ticker.advance() -> ()", "Shop", ["Ticker", "advance"]),
        ("static Shop.Ticker.+= infix(Shop.Ticker, Swift.Int) -> ()", "Shop", ["Ticker", "+="]),
        ("closure #1 () async -> () in Shop.Ticker.later() async -> ()", "Shop", ["Ticker", "later"]),
        ("(1) suspend resume partial function for Shop.Ticker.later() async -> ()", "Shop", ["Ticker", "later"]),
        ("generic specialization <Swift.Array<Swift.Int>> of Shop.Box.put(A) -> ()", "Shop", ["Box", "put"]),
        ("generic pre-specialization <Swift.Int> of Shop.Box.put(A) -> ()", "Shop", ["Box", "put"]),
        ("generic not re-abstracted specialization <Swift.Int> of Shop.Box.put(A) -> ()", "Shop", ["Box", "put"]),
        (
            "generic partial specialization <Signature = <A where A: Shop.P>> of Shop.Box.put(A) -> ()", "Shop",
            ["Box", "put"]
        ),
        ("default argument 0 of Shop.Box.put(Swift.Int) -> ()", "Shop", ["Box", "put"]),
        ("property wrapper backing initializer of Shop.Box.value : Swift.Int", "Shop", ["Box", "value"]),
        ("inlined generic function <A> of Shop.Box.value.setter : A", "Shop", ["Box", "value", "setter"]),
        ("(extension in Shop):Swift.Array.raise() -> ()", "Shop", ["Array", "raise"]),
        ("Shop.(helper in _4F2A)() -> ()", "Shop", ["helper"]),
        ("Shop.(Ticker in _4F2A).tick.setter : Swift.Int", "Shop", ["Ticker", "tick", "setter"]),
        ("closure #2 () async -> () in Shop", "Shop", []),
        (
            "closure #8 () -> () in variable initialization expression of static Shop.Case.all : [Shop.Case]", "Shop",
            ["Case", "all"]
        ),
    ])
    func `a description is taken apart`(text: String, module: String, path: [String]) {
        let entity = SwiftEntity(describing: text)
        #expect(entity.module == module)
        #expect(entity.path == path)
        #expect(!entity.isPlumbing)
    }

    @Test func `accessors know their type, and initialisers are none`() {
        #expect(
            SwiftEntity(describing: "Shop.Outer.Ticker.tick.modify : Swift.Int").accessedType == ["Outer", "Ticker"])
        #expect(SwiftEntity(describing: "Shop.Ticker.tick.getter : Swift.Int").accessedType == nil)
        #expect(SwiftEntity(describing: "Shop.Ticker.init() -> Shop.Ticker").accessedType == nil)
        #expect(SwiftEntity.typePath("Shop.Box<Swift.Array<Swift.Int>>") == ["Box"])
        #expect(SwiftEntity.typePath("Shop.(unknown context at $7f00aa).Ticker") == ["Ticker"])
    }

    @Test(arguments: ["", " in ", "<<<", ">>>", ")))", "(extension in ", "generic specialization <", "a.b.c < in "])
    func `nonsense is taken apart without harm`(text: String) {
        _ = SwiftEntity(describing: text).accessedType
        _ = SwiftEntity.typePath(text)
    }
}

private final class LockedNumbers: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: Set<UInt32> = []
    func insert(_ number: UInt32) { lock.withLock { _ = numbers.insert(number) } }
    var count: Int { lock.withLock { numbers.count } }
}
