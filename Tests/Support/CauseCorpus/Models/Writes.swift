// SPDX-License-Identifier: MIT
// Writes to observed properties, and writes that nobody hears of.

import Dispatch
import Observation
import Rerender

@Observable private final class Loose {
    var seen = 0
    @ObservationIgnored var hidden = 0
    @ObservationIgnored lazy var cache = "cache \(hidden)"
}

private final class Plain {
    var n = 0
}

@Observable private final class Rich {
    var action: () -> Int = { 1 }
    var actions: [() -> Int] = [{ 1 }]
    var plain = Plain()
    var any: Any = 1
    var style = Unequal(value: 1)
    var styles = [Unequal(value: 1)]
    var numbers = [1, 2, 3]
    var table = ["a": 1]
    var text = "a"
    var real = 0.0
    var optional: Int?
    var pair = (1, 2)
    var object: AnyObject?
    var a = 0
    var _b = 0
    var twice: Int {
        get { a * 2 }
        set { a = newValue / 2 }
    }
    var watched = 0 { didSet { a += 1 } }
    subscript(index: Int) -> Int {
        get { numbers[index] }
        set { numbers[index] = newValue }
    }
}

private final class Constant {
    let plain: Plain?
    init(_ plain: Plain?) { self.plain = plain }
}

@Observable private final class Owner {
    let constant = Constant(Plain())
    var object = Constant(Plain())
    var objects = [Constant(Plain())]
    var number = 0
    var other = 0
    /// Past the property, so that nobody is told.
    func sneak() { _number += 1 }
}

private struct View { let rich: Rich; var title = "a" }
private struct LooseView { let loose: Loose }

/// Two evaluations around a write, which is named `name`.
private func write<Output>(
    _ list: inout CaseList, _ name: String, _ truth: Truth, reading: @escaping @Sendable (Rich) -> Output,
    line: UInt = #line, _ write: @escaping @Sendable (Rich) -> Void
) {
    list.one(name) { recorder in
        let view = View(rich: Rich())
        recorder.evaluate("View", view, is: .initial, line: line) { reading($0.rich) }
        write(view.rich)
        recorder.evaluate("View", view, is: truth, line: line) { reading($0.rich) }
    }
    list.one("\(name), in a child") { recorder in
        let view = View(rich: Rich())
        func evaluate(_ truth: Truth) {
            recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                recorder.evaluate("View", view, is: truth, line: line) { reading($0.rich) }
            }
        }
        evaluate(.initial)
        write(view.rich)
        evaluate(truth.under("Outer"))
    }
}

