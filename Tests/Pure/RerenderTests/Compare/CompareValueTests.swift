// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import Rerender

private enum Mode: Equatable { case on, off, idle }
private enum Load { case none, number(Int), text(String), pair(Int8, String), object(Thing) }
private indirect enum Tree { case leaf(Int), node(Tree, Tree) }
private enum Chain { case end; indirect case link(String, Chain) }
private struct Node { var name: String; var children: [Node] }
private struct Padded { var small: UInt8; var large: Int64; var last: Bool }
private struct Empty {}
private struct Size { var width = 1.0, height = 2.0 }
@propertyWrapper private struct Clamping<Value> { var wrappedValue: Value; var generation = 0 }
private struct Wrapping { @Clamping var title = "a"; var other = Size() }
private protocol Speaking { var word: String { get } }
private struct Short: Speaking { var word: String }
private struct Long: Speaking { var word: String; var a = 1, b = 2, c = 3 }
private final class Thing: Speaking { var word = "thing" }
private final class Constant {
    let name: String; let size: Int; init(_ name: String, _ size: Int) { self.name = name; self.size = size }
}
private final class Mixed { let name = "a"; var size = 1 }
private class Base { let id: Int; init(id: Int) { self.id = id } }
private final class Derived: Base { let tag = "derived" }
private struct Weakly { weak var thing: Thing? }
private struct Unownedly { unowned let thing: Thing; unowned(unsafe) let other: Thing }
/// A closure that passes through generic code gets another context each time; one in a struct does not.
private struct Action {
    var run: () -> Void
    var then: (() -> Void)?
}
private struct Failure: Error { var code: Int; var text = "failed" }
private enum Plain: Error { case one, two }

/// Strings that share nothing with others, in storage of their own.
private func fresh(_ text: String) -> String { String(text.map { $0 }) }
private func fresh<Element>(_ array: [Element]) -> [Element] { Array(array.map { $0 }) }
private let long = "a text that is too long to be kept in the string itself"

/// A property that is one leaf, with text too long to be kept.
private struct One {
    let both: (String, Int)?
    init(text: String, number: Int) { both = (text, number) }
}
private let veryLong = String(repeating: "x", count: 5_000)

