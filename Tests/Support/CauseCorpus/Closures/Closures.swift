// SPDX-License-Identifier: MIT
// Closures among the inputs: the same, the same again, another function, other captures.

import Rerender

private struct Action { let run: () -> Int }
private struct Texts { let text: () -> String; var title = "a" }
private struct Maybe { var run: (() -> Int)? }
private struct Many { var runs: [() -> Int] }
private struct Table { var runs: [String: () -> Int] }
private struct Throwing { let run: () throws -> Int }
private struct Typed { let run: () throws(Refused) -> Int }
private struct Async { let run: @Sendable () async -> Int }
private struct OnMain { let run: @MainActor () -> Int }
private struct Mapping { let map: (Int) -> Int }
private struct Generic<Item> { let make: (Item) -> Item }
private struct CFunction { let call: @convention(c) (Int32) -> Int32 }
private struct CTable { let calls: [@convention(c) (Int32) -> Int32] }
private struct Nested { var action: Action; var number = 1 }
private struct Bound { let get: () -> Int; let set: (Int) -> Void }
private struct Refused: Error {}
private enum Choice { case run(() -> Int), none }
private protocol Runs { var run: () -> Int { get } }
extension Action: Runs {}
private final class Target {
    var number = 1
    let fixed = 1
    func tap() -> Int { number }
    func other() -> Int { number + 1 }
}

/// Views of one closure each, evaluated one after the other, alone and as a child.
private func closures<View>(
    _ list: inout CaseList, _ name: String, _ old: @autoclosure @escaping @Sendable () -> View,
    _ new: @autoclosure @escaping @Sendable () -> View, is truth: Truth, at path: String, line: UInt = #line
) {
    let truth = truth.behind(path)
    list.one(name) { recorder in
        let (before, after) = (old(), new())
        recorder.evaluate(before, isDescribed: false, is: .initial, line: line)
        recorder.evaluate(after, isDescribed: false, is: truth, line: line)
        withExtendedLifetime((before, after)) {}
    }
    list.one("\(name), in a child") { recorder in
        recorder.children([old()], isDescribed: false, are: [.initial], line: line)
        recorder.children([new()], isDescribed: false, are: [truth.under("Outer")], line: line)
    }
}

