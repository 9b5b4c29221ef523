// SPDX-License-Identifier: MIT
// Objects of constants, which are not fixed all the same: something further down changes. And such that are.

import Dispatch
import Foundation
import Rerender
import Synchronization

private final class Model { var n = 0 }
private final class Generic<Item> { let item: Item; init(_ item: Item) { self.item = item } }
private final class OfArray { let models: [Model]; init(_ models: [Model]) { self.models = models } }
private final class OfClosure { let run: () -> Int; init(_ run: @escaping () -> Int) { self.run = run } }
private final class OfAny { let any: Any; init(_ any: Any) { self.any = any } }
private final class OfWeak { weak let model: Model?; init(_ model: Model) { self.model = model } }
private final class OfUnowned { unowned let model: Model; init(_ model: Model) { self.model = model } }
private final class OfPointer {
    let pointer: UnsafeMutablePointer<Int>; init(_ pointer: UnsafeMutablePointer<Int>) { self.pointer = pointer }
}
private final class OfMutex: Sendable { let number = Mutex(0) }
private final class OfAtomic: Sendable { let number = Atomic(0) }
private final class OfEnum { let state: State; init(_ state: State) { self.state = state } }
private final class OfBuffer { let buffer = ManagedBuffer<Int, Int>.create(minimumCapacity: 1) { _ in 0 } }
private final class OfFormatter { let formatter = DateFormatter() }
private enum State { case idle; indirect case busy(Model, State) }
private class Open { let n = 1 }
private final class Closed: Open { var more = 0 }
private class Wrapped { @Kept var n = 0 }
@propertyWrapper private struct Kept { var wrappedValue: Int }
@propertyWrapper private final class Shared {
    var wrappedValue: Int; init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}
private struct WithShared { @Shared var n = 0 }
private actor Actor { let n: Int; init(_ n: Int) { self.n = n } }
private final class Tree {
    let name: String; let children: [Tree];
    init(_ name: String, _ children: [Tree] = []) { (self.name, self.children) = (name, children) }
}
private final class Numbered {
    let n: Int; let text: String; let list: [Int]; let table: [String: Int];
    init(_ n: Int) { (self.n, text, list, table) = (n, "text \(n)", [n], ["n": n]) }
}
private final class Static { static nonisolated(unsafe) var shared = 0; let n = 1 }