@Suite("Compare values")
struct CompareValueTests {
    @Test("trivial values by their bits")
    func trivial() {
        #expect(verdict(1, 1).verdict == .same)
        #expect(verdict(1, 2).verdict == .changed)
        #expect(verdict(UInt8(1), UInt8(255)).verdict == .changed)
        #expect(verdict(Int128(1), Int128(1) << 100).verdict == .changed)
        #expect(verdict(Double.nan, Double.nan).verdict == .same)
        #expect(verdict(0.0, -0.0).verdict == .changed)
        #expect(verdict(Float(1), Float(2)).verdict == .changed)
        #expect(verdict(Float80(1), Float80(1)).verdict == .same)
        #expect(verdict(true, false).verdict == .changed)
        #expect(
            verdict(Padded(small: 1, large: 2, last: true), Padded(small: 1, large: 2, last: true)).verdict == .same)
        #expect(
            verdict(Padded(small: 1, large: 2, last: true), Padded(small: 1, large: 2, last: false)).names
                == "value.last")
        #expect(verdict(Empty(), Empty()).verdict == .same)
        #expect(verdict((), ()).verdict == .same)
        #expect(verdict(Mode.on, Mode.on).verdict == .same)
        #expect(verdict(Mode.on, Mode.idle).verdict == .changed)
        #expect(verdict(Int.self as Any.Type, Int.self as Any.Type).verdict == .same)
        #expect(verdict(Int.self as Any.Type, String.self as Any.Type).verdict == .changed)
        #expect(verdict(1..<5, 1..<5).verdict == .same)
        #expect(verdict(1..<5, 1..<6).verdict == .changed)
        #expect(verdict(UnsafeRawPointer(bitPattern: 8), UnsafeRawPointer(bitPattern: 16)).verdict == .changed)
        #expect(verdict("a" as Character, "b" as Character).verdict == .changed)
    }

    @Test("strings by their text, wherever it lies")
    func strings() {
        #expect(verdict("a", "a").verdict == .same)
        #expect(verdict(["a", long], ["a", long]).verdict.subtracting(.newIdentity) == .same)
        #expect(verdict((veryLong, 1), (veryLong, 1)).verdict == .unknown)
        #expect(verdict([(veryLong, 1)], [(veryLong, 2)]).verdict.contains(.unknown))
        #expect(verdict(One(text: veryLong, number: 1), One(text: veryLong, number: 1)).verdict == .unknown)
        #expect(verdict(One(text: veryLong, number: 1), One(text: veryLong, number: 2)).verdict == .changed)
        #expect(verdict("a", "b").verdict == .changed)
        #expect(verdict("fifteen bytes!!", "sixteen bytes!!!").verdict == .changed)
        #expect(verdict(long, long).verdict == .same)
        #expect(verdict(long, fresh(long)).verdict == .same)
        #expect(verdict(fresh(long), fresh(long)).verdict == .same)
        #expect(verdict(fresh(long), fresh(long + "!")).verdict == .changed)
        #expect(verdict(long, String(long.dropLast()) + "?").verdict == .changed)
        #expect(verdict("", "").verdict == .same)
        #expect(verdict("", long).verdict == .changed)
        let huge = String(repeating: "x", count: 5_000)
        #expect(verdict(huge, fresh(huge)).verdict == .unknown)
        #expect(verdict(huge, huge + "x").verdict == .changed)
        #expect(verdict(huge, "y" + huge.dropFirst()).verdict == .changed)
        #expect(verdict(huge, huge.dropLast() + "y").verdict == .unknown)
        #expect(verdict("Grüße, 世界 🌍 und alle anderen", fresh("Grüße, 世界 🌍 und alle anderen")).verdict == .same)
    }

    @Test("a string that is changed in place is seen")
    func stringInPlace() {
        var snapshot = ValueSnapshot()
        var text = fresh(long)
        _ = snapshot.update(Holder(value: text))
        text.replaceSubrange(text.startIndex...text.startIndex, with: "A")
        #expect(Verdict(snapshot.update(Holder(value: text))) == .changed)
    }

    private struct Typed {
        let type = Int.self
        var number: Int
        let last = String.self
    }
    private enum TypedCase { case none, pair(Int.Type, String), number(Int) }

    @Test("metatypes that take no room by nothing, and tuples of them not at all")
    func thinMetatypes() {
        #expect(verdict(Typed(number: 1), Typed(number: 1)).verdict == .same)
        #expect(verdict(Typed(number: 1), Typed(number: 2)).verdict == .changed)
        #expect(verdict((Int.self, long), (Int.self, long)).verdict == .unknown)
        #expect(verdict(TypedCase.pair(Int.self, long), .pair(Int.self, long)).verdict == .unknown)
        #expect(verdict(TypedCase.pair(Int.self, long), .none).verdict == .changed)
        #expect(verdict(One(text: long, number: 1), One(text: long, number: 2)).verdict == .changed)
    }

    @Test("optionals and enums by their case and what it carries")
    func enums() {
        #expect(verdict(nil as Int?, nil).verdict == .same)
        #expect(verdict(nil as Int?, 0).verdict == .changed)
        #expect(verdict(1 as Int?, 1).verdict == .same)
        #expect(verdict(1 as Int?, 2).verdict == .changed)
        #expect(verdict(1 as Int?, nil).verdict == .changed)
        #expect(verdict(nil as Int??, .some(nil)).verdict == .changed)
        #expect(verdict(fresh(long) as String?, fresh(long)).verdict == .same)
        #expect(verdict(long as String?, nil).verdict == .changed)
        #expect(verdict(Load.none, .none).verdict == .same)
        #expect(verdict(Load.number(1), .number(1)).verdict == .same)
        #expect(verdict(Load.number(1), .number(2)).verdict == .changed)
        #expect(verdict(Load.text(long), .text(fresh(long))).verdict == .same)
        #expect(verdict(Load.text(long), .text(long + ".")).verdict == .changed)
        #expect(verdict(Load.pair(1, "a"), .pair(1, "a")).verdict == .same)
        #expect(verdict(Load.pair(1, "a"), .pair(2, "a")).verdict == .changed)
        #expect(verdict(Load.number(1), .text("a")).verdict == .changed)
        let thing = Thing()
        #expect(verdict(Load.object(thing), .object(thing)).verdict == .same)
        #expect(verdict(Load.object(thing), .object(Thing())).verdict == .changed)
        #expect(verdict(Result<Int, Failure>.success(1), .success(1)).verdict == .same)
        #expect(verdict(Result<Int, Failure>.success(1), .failure(Failure(code: 1))).verdict == .changed)
        #expect(verdict(Tree.node(.leaf(1), .leaf(2)), .node(.leaf(1), .leaf(2))).verdict == .same)
        #expect(verdict(Tree.node(.leaf(1), .leaf(2)), .node(.leaf(1), .leaf(3))).verdict == .changed)
        #expect(verdict(Chain.link("a", .end), .link("a", .end)).verdict == .same)
        #expect(verdict(Chain.link("a", .end), .link("b", .end)).verdict == .changed)
    }

    @Test("what lies deeper than the limit is unknown, and a difference before it is seen")
    func depth() {
        func chain(_ length: Int, _ first: String) -> Chain {
            (1..<length).reduce(.end) { chain, index in .link(index == length - 1 ? first : "x", chain) }
        }
        #expect(verdict(chain(100, "a"), chain(100, "a")).verdict == .unknown)
        #expect(verdict(chain(100, "a"), chain(100, "b")).verdict == .changed)
        func tree(_ depth: Int) -> Node { Node(name: "n", children: depth == 0 ? [] : [tree(depth - 1)]) }
        let deep = tree(50)
        #expect(verdict(deep, deep).verdict == .unknown)
        #expect(verdict(tree(3), tree(3)).verdict == .newIdentity)
        #expect(verdict(tree(3), tree(4)).verdict.contains(.changed))
    }

    @Test("small collections by their contents, in any order where there is none")
    func collections() {
        #expect(verdict([1, 2], [1, 2]).verdict.subtracting(.newIdentity) == .same)
        #expect(verdict([1, 2], fresh([1, 2])).verdict == .newIdentity)
        #expect(verdict([1, 2], [1, 3]).verdict.contains(.changed))
        #expect(verdict([1, 2], [1, 2, 3]).verdict.contains(.changed))
        #expect(verdict([Int](), [Int]()).verdict == .same)
        #expect(verdict([Int](), [1]).verdict.contains(.changed))
        #expect(verdict(ContiguousArray([1]), ContiguousArray([2])).verdict.contains(.changed))
        #expect(verdict([long, "a"], fresh([long, "a"])).verdict == .newIdentity)
        #expect(verdict([long, "a"], [long, "b"]).verdict.contains(.changed))
        #expect(verdict([[1], [2]], [[1], [2]]).verdict.subtracting(.newIdentity) == .same)
        #expect(verdict([[1], [2]], [[1], [3]]).verdict.contains(.changed))
        #expect(verdict([1 as Int?, nil], fresh([1, nil])).verdict == .newIdentity)
        #expect(verdict([Load.text("a")], fresh([.text("a")])).verdict == .newIdentity)
        let thing = Thing()
        #expect(verdict([thing], fresh([thing])).verdict == .newIdentity)
        #expect(verdict([thing], [Thing()]).verdict.contains(.changed))
        let small = ["a": 1, "b": 2, long: 3]
        var other = Dictionary<String, Int>(minimumCapacity: 500)
        for key in small.keys.sorted() { other[key] = small[key] }
        #expect(verdict(small, small).verdict == .same)
        #expect(verdict(small, other).verdict == Self.equal(small, other))
        other["b"] = 4
        #expect(verdict(small, other).verdict.contains(.changed))
        #expect(verdict(small, ["a": 1]).verdict.contains(.changed))
        #expect(verdict([:] as [String: Int], [:]).verdict == .same)
        let (set, reversed) = (Set(0..<100), Set((0..<100).reversed()))
        #expect(verdict(set, reversed).verdict == Self.equal(set, reversed))
        var sparse = Set<Int>(minimumCapacity: 1_000)
        for number in 0..<40 { sparse.insert(number) }
        #expect(verdict(Set(0..<40), sparse).verdict == [.newIdentity, .unknown], "it is gone over in another order")
        #expect(verdict([Set(0..<40)], [sparse]).verdict == [.newIdentity, .unknown])
        #expect(verdict(Set(0..<100), Set(1..<101)).verdict.contains(.changed))
        #expect(verdict(["a": [1]], ["a": [2]]).verdict.contains(.changed))
    }

    /// The answer for two collections that are equal: in another order, a body may show something else.
    private static func equal<Element: Equatable>(
        _ old: some Sequence<Element>, _ new: some Sequence<Element>
    ) -> Verdict {
        old.elementsEqual(new) ? .newIdentity : [.newIdentity, .unknown]
    }
    private static func equal(_ old: [String: Int], _ new: [String: Int]) -> Verdict {
        equal(Array(old.keys), Array(new.keys))
    }

    @Test("large collections answer unknown rather than wrong")
    func largeCollections() {
        let large = Array(0..<10_000)
        var late = large
        late[9_999] = 0
        #expect(verdict(large, late).verdict.contains(.unknown))
        #expect(!verdict(large, late).verdict.contains(.changed))
        var early = large
        early[0] = 1
        #expect(verdict(large, early).verdict.contains(.changed))
        #expect(verdict(large, large + [1]).verdict.contains(.changed))
        let table = Dictionary(uniqueKeysWithValues: large.map { ($0, $0) })
        #expect(verdict(table, table).verdict == .unknown)
        #expect(verdict(table, table.filter { $0.key > 0 }).verdict.contains(.changed))
        let texts = (0..<200).map { _ in fresh(long) }
        #expect(verdict(texts, fresh(texts)).verdict.contains(.unknown))
        let dictionary = Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0) " + long, $0) })
        #expect(verdict(dictionary, dictionary).verdict == .unknown)
    }

    @Test(
        "a text up to a length is known to be the same, and a longer one is not",
        arguments: around(StoreLimits.comparedBytes))
    func longTexts(bytes: Int) {
        let text = String(repeating: "x", count: bytes)
        let isKnown = bytes <= StoreLimits.comparedBytes
        #expect(verdict(text, fresh(text)).verdict == (isKnown ? Verdict.same : Verdict.unknown))
    }

    @Test(
        "a set of so many elements is known to be the same, and a larger one is not",
        arguments: around(StoreLimits.comparedEntries))
    func largeSets(count: Int) {
        let set = Set(0..<count)
        var other = set
        other.remove(count / 2)
        other.insert(-1)
        let isKnown = count <= StoreLimits.comparedEntries
        #expect(verdict(set, set).verdict == (isKnown ? Verdict.same : Verdict.unknown))
        #expect(verdict(set, other).verdict.contains(isKnown ? Verdict.changed : Verdict.unknown))
    }

    @Test("a collection that is cut off is the same as itself, wherever the cut is")
    func cuts() {
        for length in stride(from: 1_300, through: 1_420, by: 1) {
            let table = Dictionary(
                uniqueKeysWithValues: (0..<3).map { ($0, String(repeating: "x", count: length + $0)) })
            var other = Dictionary<Int, String>(minimumCapacity: 100)
            for key in table.keys.sorted(by: >) { other[key] = table[key] }
            let found = verdict(table, other).verdict
            #expect(!found.contains(.changed), "\(length)")
            let texts = (0..<4).map { String(repeating: "x", count: length - $0) }
            #expect(!verdict(texts, texts).verdict.contains(.changed), "\(length)")
            #expect(!verdict([1: texts], [1: texts]).verdict.contains(.changed), "\(length)")
            #expect(verdict(texts, Array(texts.dropLast())).verdict.contains(.changed), "\(length)")
        }
        let vector: InlineArray<3, String> = ["a", fresh(long), "c"]
        var changed = vector
        #expect(verdict(vector, changed).verdict == .same)
        changed[2] = "d"
        #expect(verdict(vector, changed).verdict == .changed)
        let numbers = InlineArray<20_000, Int>(repeating: 1)
        var late = numbers
        late[19_999] = 2
        #expect(!verdict(numbers, numbers).verdict.contains(.changed))
        #expect(verdict(numbers, late).verdict == .unknown)
    }

    @Test("objects by identity; equal immutable ones are known as such")
    func references() {
        let (one, two) = (Thing(), Thing())
        #expect(verdict(one, one).verdict == .same)
        #expect(verdict(one, two).verdict == .changed)
        #expect(verdict(one as Thing?, nil).verdict == .changed)
        #expect(verdict(one as AnyObject, two).verdict == .changed)
        #expect(verdict(one as AnyObject, one).verdict == .same)
        #expect(verdict(Mixed(), Mixed()).verdict == .changed)
        #expect(
            verdict(Constant(fresh(long), 1), Constant(fresh(long), 1)).verdict == [
                .changed, .newIdentity, .replacement,
            ])
        #expect(verdict(Constant("a", 1), Constant("a", 2)).verdict == .changed)
        #expect(verdict([Constant("a", 1)], [Constant("a", 1)]).verdict == [.changed, .newIdentity, .replacement])
        #expect(verdict(Derived(id: 1) as Base, Derived(id: 1)).verdict == [.changed, .newIdentity, .replacement])
        #expect(verdict(Derived(id: 1) as Base, Base(id: 1)).verdict == .changed)
        #expect(verdict(Derived(id: 1), Derived(id: 2)).verdict == .changed)
        #expect(verdict(Unownedly(thing: one, other: one), Unownedly(thing: one, other: one)).verdict == .same)
        #expect(verdict(Unownedly(thing: one, other: one), Unownedly(thing: two, other: one)).names == "value.thing")
        #expect(verdict(Weakly(thing: one), Weakly(thing: one)).verdict == .same)
        #expect(verdict(Weakly(thing: one), Weakly(thing: two)).verdict == .changed)
        #expect(verdict(Weakly(thing: one), Weakly(thing: nil)).verdict == .changed)
    }

    @Test("closures never change a value; those that may do something else are told")
    func closures() {
        let thing = Thing()
        let closure = { print(thing) }
        #expect(verdict(Action(run: closure), Action(run: closure)).verdict == .same)
        let captured = [1, 2].map { number in { print(number) } }
        #expect(verdict(captured[0], captured[1]).verdict == .otherClosure)
        #expect(verdict({ print(1) }, { print(2) }).verdict == .otherClosure)
        #expect(verdict(Action(run: closure, then: closure), Action(run: closure, then: closure)).verdict == .same)
        #expect(verdict(closure as (() -> Void)?, nil).verdict.contains(.changed))
        #expect(verdict(Holder(value: captured[0]), Holder(value: captured[1])).verdict == .otherClosure)
    }

    @Test("protocol types by the value that they hold")
    func existentials() {
        #expect(verdict(1 as Any, 1).verdict == .same)
        #expect(verdict(1 as Any, 2).verdict == .changed)
        #expect(verdict(1 as Any, "1").verdict == .changed)
        #expect(verdict(fresh(long) as Any, fresh(long)).verdict == .same)
        #expect(verdict(Short(word: "a") as any Speaking, Short(word: "a")).verdict == .same)
        #expect(verdict(Long(word: "a") as any Speaking, Long(word: "a")).verdict == .same)
        #expect(verdict(Long(word: "a") as any Speaking, Long(word: "a", c: 4)).verdict == .changed)
        #expect(verdict(Long(word: "a") as any Speaking, Short(word: "a")).verdict == .changed)
        let thing = Thing()
        #expect(verdict(thing as any Speaking, thing).verdict == .same)
        #expect(verdict(thing as any Speaking, Thing()).verdict == .changed)
        #expect(verdict(nil as (any Speaking)?, Short(word: "a")).verdict == .changed)
        #expect(verdict(Failure(code: 1) as any Error, Failure(code: 1)).verdict == .same)
        #expect(verdict(Failure(code: 1) as any Error, Failure(code: 2)).verdict == .changed)
        #expect(verdict(Failure(code: 1) as any Error, Plain.one).verdict == .changed)
        #expect(verdict(Plain.one as any Error, Plain.two).verdict == .changed)
        #expect(verdict(AnyHashable(1), AnyHashable(1)).verdict == .same)
        #expect(verdict(AnyHashable("a"), AnyHashable("b")).verdict == .changed)
        #expect(verdict([1, "a"] as [any Hashable], fresh([1, "a"])).verdict == .newIdentity)
        #expect(verdict([1, 2] as any Collection<Int>, [1, 3]).verdict.contains(.changed))
    }

    @Test("types of the system are one leaf, and answer unknown where their bytes prove nothing")
    func system() {
        let now = Date()
        #expect(verdict(now, now).verdict == .same)
        #expect(verdict(now, now + 1).names == "value")
        let id = UUID()
        #expect(verdict(id, id).verdict == .same)
        #expect(verdict(id, UUID()).verdict == .changed)
        #expect(verdict(Data([1, 2]), Data([1, 3])).verdict == .changed)
        let url = URL(filePath: "https://example.org/")
        #expect(verdict(url, url).verdict == .same)
        #expect(verdict(url, URL(filePath: "https://example.com/")).verdict == .changed)
        #expect(verdict(Data(count: 1_000), Data(count: 1_000)).verdict == .same)
        #expect(verdict(Data(count: 10_000), Data(count: 10_000)).verdict == .unknown)
        #expect(verdict(IndexPath(indexes: [1, 2, 3]), IndexPath(indexes: [1, 2, 4])).verdict.contains(.unknown))
        #expect(verdict(Locale(identifier: "de"), Locale(identifier: "fr")).verdict.contains(.unknown))
        #expect(verdict(Duration.seconds(1), .seconds(2)).verdict == .changed)
        #expect(verdict(long[...], long.dropLast()).verdict == .changed)
    }
}

