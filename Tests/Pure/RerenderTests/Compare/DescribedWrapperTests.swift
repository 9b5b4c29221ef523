// SPDX-License-Identifier: MIT
import Synchronization
import Testing

@testable import Rerender

/// A node of a graph, with its number.
private class Node {
    let number: UInt64
    init(_ number: UInt64) { self.number = number }
}
private final class SpecialNode: Node {}
private class Source { var readers: [Node?] = [] }

/// A framework's state: who writes it on its own thread takes a lock for the others who read.
private final class Cell<Value>: @unchecked Sendable {
    var stored: Value
    let lock = Mutex(())
    init(_ value: Value) { stored = value }
}
private final class SourceBox<Value>: Source {
    let cell: Cell<Value>
    init(_ value: Value) { cell = Cell(value) }
}
@propertyWrapper private struct Owned<Value> {
    let first: Value
    var box: SourceBox<Value>?
    init(wrappedValue: Value) { (first, box) = (wrappedValue, SourceBox(wrappedValue)) }
    var wrappedValue: Value { box?.cell.stored ?? first }
}
private struct OfOwned {
    @Owned var title: String
    var number = 1
}
@propertyWrapper private struct Locked<Value> {
    let first: Value
    var box: SourceBox<Value>?
    init(wrappedValue: Value) { (first, box) = (wrappedValue, SourceBox(wrappedValue)) }
    var wrappedValue: Value { box?.cell.stored ?? first }
}
private struct OfLocked { @Locked var title: String }

/// A framework's published property: a value, until somebody listens.
@propertyWrapper private struct Announced<Value> {
    final class Subject {
        let lock = Mutex(())
        var current: Value
        init(_ value: Value) { current = value }
    }
    struct Publisher { let subject: Subject }
    enum Storage {
        case value(Value)
        case publisher(Publisher)
    }
    final class Box {
        var wrapped: Storage
        init(_ storage: Storage) { wrapped = storage }
    }
    private let box: Box
    init(wrappedValue: Value) { box = Box(.value(wrappedValue)) }
    var wrappedValue: Value {
        get {
            switch box.wrapped {
            case .value(let value): value
            case .publisher(let publisher): publisher.subject.current
            }
        }
        nonmutating set {
            switch box.wrapped {
            case .value: box.wrapped = .value(newValue)
            case .publisher(let publisher): publisher.subject.current = newValue
            }
        }
    }
    func listen() { box.wrapped = .publisher(Publisher(subject: Subject(wrappedValue))) }
}
private final class Model {
    @Announced var title: String
    @Announced var isOn = false
    @Announced var names: [String] = []
    var unannounced = 0
    init(_ title: String) { _title = Announced(wrappedValue: title) }
    func listen() {
        _title.listen()
        _isOn.listen()
        _names.listen()
    }
}
@propertyWrapper private struct Given<Object: AnyObject> { var wrappedValue: Object }
private struct OfGiven {
    @Given var model: Model
    var number = 1
}
/// A published property that is an object, as SwiftCrossUI's are.
@propertyWrapper private final class Posted<Value> {
    var link: AnyObject?
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
private final class PostedModel {
    @Posted var seconds = 0
    @Posted var name = "a"
    var unannounced = 0
}
private struct OfPosted { @Given var model: PostedModel }
/// State that is a value in a box, and nothing else.
@propertyWrapper private struct Kept<Value> {
    final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private let box: Box
    init(wrappedValue: Value) { box = Box(wrappedValue) }
    var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
}
private struct OfKept { @Kept var number = 1 }
private struct OfKeptModel { @Kept var model = PostedModel() }
/// Who tells observers of each write.
private final class Teller {
    private var observations: [Int: () -> Void] = [:]
    func send() { for observation in observations.values { observation() } }
}
private final class QueuedTeller {
    private(set) var observations: [Int: () -> Void] = [:]
    private let serialUpdateHandlingQueue = 1
    func observe(_ observation: @escaping () -> Void) { observations[0] = observation }
    func cancel() { observations[0] = nil }
    func send() { for observation in observations.values { observation() } }
}
@propertyWrapper private struct Watched<Value> {
    final class Box {
        var value: Value
        let didChange = QueuedTeller()
        init(_ value: Value) { self.value = value }
    }
    let box: Box
    init(wrappedValue: Value) { box = Box(wrappedValue) }
    var wrappedValue: Value {
        get { box.value }
        nonmutating set {
            box.value = newValue
            box.didChange.send()
        }
    }
}
@propertyWrapper private struct WatchedAtOnce<Value> {
    final class Box {
        var value: Value
        let didChange = Teller()
        init(_ value: Value) { self.value = value }
    }
    let box: Box
    init(wrappedValue: Value) { box = Box(wrappedValue) }
    var wrappedValue: Value {
        get { box.value }
        nonmutating set {
            box.value = newValue
            box.didChange.send()
        }
    }
}
private struct OfWatched {
    @Watched var number = 1
    @Watched var title: String? = nil
    @Watched var model = PostedModel()
    @Watched var chosen: PostedModel? = nil
    @WatchedAtOnce var other = 1
    var _plain = Watched(wrappedValue: 1)
    let plain = 1
    var tellers: [QueuedTeller] {
        [_number.box.didChange, _title.box.didChange, _model.box.didChange, _chosen.box.didChange]
            + [_plain.box.didChange]
    }
}
@propertyWrapper private struct OtherShape<Value> {
    enum Storage {
        case value(Value)
        case former(Int)
    }
    private let storage: Storage
    private let first: Value
    init(wrappedValue: Value) { (storage, first) = (.value(wrappedValue), wrappedValue) }
    var wrappedValue: Value { if case .value(let value) = storage { value } else { first } }
}
private struct OfOtherShape { @OtherShape var title: String }

@Suite("Property wrappers that an adapter describes", .serialized)
struct DescribedWrapperTests {
    private static let observers = WrapperDescription.Observers(
        path: ["box", "didChange"], name: "observations", later: "serialUpdateHandlingQueue")

