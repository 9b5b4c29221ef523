// SPDX-License-Identifier: MIT
// What closures capture: values of every kind, references, boxes, other closures, types.

import Rerender

private struct Action { let run: () -> Int }
private struct Point: Hashable { var x: Int; var y: Int8 }
private enum Mode { case off, level(Int), named(String) }
private protocol Drawn { var size: Int { get } }
private struct Dot: Drawn { var size: Int; func doubled() -> Int { size * 2 } }
private final class Target: Drawn { var size = 1; func tap() -> Int { size } }
private final class Fixed { let size: Int; init(_ size: Int) { self.size = size } }
private struct Holder { let target: Target; var number = 1 }

/// A closure around a value: the same again is the same, around another one it is not known.
private func capture<Value>(
    _ list: inout CaseList, _ name: String, _ old: @autoclosure @escaping @Sendable () -> Value,
    _ new: @autoclosure @escaping @Sendable () -> Value, line: UInt = #line,
    _ make: @escaping @Sendable (Value) -> Action
) {
    list.one("\(name): another") { recorder in
        recorder.children([make(old())], isDescribed: false, are: [.initial], line: line)
        recorder.children([make(new())], isDescribed: false, are: [.open.under("Outer").behind("run")], line: line)
        recorder.children([make(old())], isDescribed: false, are: [.open.under("Outer").behind("run")], line: line)
    }
    list.one("\(name): an equal one") { recorder in
        let truth = Truth.sameClosure
        recorder.evaluate(make(old()), isDescribed: false, is: .initial, line: line)
        // Right or not said: what is trivial is compared, the rest need not be.
        recorder.evaluate(make(old()), isDescribed: false, is: truth.with(.either), line: line)
    }
}

extension Case {
    static let capturedValues = CaseList.make("captured") { list in
        capture(&list, "a number", 1, 2) { value in Action { value } }
        capture(&list, "a truth value", true, false) { value in Action { value ? 1 : 0 } }
        capture(&list, "a byte", UInt8(1), 2) { value in Action { Int(value) } }
        capture(&list, "a real number", 1.5, 2.5) { value in Action { Int(value) } }
        capture(&list, "a small text", "a", "b") { value in Action { value.count } }
        capture(&list, "a long text", String(repeating: "a", count: 50), String(repeating: "b", count: 50)) { value in
            Action { value.count }
        }
        capture(&list, "an optional number", Int?.none, 1) { value in Action { value ?? 0 } }
        capture(&list, "a struct with padding", Point(x: 1, y: 2), Point(x: 1, y: 3)) { value in Action { value.x } }
        capture(&list, "an enum", Mode.level(1), Mode.level(2)) { value in
            Action { if case .level(let number) = value { number } else { 0 } }
        }
        capture(&list, "an enum with a text", Mode.named("a"), Mode.named("b")) { value in
            Action { if case .named(let name) = value { name.count } else { 0 } }
        }
        capture(&list, "an array", [1, 2], [1, 3]) { value in Action { value.count } }
        capture(&list, "a dictionary", ["a": 1], ["a": 2]) { value in Action { value.count } }
        capture(&list, "a tuple", (1, "a"), (1, "b")) { value in Action { value.0 } }
        capture(&list, "an existential", Dot(size: 1) as any Drawn, Dot(size: 2) as any Drawn) { value in
            Action { value.size }
        }
        capture(&list, "any value", 1 as Any, "a" as Any) { value in Action { value is Int ? 1 : 0 } }
        capture(&list, "a fixed object", Fixed(1), Fixed(2)) { value in Action { value.size } }
        capture(&list, "a vector", SIMD3<Float>(1, 2, 3), SIMD3<Float>(1, 2, 4)) { value in Action { Int(value.x) } }
        capture(&list, "a large number", Int128(1), Int128(2)) { value in Action { Int(value) } }
        capture(&list, "a type", Int.self as Any.Type, String.self as Any.Type) { value in
            Action { value == Int.self ? 1 : 0 }
        }
        capture(&list, "a key path", \Point.x as KeyPath<Point, Int>, \Point.x.bigEndian as KeyPath<Point, Int>) {
            value in Action { Point(x: 1, y: 2)[keyPath: value] }
        }
        capture(
            &list, "a C function", { (number: Int32) in number + 1 } as @convention(c) (Int32) -> Int32,
            { (number: Int32) in number + 2 } as @convention(c) (Int32) -> Int32
        ) { value in Action { Int(value(1)) } }
        capture(&list, "a number and a text", (1, "a"), (1, "b")) { value in
            let (number, text) = value
            return Action { number + text.count }
        }
        capture(&list, "five numbers", [1, 2, 3, 4, 5], [1, 2, 3, 4, 6]) { value in
            let (a, b, c, d, e) = (value[0], value[1], value[2], value[3], value[4])
            return Action { a + b + c + d + e }
        }
        capture(&list, "a byte before a number", (UInt8(1), 1), (UInt8(1), 2)) { value in
            let (byte, number) = value
            return Action { Int(byte) + number }
        }
        capture(&list, "a method of a struct", Dot(size: 1), Dot(size: 2)) { value in Action(run: value.doubled) }
        capture(&list, "a closure around a number", 1, 2) { value in
            let inner = { value }
            return Action { inner() + 1 }
        }
    }

