// SPDX-License-Identifier: MIT
import Foundation
import FoundationExtras
import Glibc
import Observation
import Testing

@testable import Rerender

private final class Plain { var count = 1 }
private final class Constant {
    let name: String
    let sizes: [Int]
    init(_ name: String, _ sizes: [Int] = []) { (self.name, self.sizes) = (name, sizes) }
}
private final class Holding {
    let constant: Constant
    init(_ constant: Constant) { self.constant = constant }
}
private final class HoldingPlain { let plain = Plain() }
private final class HoldingClosure { let action: () -> Int = { 1 } }
private final class HoldingAny {
    let any: Any
    init(_ any: Any) { self.any = any }
}
private final class Weakly { weak var plain: Plain? }
private class Ancestor { var size = 1 }
private final class Heir: Ancestor { let name = "heir" }

@Observable private final class Model {
    var tick = 0
    let id = 7
    private var hidden = ""
}
@Observable private final class Ignoring {
    var tick = 0
    @ObservationIgnored var cache = 0
}
@Observable private final class WithService {
    var tick = 0
    let service = Plain()
}
@Observable private final class WithWeak { weak var plain: Plain? }
@Observable private final class OfAncestor: Ancestor2 { var tick = 0 }
private class Ancestor2 { var size = 1 }

private final class HandMade: Observable {
    let registrar = ObservationRegistrar()
    var count = 0
}

private final class Buffer: ManagedBuffer<Int, Int> {}
private struct CopyOnWrite {
    private final class Storage { var values = [1] }
    private var storage = Storage()
}
private struct Weak { weak var value: Plain? }
private struct WeakModel { weak var value: Model? }
private struct Unowned { unowned let value: Model }
private struct Unsafely { unowned(unsafe) let value: Plain }
private enum Choice { case action(() -> Int), none }
/// Not reabstracted, as it is in a generic property.
private struct Action { let run: () -> Int }
private struct Named {
    let title: String
    let number: Int
    func titles() -> () -> Int { { title.count } }
    func both(_ other: Int) -> Action { Action { other + title.count } }
}

private func adding(_ number: Int) -> Action { Action { number + 1 } }
private func adding(_ number: Int, to text: String) -> Action { Action { number + text.count } }
private func boxed() -> (Action, () -> Void) {
    var number = 1
    return (Action { number }, { number += 1 })
}
private func inner(_ action: @escaping () -> Int, _ number: Int) -> Action { Action { action() + number } }
private func one(_ number: Int32) -> Int32 { number + 1 }
private func two(_ number: Int32) -> Int32 { number + 2 }

/// What an evaluation says of values in a property that is not generic.
private func change<Value>(_ old: Value, _ new: Value) -> ValueChange {
    var snapshot = ValueSnapshot()
    _ = snapshot.update(old)
    TrackedFields.seek { KeyPathName.property(of: $0)?.property }
    return snapshot.update(new)
}