extension Case {
    static let writes = CaseList.make("writes") { list in
        write(&list, "another number", .wrote("rich.a"), reading: { $0.a }) { $0.a = 5 }
        write(&list, "another text", .wrote("rich.text"), reading: { $0.text }) { $0.text = "b" }
        write(&list, "another real number", .wrote("rich.real"), reading: { $0.real }) { $0.real = 1.5 }
        write(&list, "an optional that comes", .wrote("rich.optional"), reading: { $0.optional }) { $0.optional = 4 }
        write(&list, "a tuple", .wrote("rich.pair"), reading: { $0.pair.0 }) { $0.pair.1 = 4 }
        write(&list, "an array in place", .wrote("rich.numbers"), reading: { $0.numbers }) { $0.numbers[1] = 9 }
        write(&list, "an array that grows", .wrote("rich.numbers"), reading: { $0.numbers.count }) {
            $0.numbers.append(4)
        }
        write(&list, "a dictionary in place", .wrote("rich.table"), reading: { $0.table }) { $0.table["a"] = 2 }
        write(&list, "an array of what is not Equatable, in place", .wrote("rich.styles"), reading: { $0.styles.count })
        { $0.styles[0].value = 2 }
        write(&list, "any value", .wrote("rich.any"), reading: { _ = $0.any }) { $0.any = "a" }
        write(&list, "another function", .wrote("rich.action"), reading: { $0.action() }) { $0.action = { 42 } }
        write(&list, "other functions", .wrote("rich.actions"), reading: { $0.actions[0]() }) { $0.actions = [{ 42 }] }
        write(&list, "another object of variables", .wrote("rich.plain"), reading: { $0.plain.n }) {
            let plain = Plain()
            plain.n = 3
            $0.plain = plain
        }
        write(
            &list, "the same object, which changed inside, and of which nobody is told", .open.behind("rich"),
            reading: { $0.plain.n }
        ) {
            let plain = $0.plain
            plain.n = 3
            $0.plain = plain
        }
        write(&list, "an object, written in place", .wrote("rich.object"), reading: { ($0.object as? Plain)?.n }) {
            $0.object = Plain()
        }
        write(&list, "a property with an underscore", .wrote("rich._b"), reading: { $0._b }) { $0._b = 5 }
        write(&list, "through a computed property", .wrote("rich.a"), reading: { $0.twice }) { $0.twice = 8 }
        write(&list, "through a subscript", .wrote("rich.numbers"), reading: { $0[1] }) { $0[1] = 8 }
        write(&list, "through a key path", .wrote("rich.a"), reading: { $0.a }) { $0[keyPath: \.a] = 8 }
        write(&list, "through an inout argument", .wrote("rich.a"), reading: { $0.a }) { rich in
            func raise(_ number: inout Int) { number += 3 }
            raise(&rich.a)
        }
        write(&list, "from the property's observer", .wrote("rich.a"), reading: { $0.a }) { $0.watched = 1 }
        write(
            &list, "a property and another from its observer", .wrote("rich.a, rich.watched"),
            reading: { $0.a + $0.watched }
        ) { $0.watched = 1 }
        // The same value again.
        write(&list, "an equal number", .same, reading: { $0.a }) { $0.a = 0 }
        write(&list, "a number there and back", .wrote("rich.a").wasted(.sameValue), reading: { $0.a }) {
            $0.a = 1
            $0.a = 0
        }
        write(
            &list, "an equal value that is not Equatable", .wrote("rich.style").wasted(.sameValue),
            reading: { $0.style.value }
        ) { $0.style = Unequal(value: 1) }
        write(
            &list, "an equal value that is not Equatable, then another", .wrote("rich.style"),
            reading: { $0.style.value }
        ) {
            $0.style = Unequal(value: 1)
            $0.style = Unequal(value: 2)
        }
        write(&list, "an array there and back", .wrote("rich.numbers").wasted(.sameValue), reading: { $0.numbers }) {
            $0.numbers[0] = 9
            $0.numbers[0] = 1
        }
        write(
            &list, "an equal array of what is not Equatable", .wrote("rich.styles").wasted(.sameValue, .newIdentity),
            reading: { $0.styles.count }
        ) { $0.styles = [Unequal(value: 1)] }
        write(
            &list, "two properties, one of them as it was", .wrote("rich.a, rich.style"),
            reading: { $0.a + $0.style.value }
        ) {
            $0.style = Unequal(value: 1)
            $0.a = 3
        }
        write(&list, "what is not read", .same.with(.either), reading: { $0.a }) { $0.text = "b" }
        write(
            &list, "more than eight properties",
            .wrote(
                "rich._b, rich.a, rich.numbers, rich.optional, rich.real, rich.style, rich.table, rich.text, +1",
                lesser: "rich.watched"
            ),
            reading: { rich in
                _ = (rich._b, rich.a, rich.numbers, rich.optional)
                _ = (rich.real, rich.style, rich.table, rich.text, rich.watched)
            }
        ) { rich in
            (rich._b, rich.a, rich.numbers, rich.optional) = (1, 1, [], 1)
            (rich.real, rich.style, rich.table, rich.text, rich.watched) = (1, Unequal(value: 3), [:], "z", 1)
        }
    }

