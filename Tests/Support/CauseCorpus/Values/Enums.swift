// SPDX-License-Identifier: MIT
// Enums of every layout: no payload, one, several, spare bits, indirect, generic, with objects and closures in them.

import Rerender

private enum Plain { case a, b, c }
private enum Single { case none, some(Int), other }
private enum Multi { case number(Int), text(String), flag(Bool), pair(Int8, Double), nothing }
private enum Spare { case object(Box<Int>), other(Box<Int>), none }
private enum Bits: UInt8 { case zero = 0, last = 255 }
private enum Never2 {}
private enum Both<A, B> { case a(A), b(B), ab(A, B) }
private enum Large { case big(Int, Int, Int, Int, Int, Int, Int, Int), small(Int8) }
private indirect enum Tree { case leaf(Int), node(Tree, Tree) }
private enum Chain { case end; indirect case link(Int, Chain) }
private enum Labelled { case at(x: Int, y: Int), named(name: String) }
private enum Event { case tap(() -> Int), key(Int), list([() -> Int]) }
private final class Counted { var number = 0 }
private final class Fixed { let number: Int; init(_ number: Int) { self.number = number } }
private enum State { case idle, busy(Counted), fixed(Fixed) }
private enum Outer { case inner(Multi), plain(Plain) }

private func chain(_ count: Int, _ last: Int) -> Chain {
    (0..<count).reduce(Chain.link(last, .end)) { .link($1, $0) }
}

extension Case {
    static let enums = CaseList.make("enums") { list in
        list.kind("without payload", Plain.a, Plain.c)
        list.kind("one payload, without it", Single.none, Single.other)
        list.kind("one payload, with it", Single.some(1), Single.some(2))
        list.kind("one payload, then none", Single.some(0), Single.none)
        list.kind("several payloads of one kind", Multi.number(1), Multi.number(2))
        list.kind("several payloads of two kinds with the same bits", Multi.number(1), Multi.flag(true))
        list.kind(
            "several payloads, a text", Multi.text("a text that needs storage"), Multi.text("a text that needs another")
        )
        list.kind("several payloads, one with padding", Multi.pair(1, 2), Multi.pair(1, 3))
        list.kind("several payloads, without one", Multi.nothing, Multi.number(0))
        list.equal(
            "several payloads, over what another left",
            {
                var value = Multi.text("a text that needs storage")
                value = .flag(true)
                return value
            }(),
            {
                var value = Multi.number(-1)
                value = .flag(true)
                return value
            }())
        list.kind("of a raw byte", Bits.zero, Bits.last)
        list.kind("a large payload", Large.big(1, 2, 3, 4, 5, 6, 7, 8), Large.big(1, 2, 3, 4, 5, 6, 7, 9))
        list.kind("generic", Both<Int, String>.ab(1, "a"), Both<Int, String>.ab(1, "b"))
        list.kind("generic, the other case", Both<Int, Int>.a(1), Both<Int, Int>.b(1))
        list.kind("labelled payloads", Labelled.at(x: 1, y: 2), Labelled.at(x: 1, y: 3))
        list.kind("an enum in an enum", Outer.inner(.number(1)), Outer.inner(.number(2)))
        list.kind("an enum in an enum, the other case", Outer.inner(.nothing), Outer.plain(.a))
        list.kind("indirect", Tree.node(.leaf(1), .leaf(2)), Tree.node(.leaf(1), .leaf(3)))
        list.kind("an indirect case", chain(3, 1), chain(3, 2))
        list.kind("optional of an optional", Int??.some(nil), Int??.none)
        list.kind("optional of three levels", Bool???.some(.some(true)), Bool???.some(.some(false)))
        list.kind("optional of an enum", Plain?.none, Plain.a)
        list.kind("Result", Result<Int, Failure>.success(1), Result<Int, Failure>.failure(.init(code: 1)))
        list.kind("an error", Failure(code: 1) as any Error, Failure(code: 2) as any Error)
        list.kind(
            "an array of indirect enums", [Tree.leaf(1), .node(.leaf(2), .leaf(3))],
            [Tree.leaf(1), .node(.leaf(2), .leaf(4))])
        list.fixed("a fixed object as its payload", State.fixed(Fixed(1)), State.fixed(Fixed(2)))
        list.one("a mutable object as its payload") { recorder in
            let object = Counted()
            recorder.hides(One(value: State.busy(object))) { object.number += 1 }
        }
        list.one("objects by spare bits: another one in another case") { recorder in
            let box = Box(1)
            recorder.evaluate(One(value: Spare.object(box)), is: .initial)
            recorder.evaluate(One(value: Spare.other(box)), is: .changed("value"))
            recorder.evaluate(One(value: Spare.none), is: .changed("value"))
        }
        list.one("a closure that does something else") { recorder in
            recorder.children([One(value: Event.tap { 1 })], are: [.initial])
            recorder.children([One(value: Event.tap { 2 })], are: [.open.under("Outer").behind("value")])
            recorder.children([One(value: Event.key(1))], are: [.changed("value").under("Outer")])
        }
        list.one("closures in an array in an enum") { recorder in
            recorder.children([One(value: Event.list([{ 1 }, { 2 }]))], are: [.initial])
            recorder.children([One(value: Event.list([{ 1 }, { 3 }]))], are: [.open.under("Outer").behind("value")])
        }
        list.one("a chain of 200 links, the last of which changes") { recorder in
            recorder.children([One(value: chain(200, 1))], are: [.initial])
            recorder.children([One(value: chain(200, 2))], are: [.changed("value").under("Outer")])
        }
        list.one("a tree of 2,047 nodes, a leaf of which changes") { recorder in
            func tree(_ depth: Int, _ last: Int) -> Tree {
                depth == 0 ? .leaf(last) : .node(tree(depth - 1, 0), tree(depth - 1, last))
            }
            recorder.children([One(value: tree(10, 1))], are: [.initial])
            recorder.children([One(value: tree(10, 2))], are: [.changed("value").under("Outer")])
        }
        list.one("one without values, as an optional") { recorder in
            recorder.evaluate(One(value: Never2?.none), is: .initial)
            recorder.evaluate(One(value: Never2?.none), is: .same)
        }
    }
}

private struct Failure: Error { var code: Int }