extension Case {
    static let constants = CaseList.make("constants") { list in
        list.hidden("generic, of an object", Generic(Model())) { $0.item.n = 2 }
        list.hidden("generic, of an optional object", Generic(Optional(Model()))) { $0.item?.n = 2 }
        list.hidden("generic, of a closure", Generic(counter())) { _ = $0.item() }
        list.hidden("an array of objects", OfArray([Model(), Model()])) { $0.models[1].n = 2 }
        list.hidden("a closure around a variable", OfClosure(counter())) { _ = $0.run() }
        list.hidden("a closure around a variable and a text", OfClosure(counter("a"))) { _ = $0.run() }
        list.hidden("an object with a closure around a variable", Generic(OfClosure(counter()))) { _ = $0.item.run() }
        list.hidden("an array of closures around variables", Generic([counter(), counter()])) { _ = $0.item[1]() }
        list.hidden("three levels of constants", Generic(Generic(Generic(Optional(Model()))))) {
            $0.item.item.item?.n = 2
        }
        list.hidden("any value with constants", OfAny(Generic(Optional(Model())))) {
            ($0.any as? Generic<Model?>)?.item?.n = 2
        }
        list.hidden("an array of constants", Generic([Generic(Optional(Model()))])) { $0.item[0].item?.n = 2 }
        list.hidden("an array of closures in constants", Generic([OfClosure(counter())])) { _ = $0.item[0].run() }
        list.hidden("constants in a struct in constants", Generic(One(value: Generic(Model())))) {
            $0.item.value.item.n = 2
        }
        list.hidden("a source of events", source()) { $0.cancel() }
        list.one("a closure around constants with an object, and a number") { recorder in
            let object = Generic(Optional(Model())), number = 1
            let view = One(value: { (object.item?.n ?? 0) + number })
            recorder.hides(view) { object.item?.n = 2 }
        }
        list.one("a closure around constants with an object") { recorder in
            let object = Generic(Optional(Model()))
            let view = One(value: { object.item?.n ?? 0 })
            recorder.hides(view) { object.item?.n = 2 }
        }
        list.one("a closure around a number") { recorder in
            func object(_ number: Int) -> OfClosure { OfClosure { number } }
            let one = object(1)
            recorder.evaluate(One(value: one), is: .initial)
            recorder.evaluate(One(value: one), is: .same)
        }
        list.one("a function around a function whose variable changes") { recorder in
            let inner = counter()
            func view() -> One<() -> Int> { One(value: { inner() + 1 }) }
            recorder.evaluate(view(), isDescribed: false, is: .initial)
            _ = inner()
            recorder.evaluate(view(), isDescribed: false, is: .open.behind("value"))
        }
        list.hidden("any value with an object", OfAny(Model())) { ($0.any as? Model)?.n = 2 }
        list.hidden("any value with an array of objects", OfAny([Model()])) { ($0.any as? [Model])?[0].n = 2 }
        list.hidden("a weak object", OfWeak(kept(Model()))) { $0.model?.n = 2 }
        list.hidden("an unowned object", OfUnowned(kept(Model()))) { $0.model.n = 2 }
        list.hidden("a pointer", OfPointer(number())) { $0.pointer.pointee = 2 }
        list.hidden("a mutex", OfMutex()) { $0.number.withLock { $0 += 1 } }
        list.hidden("an atomic number", OfAtomic()) { $0.number.add(1, ordering: .relaxed) }
        list.hidden("an enum with an object", OfEnum(.busy(Model(), .idle))) {
            if case .busy(let model, _) = $0.state { model.n = 2 }
        }
        list.hidden("an enum in an enum with an object", OfEnum(.busy(Model(), .busy(Model(), .idle)))) {
            if case .busy(_, .busy(let model, _)) = $0.state { model.n = 2 }
        }
        list.hidden("a buffer", OfBuffer()) { $0.buffer.header += 1 }
        list.hidden("a formatter", OfFormatter()) { $0.formatter.dateFormat = "yyyy" }
        list.hidden("a subclass with a variable", Closed() as Open) { ($0 as? Closed)?.more = 2 }
        list.hidden("a wrapped variable", Wrapped()) { $0.n = 2 }
        list.hidden("a wrapper that is an object", WithShared()) { $0.n = 2 }
        list.hidden("a queue", DispatchQueue(label: "corpus")) { $0.setSpecific(key: key, value: 1) }
        list.hidden("a work item", DispatchWorkItem {}) { $0.cancel() }
        list.hidden("a group", DispatchGroup()) { group in
            group.enter()
            enteredGroups.withLock { $0.append(group) }
        }
        list.hidden("a semaphore", DispatchSemaphore(value: 0)) { _ = ($0.signal(), $0.wait(timeout: .now())) }
        list.hidden("a Progress", Progress(totalUnitCount: 3)) { $0.completedUnitCount = 1 }
        list.hidden("an OperationQueue", OperationQueue()) { $0.name = "a name" }
        list.hidden("a JSONEncoder", JSONEncoder()) { $0.outputFormatting = .prettyPrinted }
        list.hidden("an ISO8601DateFormatter", ISO8601DateFormatter()) { $0.formatOptions = [.withYear] }
        list.hidden("a ByteCountFormatter", ByteCountFormatter()) { $0.allowedUnits = .useGB }
        list.hidden("an NSCountedSet", NSCountedSet(capacity: 1)) { $0.add(1) }
        list.hidden("an NSMutableOrderedSet", NSMutableOrderedSet(capacity: 1)) { $0.add(1) }
        list.hidden("an NSMutableIndexSet", NSMutableIndexSet(index: 1)) { $0.add(7) }
        list.fixed(
            "a tree of constants", Tree("a", [Tree("b"), Tree("c", [Tree("d")])]),
            Tree("a", [Tree("b"), Tree("c", [Tree("e")])]))
        list.fixed("values of many kinds", Numbered(1), Numbered(2))
        list.fixed("generic, of a number", Generic(1), Generic(2))
        list.fixed("generic, of a text", Generic("a text of some length, one"), Generic("a text of some length, two"))
        list.fixed("generic, of a fixed object", Generic(Numbered(1)), Generic(Numbered(2)))
        list.one("the same tree of constants") { recorder in
            let tree = Tree("a", [Tree("b"), Tree("c")])
            recorder.children([One(value: tree), One(value: tree)], are: [.initial, .same.under("Outer")])
            recorder.evaluate(One(value: tree), is: .same)
        }
        list.one("an object of constants and a static variable") { recorder in
            let object = Static()
            recorder.evaluate(One(value: object), is: .initial)
            Static.shared += 1
            // A static variable is no input: `inferred` means by its inputs.
            recorder.evaluate(One(value: object), is: .same)
        }
    }