@Suite("Compare names")
struct CompareNameTests {
    private struct Many { var a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1, i = 1, j = "" }
    private struct Crowd { var values = Wide(); var second = Wide(); var third = Wide() }
    private struct Wide {
        var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0
        var m = 0, n = 0, o = 0, p = 0, q = 0, r = 0, s = 0, t = 0, u = 0, v = 0, w = 0, x = 0, y = 0, z = 0
    }
    private class Parent { var first = 1 }
    private final class Child: Parent { var second = ""; lazy var third = 3 }

    private func names<Value>(_ old: Value, _ change: (inout Value) -> Void, depth: Int = 8) -> String {
        var snapshot = ValueSnapshot()
        var value = old
        _ = snapshot.update(value, depth: depth)
        change(&value)
        let found = snapshot.update(value, depth: depth)
        return ValueLayout.layout(of: Value.self, depth: depth).names(of: found)
    }

    @Test("are paths of properties, without a wrapper's underscore")
    func paths() {
        #expect(names(Wrapping()) { $0.title = "b" } == "title")
        #expect(names(Wrapping()) { $0.other.width = 3 } == "other.width")
        #expect(names((1, b: "x")) { $0.b = "y" } == "b")
        #expect(names(Holder(value: (1, "x"))) { $0.value.1 = "y" } == "value.1")
        #expect(names(5) { $0 = 6 } == "self")
        #expect(ValueLayout.layout(of: Empty.self, depth: 8).isEmpty)
    }

