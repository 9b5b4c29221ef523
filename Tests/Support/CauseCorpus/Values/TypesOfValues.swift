// SPDX-License-Identifier: MIT
// Tuples, existentials, opaque and generic types, metatypes, key paths, wrappers, values that contain themselves.

import Rerender

private protocol Drawn: Sendable { var size: Int { get } }
private protocol Named<Name> { associatedtype Name; var name: Name { get } }
private struct Dot: Drawn, Hashable { var size: Int }
private struct Wide: Drawn { var size: Int; var a = 1, b = 2, c = 3, d = 4 }
private final class Stamp: Drawn { let size: Int; init(size: Int) { self.size = size } }
private struct Person: Named { var name: String }
private struct Generic<Item: Hashable> { var item: Item; var items: [Item] }
private struct Phantom<Unit> { var amount: Int }
private struct Packed<each Item> { var items: (repeat each Item) }
private struct Recursive { var name: String; var next: [Recursive] }
private struct Nested { struct Inner { var x: Int; var y: Int }; var inner: Inner; var other: Inner }
private struct Late { @Kept var text: String; @Kept var number: Int }
@propertyWrapper private struct Kept<Value> { var wrappedValue: Value }
@propertyWrapper private struct Traced<Value> {
    var wrappedValue: Value
    var projectedValue: Int { 1 }
    var reads = 0
}
private struct Wrapped { @Traced var level: Int }
private struct Twice { @Kept @Traced var level: Int }
private struct Empty {}
private struct Computed { var twice: Int { value * 2 }; var value: Int; static let shared = 1 }
private struct ManyEmpty { var a = Empty(); var value = 1; var b = Empty() }
private struct Builder { var content: () -> Dot; var dot: Dot { content() } }

private func drawn(_ size: Int) -> some Drawn & Hashable { Dot(size: size) }