    init() {
        let cases: WrapperDescription.Content = .cases(
            ["box", "wrapped"], ["value": [], "publisher": ["subject", "current"]])
        let descriptions: [(Any.Type, WrapperDescription)] = [
            (
                Owned<Int>.self,
                WrapperDescription(
                    .path(["box", "cell", "stored"]), isOfOneThread: true,
                    readers: .init(list: ["box", "readers"], number: "number", mask: 0xFF))
            ),
            (Locked<Int>.self, WrapperDescription(.path(["box", "cell", "stored"]))),
            (Announced<Int>.self, WrapperDescription(cases)),
            (Given<Model>.self, WrapperDescription(.object(["wrappedValue"]))),
            (Kept<Int>.self, WrapperDescription(.object(["box", "value"]), isWhole: true)),
            (Posted<Int>.self, WrapperDescription(.bits(["wrappedValue"]))),
            (
                Watched<Int>.self,
                WrapperDescription(.object(["box", "value"]), isWhole: true, observers: Self.observers)
            ),
            (WatchedAtOnce<Int>.self, WrapperDescription(.object(["box", "value"]), observers: Self.observers)),
            (OtherShape<Int>.self, WrapperDescription(.cases(["storage"], ["value": [], "former": []]))),
        ]
        for (type, description) in descriptions {
            if let declaration = WrapperAdapters.declaration(of: type) {
                WrapperAdapters.describe(declaration, as: description)
            }
        }
    }

    /// What of a value changes by a body, as an evaluation of an instance names it.
    private func names<Value>(
        _ value: inout Value, of instance: UInt64 = 7, by change: (inout Value) -> Void
    ) -> String {
        let layout = ValueLayout.layout(of: Value.self, depth: StoreLimits.reflectionDepth)
        var snapshot = ValueSnapshot()
        _ = snapshot.update(value)
        change(&value)
        return withUnsafePointer(to: value) { pointer in
            var found = snapshot.update(UnsafeRawPointer(pointer), layout)
            layout.leaveOutNoCauses(&found, UnsafeRawPointer(pointer), instance: instance)
            return layout.names(of: found)
        }
    }

    @Test("state whose lock is for other threads is read, and other state with a lock is not")
    func locks() {
        var owned = OfOwned(title: "a")
        owned.read(by: 7)
        #expect(names(&owned) { $0.set("b") } == "title")
        var locked = OfLocked(title: "a")
        #expect(names(&locked) { $0.set("b") } == "")
    }

    @Test("state that the instance's last evaluation did not read is no cause")
    func readers() {
        var owned = OfOwned(title: "a")
        #expect(names(&owned) { $0.set("b") } == "")
        owned.read(by: 8)
        #expect(names(&owned) { $0.set("c") } == "")
        #expect(names(&owned, of: 0x508) { $0.set("d") } == "title", "the bits of the mask alone count")
        #expect(
            names(&owned) {
                $0.set("e")
                $0.number = 2
            } == "number")
        owned.read(by: 7)
        #expect(names(&owned) { $0.set("f") } == "title")
    }