    @Test("come in the order of declaration, eight at most")
    func order() {
        #expect(
            names(Many()) {
                $0.c = 2; $0.a = 2
            } == "a, c")
        #expect(
            names(Many()) { $0 = Many(a: 2, b: 2, c: 2, d: 2, e: 2, f: 2, g: 2, h: 2, i: 2, j: "2") }
                == "a, b, c, d, e, f, g, h, +2")
    }

    @Test("are those of what holds them where there are too many, and shared only past the 63rd")
    func crowds() {
        #expect(names(Crowd()) { $0.third.z = 1 } == "third")
        #expect(names(Crowd()) { $0.values.a = 1 } == "values")
        #expect(names(Crowd()) { $0.values = $0.values } == "")
        typealias Row = (
            Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int,
            Int,
            Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int,
            Int,
            Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int
        )
        let row: Row = (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        )
        #expect(names(row) { $0.65 = 1 } == "other")
        #expect(names(row) { $0.62 = 1 } == "62")
    }

    @Test("of a model are those of its stored properties, its ancestors' first")
    func objects() {
        let layout = ValueLayout.layout(ofObject: Child.self, depth: 8)
        #expect(layout.leaves.map(\.name) == ["first", "second", "third"])
        let child = Child()
        var snapshot = ValueSnapshot()
        let address = UnsafeRawPointer(Unmanaged.passUnretained(child).toOpaque())
        _ = snapshot.update(address, layout)
        child.second = "x"
        child.first = 2
        let change = snapshot.update(address, layout)
        #expect(layout.names(of: change) == "first, second")
        withExtendedLifetime(child) {}
    }

    @Test("end at the depth asked for")
    func depth() {
        #expect(names(Holder(value: Size()), { $0.value.width = 9 }, depth: 0) == "value")
        #expect(names(Holder(value: Holder(value: 1)), { $0.value.value = 9 }, depth: 1) == "value.value")
    }
}