    static let capturedReferences = CaseList.make("captured references") { list in
        let makers: [(String, @Sendable (Target) -> Action)] = [
            ("an object", { target in Action { target.size } }),
            (
                "an object and a number",
                { target in
                    let number = 1; return Action { target.size + number }
                }
            ),
            (
                "a struct with an object",
                { target in
                    let holder = Holder(target: target); return Action { holder.target.size + holder.number }
                }
            ),
            (
                "an object in an array",
                { target in
                    let targets = [target]; return Action { targets[0].size }
                }
            ),
            (
                "an object in an optional",
                { target in
                    let target = Optional(target); return Action { target?.size ?? 0 }
                }
            ),
            (
                "an object as an existential",
                { target in
                    let drawn = target as any Drawn; return Action { drawn.size }
                }
            ),
            (
                "an object in any value",
                { target in
                    let any = target as Any; return Action { (any as? Target)?.size ?? 0 }
                }
            ),
            ("an unowned object", { target in Action { [unowned target] in target.size } }),
            ("a weak object", { target in Action { [weak target] in target?.size ?? 0 } }),
            (
                "an object through a closure",
                { target in
                    let inner = { target.size }; return Action { inner() }
                }
            ),
            ("a method", { target in Action(run: target.tap) }),
        ]
        for (name, make) in makers {
            list.one("\(name) that changed inside") { recorder in
                let target = Target()
                recorder.children([make(target)], isDescribed: false, are: [.initial])
                target.size = 5
                recorder.children([make(target)], isDescribed: false, are: [.open.under("Outer").behind("run")])
            }
            list.one("\(name) that changed inside, in the same closure") { recorder in
                let target = Target()
                recorder.hides(make(target), at: "run") { target.size = 5 }
            }
            list.one("\(name) that is another") { recorder in
                let (one, two) = (Target(), Target())
                two.size = 3
                recorder.children([make(one)], isDescribed: false, are: [.initial])
                recorder.children([make(two)], isDescribed: false, are: [.open.under("Outer").behind("run")])
            }
        }
        list.one("a variable that two closures share") { recorder in
            struct Both { let get: () -> Int; let set: (Int) -> Void }
            var number = 1
            let view = Both(get: { number }, set: { number = $0 })
            recorder.evaluate("View", view, isDescribed: false, is: .initial) { $0.get() }
            view.set(4)
            recorder.evaluate("View", view, isDescribed: false, is: .open.behind("get")) { $0.get() }
        }
        list.one("two variables, the second of which changed") { recorder in
            var (one, two) = (1, 1)
            let view = Action { one + two }
            recorder.evaluate("View", view, isDescribed: false, is: .initial) { $0.run() }
            two = 2
            recorder.evaluate("View", view, isDescribed: false, is: .open.behind("run")) { $0.run() }
            one = 3
            recorder.evaluate("View", view, isDescribed: false, is: .open.behind("run")) { $0.run() }
        }
        list.one("a variable that holds a text") { recorder in
            var text = "a text that needs storage of its own"
            let view = Action { text.count }
            recorder.evaluate("View", view, isDescribed: false, is: .initial) { $0.run() }
            text += "!"
            recorder.evaluate("View", view, isDescribed: false, is: .open.behind("run")) { $0.run() }
        }
        list.one("a pointer to what changed") { recorder in
            var place = 1
            withUnsafeMutablePointer(to: &place) { pointer in
                nonisolated(unsafe) let pointer = pointer
                let view = Action { pointer.pointee }
                recorder.evaluate("View", view, isDescribed: false, is: .initial) { $0.run() }
                pointer.pointee = 2
                recorder.evaluate("View", view, isDescribed: false, is: .open.behind("run")) { $0.run() }
                // It must not be looked at after this.
                recorder.store.ended("View")
            }
        }
        list.one("the type of a generic function") { recorder in
            func make<Item>(_ type: Item.Type) -> Action { Action { MemoryLayout<Item>.size } }
            recorder.children([make(Int.self)], isDescribed: false, are: [.initial])
            recorder.children([make(Int8.self)], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a generic value") { recorder in
            func make<Item: BinaryInteger>(_ item: Item) -> Action { Action { Int(item) } }
            recorder.children([make(1)], isDescribed: false, are: [.initial])
            recorder.children([make(2)], isDescribed: false, are: [.open.under("Outer").behind("run")])
            recorder.children([make(UInt8(2))], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a closure in a variable that is replaced") { recorder in
            var inner = { 1 }
            let view = Action { inner() }
            recorder.children([view], isDescribed: false, are: [.initial])
            inner = { 2 }
            recorder.children([view], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("an optional closure that is none, then some") { recorder in
            func view(_ inner: (() -> Int)?) -> Action { Action { inner?() ?? 0 } }
            recorder.children([view(nil)], isDescribed: false, are: [.initial])
            recorder.children([view { 1 }], isDescribed: false, are: [.open.under("Outer").behind("run")])
            recorder.children([view { 2 }], isDescribed: false, are: [.open.under("Outer").behind("run")])
        }
        list.one("a key path with an index") { recorder in
            struct View { let path: KeyPath<[Int], Int> }
            recorder.children([View(path: \[Int][0])], isDescribed: false, are: [.initial])
            recorder.children([View(path: \[Int][1])], isDescribed: false, are: [.changed("path").under("Outer")])
        }
        list.one("a key path with an index, as a function") { recorder in
            struct View { let path: ([Int]) -> Int }
            func view(_ index: Int) -> View { View(path: \[Int][index]) }
            recorder.children([view(0)], isDescribed: false, are: [.initial])
            recorder.children([view(1)], isDescribed: false, are: [.open.under("Outer").behind("path")])
        }
    }
}