extension Case {
    static let typesOfValues = CaseList.make("types") { list in
        list.kind("a tuple", (1, "a"), (1, "b"), path: "value.1")
        list.kind("a tuple with labels", (x: 1, y: 2), (x: 1, y: 3), path: "value.y")
        list.kind("a tuple in a tuple", (1, (2, 3)), (1, (2, 4)), path: "value.1.1")
        list.kind("a small existential", Dot(size: 1) as any Drawn, Dot(size: 2) as any Drawn)
        list.kind("an existential that needs a box", Wide(size: 1) as any Drawn, Wide(size: 2) as any Drawn)
        list.fixed("an existential of a fixed object", Stamp(size: 1) as any Drawn, Stamp(size: 2) as any Drawn)
        list.kind("existentials of two types", Dot(size: 1) as any Drawn, Wide(size: 1) as any Drawn)
        list.kind(
            "a parametrised existential", Person(name: "a") as any Named<String>, Person(name: "b") as any Named<String>
        )
        list.kind("any value", 1 as Any, "a" as Any)
        list.kind("an optional in any value", Optional(1) as Any, Optional(2) as Any)
        list.kind("any value in any value", [1 as Any, [2 as Any]] as Any, [1 as Any, [3 as Any]] as Any)
        list.kind("AnyHashable", AnyHashable(1), AnyHashable("a"))
        list.kind("a dictionary of any values", ["a": 1 as Any, "b": "x"], ["a": 1 as Any, "b": "y"])
        list.kind("an optional existential", (any Drawn)?.none, Dot(size: 1) as any Drawn)
        list.kind("an opaque type", drawn(1), drawn(2), path: "value.size")
        list.kind("generic", Generic(item: 1, items: [1]), Generic(item: 2, items: [1]), path: "value.item")
        list.kind(
            "generic in generic", Generic(item: Dot(size: 1), items: []), Generic(item: Dot(size: 2), items: []),
            path: "value.item.size")
        list.kind("a phantom parameter", Phantom<String>(amount: 1), Phantom<String>(amount: 2), path: "value.amount")
        list.kind("a parameter pack", Packed(items: (1, "a")), Packed(items: (1, "b")), path: "value.items.1")
        list.kind("a metatype", Int.self as Any.Type, String.self as Any.Type)
        list.kind("a metatype of a protocol", (any Drawn).self as Any.Type, (any Named).self as Any.Type)
        list.kind("a class's metatype", Ticker.self as AnyObject.Type, Engine.self as AnyObject.Type)
        list.kind("a key path", \Dot.size as AnyKeyPath, \Wide.a as AnyKeyPath)
        list.kind("a typed key path", \Wide.a as KeyPath<Wide, Int>, \Wide.b as KeyPath<Wide, Int>)
        list.kind(
            "a nested struct", Nested(inner: .init(x: 1, y: 2), other: .init(x: 1, y: 2)),
            Nested(inner: .init(x: 1, y: 2), other: .init(x: 1, y: 3)), path: "value.other.y")
        list.kind(
            "a struct that contains itself", Recursive(name: "a", next: [Recursive(name: "b", next: [])]),
            Recursive(name: "a", next: [Recursive(name: "c", next: [])]), path: "value.next")
        list.kind("empty structs around a value", ManyEmpty(value: 1), ManyEmpty(value: 2), path: "value.value")
        list.kind("a computed property is none", Computed(value: 1), Computed(value: 2), path: "value.value")
        list.kind("wrapped", Late(text: "a", number: 1), Late(text: "b", number: 1), path: "value.text")
        list.kind("a wrapper with more in it", Wrapped(level: 1), Wrapped(level: 2), path: "value.level")
        list.one("a wrapper's other property") { recorder in
            recorder.evaluate(One(value: Traced(wrappedValue: 1, reads: 1)), is: .initial)
            recorder.evaluate(One(value: Traced(wrappedValue: 1, reads: 2)), is: .changed("value.reads"))
        }
        list.kind("a wrapped wrapper", Twice(level: 1), Twice(level: 2), path: "value.level")
        list.equal("no properties at all", Empty(), Empty())
        list.equal("the empty tuple", (), ())
        list.one("a view without properties") { recorder in
            recorder.evaluate(Empty(), is: .initial)
            recorder.evaluate(Empty(), is: .same)
            recorder.children([Empty()], are: [.same.under("Outer")])
        }
        list.one("a struct nested 40 levels deep") { recorder in
            func nested(_ depth: Int, _ last: Int) -> Recursive {
                Recursive(name: "\(depth == 0 ? last : 0)", next: depth == 0 ? [] : [nested(depth - 1, last)])
            }
            recorder.children([One(value: nested(40, 1))], are: [.initial])
            recorder.children([One(value: nested(40, 2))], are: [.changed("value.next").under("Outer")])
            recorder.children([One(value: nested(40, 3))], are: [.changed("value.next").under("Outer")])
        }
        list.one("a view of another type under the same key") { recorder in
            recorder.evaluate(One(value: 1), is: .initial)
            recorder.evaluate(One(value: UInt(1)), isDescribed: false, is: .open.behind("value"))
            recorder.evaluate(One(value: UInt(2)), is: .changed("value"))
        }
        list.one("a builder that returns another value") { recorder in
            func view(_ size: Int) -> Builder { Builder { Dot(size: size) } }
            recorder.evaluate("View", view(1), isDescribed: false, is: .initial) { $0.dot.size }
            recorder.evaluate("View", view(2), isDescribed: false, is: .open.behind("content")) { $0.dot.size }
            recorder.children([view(3)], isDescribed: false, are: [.open.under("Outer").behind("content")])
        }
        list.one("more than eight properties") { recorder in
            struct Ten { var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0 }
            recorder.evaluate(Ten(), is: .initial)
            recorder.evaluate(Ten(j: 1), is: .changed("j"))
            recorder.evaluate(Ten(a: 1, j: 2), is: .changed("a, j"))
            recorder.evaluate(Ten(a: 1, j: 2), is: .same)
        }
        list.one("a lazy property that was used") { recorder in
            struct View { var number: Int; lazy var text = "\(number)" }
            var view = View(number: 1)
            recorder.evaluate(view, is: .initial)
            _ = view.text
            recorder.evaluate(view, is: .changed("text"))
            recorder.evaluate(view, is: .same)
            view.text = "b"
            recorder.evaluate(view, is: .changed("text"))
        }
        list.one("a property beside one with an underscore") { recorder in
            struct View { var a: Int; var _a: Int }
            recorder.evaluate(View(a: 1, _a: 1), is: .initial)
            recorder.evaluate(View(a: 1, _a: 2), is: .changed("_a"))
            recorder.evaluate(View(a: 2, _a: 2), is: .changed("a"))
            recorder.evaluate(View(a: 3, _a: 3), is: .changed("a, _a"))
        }
        list.one("a wrapped property beside one of two underscores") { recorder in
            struct View { @Kept var cell: Int; var __cell: Int }
            recorder.evaluate(View(cell: 1, __cell: 1), is: .initial)
            recorder.evaluate(View(cell: 2, __cell: 1), is: .changed("cell"))
            recorder.evaluate(View(cell: 2, __cell: 2), is: .changed("__cell"))
        }
        list.one("a property whose name is a raw identifier") { recorder in
            struct View { var `1.x`: Int; var `a, b`: Int; var x: Int }
            recorder.evaluate(View(`1.x`: 1, `a, b`: 1, x: 1), is: .initial)
            recorder.evaluate(View(`1.x`: 2, `a, b`: 1, x: 1), is: .changed("`1.x`"))
            recorder.evaluate(View(`1.x`: 2, `a, b`: 2, x: 1), is: .changed("`a, b`"))
            recorder.evaluate(View(`1.x`: 2, `a, b`: 2, x: 2), is: .changed("x"))
        }
        list.one("names in other scripts") { recorder in
            struct View { var größe: Int; var 数: Int }
            recorder.evaluate(View(größe: 1, 数: 1), is: .initial)
            recorder.evaluate(View(größe: 2, 数: 1), is: .changed("größe"))
            recorder.evaluate(View(größe: 2, 数: 2), is: .changed("数"))
        }
        list.one("a property named as what Swift makes of it") { recorder in
            struct View { var `self`: Int; var value: Int; var `init`: Int }
            recorder.evaluate(View(self: 1, value: 1, init: 1), is: .initial)
            recorder.evaluate(View(self: 1, value: 1, init: 2), is: .changed("init"))
        }
    }
}