    /// Values of Foundation that copy when they are written, written in place: nothing of the views is kept alive.
    static let copiedValues = CaseList.make("written in Foundation") { list in
        func written<Value>(
            _ list: inout CaseList, _ name: String, _ make: @autoclosure @escaping @Sendable () -> Value,
            line: UInt = #line, _ write: @escaping @Sendable (inout Value) -> Void
        ) {
            list.one(name) { recorder in
                var view = One(value: make())
                recorder.evaluate(view, isDescribed: false, is: .initial, line: line)
                write(&view.value)
                recorder.evaluate(view, isDescribed: false, is: .open.behind("value"), line: line)
            }
            list.one("\(name), in a child") { recorder in
                var view = One(value: [make()])
                recorder.children([view], isDescribed: false, are: [.initial], line: line)
                write(&view.value[0])
                recorder.children([view], isDescribed: false, are: [.open.under("Outer").behind("value")], line: line)
            }
        }
        written(&list, "DateComponents", DateComponents(year: 2026)) { $0.year = 2027 }
        written(&list, "URLComponents", URLComponents()) { $0.host = "a" }
        written(&list, "PersonNameComponents", PersonNameComponents()) { $0.givenName = "a" }
        written(&list, "CharacterSet", CharacterSet(charactersIn: "a")) { $0.insert("b") }
        written(&list, "IndexSet", IndexSet(integer: 1)) { $0.insert(4) }
        written(&list, "AttributedString", AttributedString("a")) { $0 += AttributedString("b") }
        written(&list, "Calendar", Calendar(identifier: .gregorian)) { $0.minimumDaysInFirstWeek = 4 }
        written(&list, "Notification", Notification(name: Notification.Name("a"))) { $0.userInfo = ["a": 1] }
        written(&list, "Measurement", Measurement(value: 1, unit: UnitLength.meters)) { $0.value = 2 }
        written(&list, "Data", Data(count: 300)) { $0[200] = 1 }
        written(&list, "a slice of Data", Data(count: 300)[10..<250]) { $0[200] = 1 }
        written(&list, "URL", URL(filePath: "/tmp")) { $0.append(path: "b") }
        written(&list, "IndexPath", IndexPath(indexes: [1, 2, 3])) { $0[2] = 5 }
        written(&list, "Decimal", Decimal(1)) { $0 += 1 }
        written(&list, "a locale", Locale.Components(identifier: "de")) { $0.region = "CH" }
        written(&list, "a number style", FloatingPointFormatStyle<Double>()) { $0 = $0.precision(.fractionLength(2)) }
        written(&list, "a date style", Date.ISO8601FormatStyle()) { $0 = $0.year() }
    }
}

private let key = DispatchSpecificKey<Int>()
private let keptModels = Mutex<[UInt]>([])

/// A model that stays, as what refers to it does not keep it.
private func kept(_ model: Model) -> Model {
    let bits = UInt(bitPattern: Unmanaged.passRetained(model).toOpaque())
    keptModels.withLock { $0.append(bits) }
    return model
}

/// A group that somebody has entered never ends; the leak check finds them here.
private let enteredGroups = Mutex<[DispatchGroup]>([])

private let numbers = Mutex<[UInt]>([])

private func number() -> UnsafeMutablePointer<Int> {
    let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    pointer.initialize(to: 1)
    numbers.withLock { $0.append(UInt(bitPattern: pointer)) }
    return pointer
}

/// One that may go away: not suspended.
private func source() -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource()
    source.activate()
    return source
}

private func counter(_ text: String) -> () -> Int {
    var number = 0
    return {
        number += 1
        return number + text.count
    }
}
private func counter() -> () -> Int {
    var number = 0
    return {
        number += 1
        return number
    }
}