@Suite("Compare proofs")
struct CompareProofTests {
    @Test("types of an app's module that is called as Foundation are what they are, and read as that")
    func names() {
        let url = FoundationExtras.URL(port: 0x4141_4141_4141, host: "example.org")
        #expect(verdict(url, url).verdict == .same)
        #expect(verdict(url, FoundationExtras.URL(port: 1, host: "example.org")).names == "value.port")
        #expect(proved(url, url))
        let data = FoundationExtras.Data(representation: 0x8000_0000_0000_0041, length: 3)
        #expect(verdict(data, data).verdict == .same)
        #expect(
            verdict(data, FoundationExtras.Data(representation: 1, length: 3)).names == "value.representation")
        #expect(
            verdict(FoundationExtras.Date(day: 1, name: "a"), FoundationExtras.Date(day: 1, name: "b")).names
                == "value.name")
        #expect(verdict(Names.String(bits: 0x41), Names.String(bits: 0x42)).names == "value.bits")
        let array = Names.Array(element: 0x4142, count: 9)
        #expect(verdict([array], [array]).verdict.isSubset(of: .newIdentity))
        #expect(verdict(array, Names.Array(element: 0x4142, count: 8)).names == "value.count")
    }

    @Test("values all the way down are proved to be the same, in whatever they lie")
    func values() {
        #expect(proved(1, 1) && proved("a", "a") && proved([1, 2], [1, 2]) && proved(["a": [1.5]], ["a": [1.5]]))
        #expect(proved(Optional("a"), Optional("a")) && proved((1, "x"), (1, "x")) && proved(1 as Any, 1 as Any))
        let hashable: [AnyHashable] = [1, "a"]
        #expect(proved(hashable, hashable))
        #expect(proved(Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 1)))
        let id = UUID()
        #expect(proved(id, id) && proved([id: Date.distantPast], [id: Date.distantPast]))
        #expect(
            proved(Data([1, 2, 3]), Data([1, 2, 3])) && proved(URL(string: "http://a/"), URL(string: "http://a/")))
        #expect(proved(ObjectIdentifier(Int.self), ObjectIdentifier(Int.self)))
        #expect(proved(SIMD4<Float>(1, 2, 3, 4), SIMD4(1, 2, 3, 4)) && proved(Int.self as Any.Type, Int.self))
    }

    @Test("an object with variables proves nothing, wherever it is held")
    func objects() {
        let plain = Plain()
        #expect(!proved(plain, plain) && !proved([plain], [plain]) && !proved(["a": plain], ["a": plain]))
        #expect(!proved(plain as Any, plain as Any) && !proved(plain as AnyObject, plain as AnyObject))
        #expect(!proved(Optional(plain), Optional(plain)) && proved(nil as Plain?, nil as Plain?))
        #expect(!proved((1, plain), (1, plain)) && !proved(CopyOnWrite(), CopyOnWrite()))
        let storage = CopyOnWrite()
        #expect(!proved(storage, storage))
        #expect(verdict(plain, plain).verdict == .same)
        let heir = Heir()
        #expect(!proved(heir, heir) && !proved(heir as Ancestor, heir as Ancestor))
        let weakly = Weakly()
        #expect(!proved(weakly, weakly))
        let buffer = Buffer.create(minimumCapacity: 1) { _ in 1 }
        #expect(!proved(buffer, buffer))
        let array = NSMutableArray()
        #expect(!proved(array, array))
        let (number, date) = (NumberFormatter(), DateFormatter())
        #expect(!proved(number, number) && !proved(date, date))
        #expect(!proved(Weak(value: plain), Weak(value: plain)) && proved(Weak(value: nil), Weak(value: nil)))
        #expect(!proved(Unsafely(value: plain), Unsafely(value: plain)))
        #expect(!proved(Unmanaged.passUnretained(plain), Unmanaged.passUnretained(plain)))
    }

    @Test("an object whose properties are constants is what they are")
    func constants() {
        let constant = Constant("a", [1, 2])
        #expect(proved(constant, constant) && proved([constant], [constant]) && proved(constant as Any, constant))
        let large = Constant(String(repeating: "x", count: 50_000), Array(0..<50_000))
        #expect(proved(large, large))
        let holding = Holding(constant)
        #expect(proved(holding, holding))
        let plain = HoldingPlain()
        #expect(!proved(plain, plain))
        let closure = HoldingClosure()
        #expect(proved(closure, closure))
        let (any, anyPlain) = (HoldingAny(1), HoldingAny(Plain()))
        #expect(proved(any, any) && !proved(anyPlain, anyPlain))
        #expect(!proved(HoldingAny(anyPlain), HoldingAny(anyPlain)))
        #expect(verdict(HoldingAny(1), HoldingAny(1)).verdict == [.changed, .newIdentity, .replacement])
    }

    @Test("a model is proved by what Observation reports of it, and by its constants")
    func models() {
        let (model, ignoring, service) = (Model(), Ignoring(), WithService())
        #expect(proved(model, model) && proved([model], [model]) && proved(["a": model], ["a": model]))
        #expect(proved(WeakModel(value: model), WeakModel(value: model)))
        #expect(proved(Unowned(value: model), Unowned(value: model)))
        #expect(!proved(ignoring, ignoring) && !proved(service, service))
        let (weak, heir, counter) = (WithWeak(), OfAncestor(), HandMade())
        #expect(!proved(weak, weak) && !proved(heir, heir) && !proved(counter, counter))
        #expect(verdict(Model(), Model()).verdict == .changed)
    }

    @Test("an address proves nothing of what it leads to")
    func addresses() {
        let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        defer { pointer.deallocate() }
        #expect(!proved(pointer, pointer) && !proved(UnsafeRawPointer(pointer), UnsafeRawPointer(pointer)))
        #expect(!proved(OpaquePointer(pointer), OpaquePointer(pointer)))
        let buffer = UnsafeBufferPointer(start: pointer, count: 1)
        #expect(!proved(buffer, buffer) && !proved([pointer], [pointer]) && !proved(Optional(pointer), pointer))
        #expect(verdict(pointer, pointer + 1).verdict == .changed)
    }

    @Test("a closure with another function is another input, and one with the same captures is the same")
    func functions() {
        let (first, second) = (Action { 1 }, Action { 2 })
        #expect(change(first, first).isProved)
        #expect(change(first, second).hasOtherClosure && !change(first, second).isProved)
        let (same, equal, other) = (adding(1), adding(1), adding(2))
        #expect(change(same, same).isProved && !change(same, same).hasNewClosure)
        #expect(change(same, equal).isProved && change(same, equal).hasNewClosure)
        #expect(change(same, other).hasOtherClosure)
        let text = String(repeating: "text ", count: 9)
        #expect(change(adding(1, to: text), adding(1, to: text)).isProved)
        #expect(change(adding(1, to: text), adding(1, to: text + "!")).hasOtherClosure)
        #expect(change(adding(1, to: text), adding(2, to: text)).hasOtherClosure)
        #expect(change(Named(title: "a", number: 1).both(1), Named(title: "a", number: 1).both(1)).isProved)
        #expect(change(Named(title: "a", number: 1).both(1), Named(title: "b", number: 1).both(1)).hasOtherClosure)
        #expect(change(inner({ 1 }, 1), inner({ 2 }, 1)).hasOtherClosure)
        #expect(change(inner(first.run, 1), inner(first.run, 1)).isProved)
    }

    @Test("a captured variable that was written makes another closure, or proves nothing")
    func boxes() {
        let (action, increment) = boxed()
        var snapshot = ValueSnapshot()
        _ = snapshot.update(action)
        #expect(snapshot.update(action).changed.isEmpty)
        increment()
        #expect(!snapshot.update(action).isProved)
        var text = "a", number = 1
        let both = Action {
            text += "b"
            number += 1
            return number
        }
        #expect(!change(both, both).isProved)
        let plain = Plain()
        let captures = Action { plain.count }
        #expect(!change(captures, captures).isProved)
        let model = Model()
        let observed = Action { model.tick }
        #expect(change(observed, observed).isProved)
    }

    @Test("closures in arrays, enums, optionals and protocol types are told as well")
    func nested() {
        func actions(_ number: Int) -> [() -> Int] { [{ number }, { 1 }] }
        let first = actions(1)
        #expect(change(first, first).changed.isEmpty && !change(first, first).hasOtherClosure)
        #expect(change(actions(1), actions(2)).hasOtherClosure)
        #expect(change([{ 1 }] as [() -> Int], [{ 2 }]).hasOtherClosure)
        #expect(change(Choice.action { 1 }, .action { 2 }).hasOtherClosure)
        #expect(change({ 1 } as (() -> Int)?, { 2 }).hasOtherClosure)
        #expect(change(Action { 1 } as Any, Action { 2 } as Any).hasOtherClosure)
        let (increments, doubles): (@convention(c) (Int32) -> Int32, @convention(c) (Int32) -> Int32) = (one, two)
        #expect(change(increments, increments).isProved && change(increments, doubles).hasOtherClosure)
    }

    @Test("values that are equal with other bits are not changed")
    func equalWithOtherBits() throws {
        let text = "Grüße, 世界 und alle anderen"
        let index = text.index(text.startIndex, offsetBy: 3)
        let scalar = text.unicodeScalars.index(text.startIndex, offsetBy: 3)
        #expect(index == scalar)
        #expect(verdict(index, scalar).verdict == .same)
        #expect(verdict(text.startIndex, index).verdict == .changed)
        #expect(verdict(text.startIndex..<index, text.startIndex..<scalar).verdict == .same)
        let (one, compact) = (Decimal(string: "1.0"), Decimal(1))
        #expect(!verdict(one, compact).verdict.contains(.changed))
        #expect(verdict([1, 2, 3, 4][1...2], [9, 2, 3][1...]).verdict.isSubset(of: .newIdentity))
        #expect(!verdict([1, 2, 3][1...], [0, 1, 2, 3][2...]).verdict.contains(.changed))
        #expect(!verdict("a text".dropFirst(2), "text"[...]).verdict.contains(.changed))
        #expect(!verdict(Data([1, 2, 3])[1...], Data([0, 1, 2, 3])[2...]).verdict.contains(.changed))
    }

    @Test("structs of C are told by their fields")
    func imported() {
        var (old, new) = (timespec(), timespec())
        #expect(verdict(old, new).verdict == .same && proved(old, new))
        old.tv_nsec = 1
        #expect(verdict(old, new).names == "value.tv_nsec")
        new.tv_nsec = 1
        #expect(verdict(old, new).verdict == .same)
        let found = stat()
        #expect(verdict(found, found).verdict == .same)
    }

    @Test("values of the system are told by their contents")
    func system() {
        let bytes = (0..<100).map { UInt8($0) }
        #expect(verdict(Data(bytes), Data(bytes)).verdict == .same)
        #expect(verdict(Data(bytes), Data(bytes.dropLast())).verdict == .changed)
        #expect(verdict(Data(bytes)[10..<20], Data(bytes)[10..<20]).verdict == .same)
        #expect(verdict(Data(bytes)[10..<20], Data(bytes)[10..<21]).verdict == .changed)
        #expect(verdict(Data(), Data([0])).verdict == .changed && verdict(Data(), Data()).verdict == .same)
        #expect(verdict(["a": Data(bytes)], ["a": Data(bytes)]).verdict.isSubset(of: .newIdentity))
        #expect(verdict(URL(string: "http://a/b?c#d"), URL(string: "http://a/b?c#d")).verdict == .same)
        #expect(verdict(URL(string: "http://a/b"), URL(string: "http://a/c")).verdict == .changed)
        let base = URL(string: "http://a/")
        #expect(verdict(URL(string: "b", relativeTo: base), URL(string: "b", relativeTo: base)).verdict == .same)
        #expect(
            verdict(URL(string: "b", relativeTo: base), URL(string: "b", relativeTo: URL(string: "http://c/"))).verdict
                != .same)
        #expect(verdict(SIMD4<Float>(1, 2, 3, 4), SIMD4(1, 2, 3, 5)).verdict == .changed)
        #expect(verdict(SIMD3<Double>(1, 2, 3), SIMD3(1, 2, 3)).verdict == .same)
        #expect(verdict(SIMD3<Double>(1, 2, 3), SIMD3(1, 2, 4)).verdict == .changed)
        #expect(verdict(SIMD16<Int8>(repeating: 1), SIMD16(repeating: 2)).verdict == .changed)
        #expect(verdict([1, 2, 3][1...], [1, 2, 4][1...]).verdict.contains(.changed))
        #expect(verdict("some text".dropFirst(5), "some text".dropFirst(5)).verdict == .same)
        #expect(verdict("some text".dropFirst(5), "some tent".dropFirst(5)).verdict == .changed)
        #expect(verdict(Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)).verdict == .changed)
    }
}
