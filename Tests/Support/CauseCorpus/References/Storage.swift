// SPDX-License-Identifier: MIT
// Storage behind an address: copy-on-write types of the app's own, ManagedBuffer, pointers.

import Rerender
import Synchronization

private final class Storage {
    var numbers: [Int]
    init(_ numbers: [Int]) { self.numbers = numbers }
}

/// A value to those who use it: copied when it is written and shared.
private struct Copied {
    private var storage: Storage
    init(_ numbers: [Int]) { storage = Storage(numbers) }

    var numbers: [Int] { storage.numbers }
    mutating func append(_ number: Int) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.numbers) }
        storage.numbers.append(number)
    }
}

private struct Tail {
    private var buffer: ManagedBuffer<Int, Int>
    init(_ number: Int) {
        buffer = ManagedBuffer<Int, Int>.create(minimumCapacity: 4) { _ in 1 }
        buffer.withUnsafeMutablePointerToElements { $0.initialize(to: number) }
    }
    var first: Int {
        get { buffer.withUnsafeMutablePointerToElements { $0.pointee } }
        nonmutating set { buffer.withUnsafeMutablePointerToElements { $0.pointee = newValue } }
    }
}

private final class Guarded: Sendable {
    let number = Mutex(0)
    let count = Atomic(0)
}

private let places = Mutex<[UInt]>([])

/// Memory for a number; kept, because views that were evaluated may still be compared.
private func place() -> UnsafeMutablePointer<Int> {
    let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    pointer.initialize(to: 1)
    places.withLock { $0.append(UInt(bitPattern: pointer)) }
    return pointer
}

extension Case {
    static let storage = CaseList.make("storage") { list in
        list.one("copy-on-write, written in place once the view has gone") { recorder in
            var value = Copied([1])
            recorder.evaluate("View", One(value: value), isDescribed: false, is: .initial) { $0.value.numbers.count }
            value.append(2)
            recorder.evaluate("View", One(value: value), isDescribed: false, is: .open.behind("value")) {
                $0.value.numbers.count
            }
        }
        list.one("copy-on-write, written in place, in a child") { recorder in
            var value = Copied([1])
            for n in 0..<4 {
                recorder.children(
                    [One(value: value)], isDescribed: false,
                    are: [n == 0 ? .initial : .open.under("Outer").behind("value")])
                value.append(n)
            }
        }
        list.one("copy-on-write, copied") { recorder in
            var value = Copied([1])
            let before = value
            recorder.evaluate(One(value: before), isDescribed: false, is: .initial)
            value.append(2)
            recorder.evaluate(One(value: value), isDescribed: false, is: .changed("value.storage"))
            withExtendedLifetime(before) {}
        }
        list.one("copy-on-write, in an array") { recorder in
            var values = [Copied([1]), Copied([2])]
            recorder.children([One(value: values)], isDescribed: false, are: [.initial])
            values[1].append(2)
            recorder.children([One(value: values)], isDescribed: false, are: [.open.under("Outer").behind("value")])
        }
        list.hidden("ManagedBuffer of a class", ManagedBuffer<Int, Int>.create(minimumCapacity: 4) { _ in 1 }) {
            $0.header += 1
        }
        list.hidden("ManagedBuffer's elements", Tail(1)) { $0.first = 2 }
        list.hidden("a pointer", place()) { $0.initialize(to: 2) }
        list.hidden("a constant pointer", UnsafePointer(place())) {
            UnsafeMutablePointer(mutating: $0).initialize(to: 2)
        }
        list.hidden("a raw pointer", UnsafeMutableRawPointer(place())) { $0.storeBytes(of: 7, as: Int.self) }
        list.hidden("a buffer pointer", UnsafeMutableBufferPointer(start: place(), count: 1)) { $0[0] = 3 }
        list.hidden("a raw buffer pointer", UnsafeMutableRawBufferPointer(start: place(), count: 8)) {
            $0.storeBytes(of: 7, as: Int.self)
        }
        list.hidden("an opaque pointer", OpaquePointer(place())) { UnsafeMutablePointer<Int>($0).initialize(to: 2) }
        list.hidden("an optional pointer", Optional(place())) { $0?.initialize(to: 2) }
        list.hidden("an array of pointers", [place()]) { $0[0].initialize(to: 2) }
        list.hidden("a class with a mutex and an atomic", Guarded()) {
            $0.number.withLock { $0 += 1 }
            $0.count.add(1, ordering: .relaxed)
        }
        list.hidden("an iterator over a shared one", AnyIterator([1, 2, 3].makeIterator())) { _ = $0.next() }
        list.hidden("AnySequence of an object", AnySequence(Steps())) {
            $0.makeIterator().next().map { _ in Steps.count += 1 } ?? ()
        }
    }
}

private final class Steps: Sequence {
    static nonisolated(unsafe) var count = 0
    var step = 0
    func makeIterator() -> AnyIterator<Int> {
        AnyIterator {
            self.step += 1
            return self.step
        }
    }
}