    static let unheardWrites = CaseList.make("unheard") { list in
        list.one("an ignored property") { recorder in
            let view = LooseView(loose: Loose())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.loose.seen + $0.loose.hidden }
            }
            evaluate(.initial)
            view.loose.hidden = 5
            evaluate(.open.behind("loose"))
        }
        list.one("an ignored property, in a child") { recorder in
            let view = LooseView(loose: Loose())
            recorder.hides(view, at: "loose") { view.loose.hidden += 1 }
        }
        list.one("an ignored lazy property") { recorder in
            let view = LooseView(loose: Loose())
            recorder.hides(view, at: "loose") { _ = view.loose.cache }
        }
        list.one("a property's storage beside an equal write") { recorder in
            let view = One(value: Owner())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.value.number + $0.value.other }
            }
            evaluate(.initial)
            (view.value.other, view.value.other) = (1, 0)
            view.value.sneak()
            evaluate(.wrote("value.other", lesser: "value.number"))
            view.value.sneak()
            evaluate(.open)
        }
        list.one("an ignored property beside an equal write") { recorder in
            let view = LooseView(loose: Loose())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.loose.seen + $0.loose.hidden }
            }
            evaluate(.initial)
            view.loose.seen = 1
            view.loose.seen = 0
            view.loose.hidden = 3
            evaluate(.wrote("loose.seen", lesser: "loose.hidden"))
        }
        list.one("an object in an observed property") { recorder in
            let view = View(rich: Rich())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                    recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.rich.plain.n }
                }
            }
            evaluate(.initial)
            view.rich.plain.n = 4
            evaluate(.open.under("Outer").behind("rich"))
        }
        list.one("an object in an observed property beside an equal write") { recorder in
            let view = View(rich: Rich())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.rich.plain.n + $0.rich.a }
            }
            evaluate(.initial)
            view.rich.plain.n = 4
            (view.rich.a, view.rich.a) = (1, 0)
            evaluate(.wrote("rich.a"))
        }
        func behind(_ name: String, line: UInt = #line, _ plain: @escaping @Sendable (Owner) -> Plain?) {
            list.one(name) { recorder in
                let view = One(value: Owner())
                func evaluate(_ truth: Truth) {
                    recorder.evaluate("View", view, isDescribed: false, is: truth, line: line) {
                        $0.value.number + (plain($0.value)?.n ?? 0)
                    }
                }
                evaluate(.initial)
                plain(view.value)?.n = 4
                evaluate(.open.behind("value"))
                plain(view.value)?.n = 5
                evaluate(.open.behind("value"))
            }
        }
        behind("an object in a constant of a model") { $0.constant.plain }
        behind("an object in an object in an observed property") { $0.object.plain }
        behind("an object in an array of objects in an observed property") { $0.objects[0].plain }
        list.one("any value with an object in an observed property") { recorder in
            let view = View(rich: Rich())
            let plain = Plain()
            view.rich.any = plain
            func evaluate(_ truth: Truth) {
                recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                    recorder.evaluate("View", view, isDescribed: false, is: truth) { ($0.rich.any as? Plain)?.n }
                }
            }
            evaluate(.initial)
            plain.n = 4
            evaluate(.open.under("Outer").behind("rich"))
        }
        list.one("a function in an observed property whose captures changed") { recorder in
            var number = 1
            let view = View(rich: Rich())
            view.rich.action = { number }
            func evaluate(_ truth: Truth) {
                recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                    recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.rich.action() }
                }
            }
            evaluate(.initial)
            number = 2
            evaluate(.open.under("Outer").behind("rich"))
        }
        list.one("a function in an observed property whose captures changed beside an equal write") { recorder in
            var number = 1
            let view = View(rich: Rich())
            view.rich.action = { number }
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.rich.action() + $0.rich.a }
            }
            evaluate(.initial)
            number = 2
            (view.rich.a, view.rich.a) = (1, 0)
            evaluate(.wrote("rich.a"))
        }
        list.one("a write while the body runs") { recorder in
            let view = View(rich: Rich())
            func evaluate(writes: Bool, _ truth: Truth) {
                recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                    recorder.evaluate("View", view, is: truth) { view in
                        _ = view.rich.a
                        if writes { view.rich.a += 1 }
                    }
                }
            }
            evaluate(writes: true, .initial)
            evaluate(writes: false, .open.under("Outer"))
            evaluate(writes: false, .same.under("Outer"))
        }
        list.one("a value set up by the first body") { recorder in
            let view = View(rich: Rich())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, is: truth) { view in
                    if view.rich.optional == nil { view.rich.optional = 1 }
                    return view.rich.optional
                }
            }
            evaluate(.initial)
            evaluate(.open)
            evaluate(.same)
        }
        list.one("a write while the body runs, to what it does not read") { recorder in
            let view = View(rich: Rich())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, is: truth) { view in
                    if view.rich.a == 0 { view.rich.text = "written" }
                }
            }
            evaluate(.initial)
            evaluate(.same)
        }
        list.one("a write before a pause and one in it") { recorder in
            let view = View(rich: Rich())
            func evaluate(_ truth: Truth) { recorder.evaluate("View", view, is: truth) { $0.rich.a } }
            evaluate(.initial)
            view.rich.a = 1
            recorder.store.isEnabled = false
            recorder.store.evaluate("View", of: view) { _ = view.rich.a }
            recorder.store.isEnabled = true
            evaluate(.open)
            view.rich.a = 2
            evaluate(.wrote("rich.a"))
        }
        list.one("a model that nobody knows, beside an unchanged view") { recorder in
            let hidden = Plain()
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", One(value: 1), comparing: .equatable, is: truth) { _ in hidden.n }
            }
            evaluate(.initial)
            hidden.n = 1
            evaluate(.open)
        }
        list.one("the reads of another branch") { recorder in
            let view = View(rich: Rich())
            func evaluate(_ first: Bool, _ truth: Truth) {
                recorder.evaluate("View", view, is: truth) { first ? $0.rich.a : $0.rich._b }
            }
            evaluate(true, .initial)
            view.rich._b = 1
            evaluate(false, .same)
            view.rich.a = 1
            evaluate(false, .same)
            view.rich._b = 2
            evaluate(true, .wrote("rich._b"))
        }
        list.one("two instances of one model, told each of its own reads") { recorder in
            let rich = Rich()
            func evaluate(_ instance: InstanceID, _ truth: Truth, _ read: @escaping (Rich) -> Int) {
                recorder.evaluate("View", View(rich: rich), instance: instance, is: truth) { read($0.rich) }
            }
            evaluate(1, .initial) { $0.a }
            evaluate(2, .initial) { $0._b }
            rich.a = 1
            evaluate(1, .wrote("rich.a")) { $0.a }
            evaluate(2, .same) { $0._b }
            rich._b = 1
            evaluate(1, .same) { $0.a }
            evaluate(2, .wrote("rich._b")) { $0._b }
        }
        list.one("a body that throws after its reads") { recorder in
            struct Refused: Error {}
            let view = View(rich: Rich())
            try? recorder.store.evaluate("View", of: view) {
                _ = view.rich.a
                throw Refused()
            }
            view.rich.a = 4
            recorder.evaluate("View", view, is: .wrote("rich.a")) { $0.rich.a }
        }
    }

    static let otherThreads = CaseList.make("threads") { list in
        list.one("a write on another thread") { recorder in
            let view = View(rich: Rich())
            recorder.evaluate("View", view, is: .initial) { $0.rich.a }
            elsewhere { view.rich.a = 3 }
            recorder.evaluate("View", view, is: .wrote("rich.a")) { $0.rich.a }
        }
        list.one("writes on two threads") { recorder in
            let view = View(rich: Rich())
            recorder.evaluate("View", view, is: .initial) { $0.rich.a + $0.rich._b }
            elsewhere { view.rich.a = 3 }
            elsewhere { view.rich._b = 3 }
            recorder.evaluate("View", view, is: .wrote("rich._b, rich.a")) { $0.rich.a + $0.rich._b }
        }
        list.one("a write there and back on another thread") { recorder in
            let view = View(rich: Rich())
            recorder.evaluate("View", view, is: .initial) { $0.rich.a }
            elsewhere {
                view.rich.a = 3
                view.rich.a = 0
            }
            // Its values are not looked at then: nothing may be said, though it was for nothing.
            recorder.evaluate("View", view, is: .wrote("rich.a").with(.either)) { $0.rich.a }
        }
        list.one("an evaluation on another thread") { recorder in
            let view = View(rich: Rich())
            recorder.evaluate("View", view, is: .initial) { $0.rich.a }
            view.rich.a = 3
            elsewhere { _ = recorder.evaluate("View", view, is: .wrote("rich.a")) { $0.rich.a } }
            elsewhere {
                _ = recorder.evaluate("View", View(rich: view.rich, title: "b"), is: .changed("title")) { $0.rich.a }
            }
            recorder.evaluate("View", View(rich: view.rich, title: "b"), is: .same) { $0.rich.a }
        }
        list.one("children on another thread than their parent") { recorder in
            recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                elsewhere { recorder.evaluate(One(value: 1), is: .initial) }
            }
            recorder.evaluate("Outer", One(value: 1), is: nil) { _ in
                // Nobody says that it is Outer's.
                elsewhere { recorder.evaluate(One(value: 1), is: .same) }
            }
        }
        list.one("the same key on two threads, one inside the other's time") { recorder in
            recorder.evaluate("View", One(value: 1), instance: 1, is: .initial) { _ in
                elsewhere { recorder.store.evaluate("View", of: One(value: 5), instance: 2) {} }
            }
            recorder.evaluate(One(value: 1), instance: 1, is: .same)
            recorder.evaluate(One(value: 5), instance: 2, is: .same)
            recorder.evaluate(One(value: 6), instance: 2, is: .changed("value"))
        }
    }
}

/// Runs work on another thread, to its end.
private func elsewhere(_ work: @escaping () -> Void) {
    nonisolated(unsafe) let work = work
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
        work()
        done.signal()
    }
    done.wait()
}