    @Test("an object is compared by its announced properties, with a listener or without")
    func objects() {
        var given = OfGiven(model: Model("a"))
        for _ in 0..<2 {
            #expect(names(&given) { $0.model.title = "a title that is too long for its two words" } == "model.title")
            #expect(names(&given) { $0.model.title = "b" } == "model.title")
            #expect(names(&given) { $0.model.isOn.toggle() } == "model.isOn")
            #expect(names(&given) { $0.model.names.append("c") } == "model.names")
            #expect(names(&given) { $0.model.unannounced += 1 } == "")
            #expect(
                names(&given) {
                    $0.model.isOn.toggle()
                    $0.number += 1
                } == "model.isOn, number")
            #expect(names(&given) { $0.model.listen() } == "", "the value is the same")
        }
    }

    @Test("an announced property may be an object, whose bits are compared")
    func posted() {
        var given = OfPosted(model: PostedModel())
        for _ in 0..<2 {
            #expect(names(&given) { $0.model.seconds += 1 } == "model.seconds")
            #expect(names(&given) { $0.model.name += " and more than two words hold" } == "model.name")
            #expect(names(&given) { $0.model.unannounced += 1 } == "")
            #expect(names(&given) { $0.model.seconds += 0 } == "")
        }
    }

    @Test("state that is its value alone proves equal inputs, unless the value is an object that may change")
    func whole() {
        #expect(!ValueLayout.layout(of: OfKept.self, depth: StoreLimits.reflectionDepth).isOpaque)
        #expect(ValueLayout.layout(of: OfKeptModel.self, depth: StoreLimits.reflectionDepth).isOpaque)
        var kept = OfKept()
        #expect(names(&kept) { $0.number = 2 } == "number")
        #expect(names(&kept) { $0.number = 2 } == "")
        var model = OfKeptModel()
        #expect(names(&model) { $0.model.seconds += 1 } == "model.seconds")
    }

    @Test("another object is named alone, whatever its properties are")
    func otherObjects() {
        var given = OfGiven(model: Model("a"))
        let other = Model("b")
        #expect(names(&given) { $0.model = other } == "model")
        let equal = Model("b")
        #expect(names(&given) { $0.model = equal } == "model")
    }

    @Test("a description that does not fit the type's shape is not followed")
    func otherShapes() {
        var other = OfOtherShape(title: "a")
        #expect(names(&other) { $0 = OfOtherShape(title: "b") } == "")
    }

    /// What an observer hears of writes; of one that is not meant, with a mark.
    private final class Heard {
        var names: [String] = []
        var isMeant = true

        func observe(_ value: OfWatched) {
            let type = unsafeBitCast(OfWatched.self as Any.Type, to: UnsafeRawPointer.self)
            withUnsafePointer(to: value) { pointer in
                StateObservers.of(type).observe(UnsafeRawPointer(pointer), if: { self.isMeant }) { name in
                    return { self.names.append($0 ? name : name + "?") }
                }
            }
        }
    }

    @Test("each write of a value is heard once, where views are updated later, and none of an object")
    func observed() {
        let value = OfWatched(), heard = Heard()
        for _ in 0..<2 { heard.observe(value) }
        for teller in value.tellers { teller.observe {} }
        value.number = 2
        value.title = "a"
        value.number = 2
        heard.isMeant = false
        value.title = "b"
        heard.isMeant = true
        value.model = PostedModel()
        value.chosen = PostedModel()
        value.other = 2
        value._plain.wrappedValue = 2
        #expect(heard.names == ["number", "title", "number", "title?"])
    }

    @Test("no write is heard that no node observes, and what was observed before is left alone")
    func notObserved() {
        let value = OfWatched(), heard = Heard(), former = OfWatched()
        heard.observe(value)
        value.number = 2
        for teller in value.tellers + former.tellers { teller.observe {} }
        value.number = 3
        for teller in value.tellers + former.tellers { teller.cancel() }
        value.number = 4
        heard.observe(former)
        let isUnheard = former.tellers.allSatisfy(\.observations.isEmpty)
        #expect(isUnheard)
        #expect(heard.names == ["number"])
    }

    @Test("the names of the stored properties are told by the declaration")
    func storedProperties() throws {
        let declaration = try #require(WrapperAdapters.declaration(of: Owned<Int>.self))
        #expect(WrapperAdapters.storedProperties(of: declaration) == ["first", "box"])
    }
}

extension OfOwned {
    /// Has a node read the title.
    fileprivate func read(by number: UInt64) { _title.box?.readers += [nil, SpecialNode(number)] }
    fileprivate func set(_ title: String) { _title.box?.cell.stored = title }
}
extension OfLocked {
    fileprivate func set(_ title: String) { _title.box?.cell.stored = title }
}