private func adder(_ number: Int) -> () -> Int { { number } }
private func teller(_ text: String) -> () -> String { { text } }
private func sum(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> () -> Int { { a + b + c + d } }
private func calls(_ target: Target) -> () -> Int { { target.number } }
private func sleeper(_ number: Int) -> @Sendable () async -> Int { { await later(number) } }
private func later(_ number: Int) async -> Int { number }
private func composed(_ inner: @escaping () -> Int) -> () -> Int { { inner() + 1 } }
private func pair(_ number: Int, _ text: String) -> () -> String { { "\(number) \(text)" } }

extension Case {
    static let closures = CaseList.make("closures") { list in
        CauseCorpus.closures(&list, "another function", Action { 1 }, Action { 2 }, is: .open, at: "run")
        CauseCorpus.closures(&list, "rows' texts", Texts { "row 1" }, Texts { "row 2" }, is: .open, at: "text")
        CauseCorpus.closures(
            &list, "another captured number", Action(run: adder(1)), Action(run: adder(2)), is: .open, at: "run")
        CauseCorpus.closures(
            &list, "the same captured number", Action(run: adder(1)), Action(run: adder(1)), is: .sameClosure, at: "run"
        )
        CauseCorpus.closures(
            &list, "another captured text", Texts(text: teller("a")), Texts(text: teller("b")), is: .open, at: "text")
        CauseCorpus.closures(
            &list, "another captured long text", Texts(text: teller(String(repeating: "a", count: 40))),
            Texts(text: teller(String(repeating: "b", count: 40))), is: .open, at: "text")
        CauseCorpus.closures(
            &list, "the last of four captured numbers", Action(run: sum(1, 2, 3, 4)), Action(run: sum(1, 2, 3, 5)),
            is: .open, at: "run")
        CauseCorpus.closures(
            &list, "four equal captured numbers", Action(run: sum(1, 2, 3, 4)), Action(run: sum(1, 2, 3, 4)),
            is: .sameClosure, at: "run")
        CauseCorpus.closures(
            &list, "a number and another text", Texts(text: pair(1, "a")), Texts(text: pair(1, "b")), is: .open,
            at: "text")
        CauseCorpus.closures(&list, "another function in an optional", Maybe { 1 }, Maybe { 2 }, is: .open, at: "run")
        CauseCorpus.closures(&list, "a closure that comes", Maybe(run: nil), Maybe { 2 }, is: .open, at: "run")
        CauseCorpus.closures(&list, "a closure that goes", Maybe(run: adder(1)), Maybe(run: nil), is: .open, at: "run")
        CauseCorpus.closures(
            &list, "other functions in an array", Many(runs: [{ 1 }, { 2 }]), Many(runs: [{ 1 }, { 3 }]), is: .open,
            at: "runs")
        CauseCorpus.closures(
            &list, "other captures in an array", Many(runs: [adder(1), adder(2)]), Many(runs: [adder(1), adder(3)]),
            is: .open, at: "runs")
        CauseCorpus.closures(
            &list, "other functions in a dictionary", Table(runs: ["a": { 1 }]), Table(runs: ["a": { 2 }]), is: .open,
            at: "runs")
        CauseCorpus.closures(
            &list, "another function in an enum", Choice.run { 1 }, Choice.run { 2 }, is: .open, at: "self")
        CauseCorpus.closures(
            &list, "another capture in an enum", Choice.run(adder(1)), Choice.run(adder(2)), is: .open, at: "self")
        CauseCorpus.closures(
            &list, "another function in a tuple", One(value: (1, { 1 })), One(value: (1, { 2 })), is: .open, at: "value"
        )
        CauseCorpus.closures(
            &list, "another function in a generic view", One(value: { 1 }), One(value: { 2 }), is: .open, at: "value")
        CauseCorpus.closures(
            &list, "another capture in a generic view", One(value: adder(1)), One(value: adder(2)), is: .open,
            at: "value")
        CauseCorpus.closures(
            &list, "another function in any value", One(value: { 1 } as Any), One(value: { 2 } as Any), is: .open,
            at: "value")
        CauseCorpus.closures(
            &list, "another function in a protocol's value", One(value: Action { 1 } as any Runs),
            One(value: Action { 2 } as any Runs), is: .open, at: "value")
        CauseCorpus.closures(
            &list, "another function in a nested struct", Nested(action: Action { 1 }), Nested(action: Action { 2 }),
            is: .open, at: "action")
        CauseCorpus.closures(
            &list, "another throwing function", Throwing { 1 }, Throwing { throw Refused() }, is: .open, at: "run")
        CauseCorpus.closures(
            &list, "another typed throwing function", Typed { 1 },
            Typed { () throws(Refused) -> Int in throw Refused() }, is: .open, at: "run")
        CauseCorpus.closures(
            &list, "another async function", Async { await later(1) }, Async { await later(2) }, is: .open, at: "run")
        CauseCorpus.closures(
            &list, "another capture of an async function", Async(run: sleeper(1)), Async(run: sleeper(2)), is: .open,
            at: "run")
        CauseCorpus.closures(&list, "another main-actor function", OnMain { 1 }, OnMain { 2 }, is: .open, at: "run")
        CauseCorpus.closures(
            &list, "another operator", One(value: (+) as (Int, Int) -> Int), One(value: (-) as (Int, Int) -> Int),
            is: .open, at: "value")
        CauseCorpus.closures(
            &list, "a key path as a function", Mapping(map: \.magnitude.nonzeroBitCount), Mapping(map: \.bitWidth),
            is: .open, at: "map")
        CauseCorpus.closures(
            &list, "another function of a generic struct", Generic<Int> { $0 }, Generic<Int> { $0 + 1 }, is: .open,
            at: "make")
        CauseCorpus.closures(
            &list, "another C function", CFunction { $0 + 1 }, CFunction { $0 + 2 }, is: .open, at: "call")
        CauseCorpus.closures(
            &list, "other C functions in an array", CTable(calls: [{ $0 + 1 }]), CTable(calls: [{ $0 + 2 }]), is: .open,
            at: "calls")
        CauseCorpus.closures(
            &list, "a closure around another function", Action(run: composed { 1 }), Action(run: composed { 2 }),
            is: .open, at: "run")
        CauseCorpus.closures(
            &list, "a closure around another capture", Action(run: composed(adder(1))), Action(run: composed(adder(2))),
            is: .open, at: "run")
        CauseCorpus.closures(
            &list, "a binding of another element", binding([1, 2], 0), binding([1, 2], 1), is: .open, at: "get")
    }

    static let capturedObjects = CaseList.make("captures") { list in
        list.one("the same closure again") { recorder in
            let view = Action(run: adder(1))
            recorder.evaluate(view, isDescribed: false, is: .initial)
            recorder.evaluate(view, isDescribed: false, is: .sameClosure)
            recorder.children([view], isDescribed: false, are: [.sameClosure.under("Outer")])
        }
        list.one("a function without captures") { recorder in
            func view() -> Action { Action { 1 } }
            recorder.evaluate(view(), isDescribed: false, is: .initial)
            recorder.evaluate(view(), isDescribed: false, is: .sameClosure)
            recorder.children(
                [view(), view()], isDescribed: false, are: [.sameClosure.under("Outer"), .sameClosure.under("Outer")])
        }
        list.one("a C function again") { recorder in
            func view() -> CFunction { CFunction { $0 + 1 } }
            recorder.children([view(), view()], isDescribed: false, are: [.initial, .sameClosure.under("Outer")])
        }
        list.one("the same closure, whose captured variable changed") { recorder in
            var count = 0
            let view = Action { count }
            recorder.evaluate("View", view, isDescribed: false, is: .initial) { $0.run() }
            count += 1
            recorder.evaluate("View", view, isDescribed: false, is: .open.behind("run")) { $0.run() }
            recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                count += 1
                recorder.evaluate(view, isDescribed: false, is: .open.under("Outer").behind("run"))
            }
        }
        list.one("a closure made anew around a variable that changed") { recorder in
            var count = 0
            func view() -> Action { Action { count } }
            recorder.children([view()], isDescribed: false, are: [.initial])
            count += 1
            recorder.children([view()], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a captured object that changed inside") { recorder in
            let target = Target()
            recorder.children([Action(run: calls(target))], isDescribed: false, are: [.initial])
            target.number = 2
            recorder.children(
                [Action(run: calls(target))], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("another captured object") { recorder in
            let (one, two) = (Target(), Target())
            two.number = 3
            recorder.children([Action(run: calls(one))], isDescribed: false, are: [.initial])
            recorder.children([Action(run: calls(two))], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a method of an object that changed inside") { recorder in
            let target = Target()
            recorder.children([Action(run: target.tap)], isDescribed: false, are: [.initial])
            target.number = 2
            recorder.children([Action(run: target.tap)], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("another method of an object") { recorder in
            let target = Target()
            recorder.children([Action(run: target.tap)], isDescribed: false, are: [.initial])
            recorder.children(
                [Action(run: target.other)], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a weakly captured object that goes") { recorder in
            var target: Target? = Target()
            let view = Maybe { [weak target] in target?.number ?? 0 }
            recorder.evaluate("View", view, isDescribed: false, is: .initial) { $0.run?() }
            target = nil
            recorder.evaluate("View", view, isDescribed: false, is: .open.behind("run")) { $0.run?() }
            withExtendedLifetime(target) {}
        }
        list.one("a captured array that is another one") { recorder in
            func view(_ numbers: [Int]) -> Action { Action { numbers.count } }
            recorder.children([view([1])], isDescribed: false, are: [.initial])
            recorder.children([view([1, 2])], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a binding to a variable that changed") { recorder in
            var number = 1
            func view() -> Bound { Bound(get: { number }, set: { number = $0 }) }
            recorder.evaluate("View", view(), isDescribed: false, is: .initial) { $0.get() }
            view().set(5)
            recorder.evaluate("View", view(), isDescribed: false, is: .open.behind("get")) { $0.get() }
        }
        list.one("another title beside another function") { recorder in
            recorder.children([Texts(text: { "1" })], isDescribed: false, are: [.initial])
            recorder.children(
                [Texts(text: { "2" }, title: "b")], isDescribed: false, are: [.changed("title").under("Outer")])
        }
        list.one("another function whose output was compared") { recorder in
            func evaluate(_ view: Texts, _ truth: Truth) {
                recorder.evaluate("View", view, comparing: .equatable, isDescribed: false, is: truth) { $0.text() }
            }
            evaluate(Texts { "row 1" }, .initial)
            evaluate(Texts { "row 2" }, .open.behind("text"))
            evaluate(Texts { "row " + "2" }, .open.measured.behind("text"))
        }
        list.one("a hundred functions of a list, each with its number") { recorder in
            for round in 0..<3 {
                for row in 0..<100 {
                    let view = Action(run: adder(row + round))
                    recorder.evaluate(
                        "View", view, instance: InstanceID(UInt64(row)), isDescribed: false,
                        is: round == 0 ? .initial : .open.behind("run")
                    ) { $0.run() }
                }
            }
        }
        list.one("a closure of a closure of a closure") { recorder in
            func view(_ number: Int) -> Action { Action(run: composed(composed(adder(number)))) }
            recorder.children([view(1)], isDescribed: false, are: [.initial])
            recorder.children([view(2)], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a captured struct with a closure in it") { recorder in
            func view(_ inner: Action) -> Action { Action { inner.run() + 1 } }
            recorder.children([view(Action { 1 })], isDescribed: false, are: [.initial])
            recorder.children([view(Action { 2 })], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a generic closure of another type") { recorder in
            func make<Item: CustomStringConvertible>(_ item: Item) -> () -> String { { item.description } }
            recorder.children([Texts(text: make(1))], isDescribed: false, are: [.initial])
            recorder.children([Texts(text: make(true))], isDescribed: false, are: [.open.under("Outer").behind("text")])
            recorder.children(
                [Texts(text: make(false))], isDescribed: false, are: [.open.under("Outer").behind("text")])
        }
    }
}

private func binding(_ numbers: [Int], _ index: Int) -> Bound {
    nonisolated(unsafe) var numbers = numbers
    return Bound(get: { numbers[index] }, set: { numbers[index] = $0 })
}
