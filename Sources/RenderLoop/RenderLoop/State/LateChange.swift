// SPDX-License-Identifier: MIT
// Changes of an `ObservableObject` by another thread, which announces them before it stores the value.

import Dispatch
import OpenCombine

/// Looks again after news of a change that another thread makes.
///
/// An object tells before it changes. On the main actor that is early enough, as the evaluation comes later in the turn;
/// what another thread tells can be evaluated before that thread has stored the value. So the properties are looked at
/// again for a while, and a value that has come in between is news of its own.
@MainActor
final class LateChange {
    /// The first look comes after 1 ms, each further one after twice the time, and the last 4 s after the announcement.
    /// Between announcing and storing, a thread only calls the property's subscribers.
    private static let looks = 12

    private let tell: @MainActor () -> Void
    private var looksAtValues: [@MainActor () -> Bool]?
    private var left = 0
    private var isWaiting = false

    /// Makes one that calls `tell` for every look at which something is another than before.
    init(_ tell: @escaping @MainActor () -> Void) { self.tell = tell }

    /// There was news; these are the values as they are now. nil where they cannot be looked at: then `tell` is called
    /// once, with the last look.
    func follow(_ looksAtValues: [@MainActor () -> Bool]?) {
        self.looksAtValues = looksAtValues
        left = Self.looks
        wait()
    }

    private func wait() {
        guard left > 0, !isWaiting else { return }
        isWaiting = true
        let milliseconds = 1 << (Self.looks - left)
        left -= 1
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            MainActor.assumeIsolated { self?.look() }
        }
    }

    private func look() {
        isWaiting = false
        if let looksAtValues {
            // Each look counts, also after one that found a change.
            if looksAtValues.reduce(false, { $1() || $0 }) { tell() }
        } else if left == 0 {
            tell()
        }
        wait()
    }
}

/// The `@Published` properties of an object.
@MainActor
enum PublishedProperties {
    /// For each property a closure that tells whether its value is another than at the last look. Nil for an object that
    /// keeps a publisher of its own: its properties may be without the lock that lets one thread read while another writes.
    static func looks<Object: ObservableObject>(at object: Object) -> [@MainActor () -> Bool]? {
        guard Object.ObjectWillChangePublisher.self == ObservableObjectPublisher.self else { return nil }
        let children = children(of: object)
        if children.contains(where: { $0.value is ObservableObjectPublisher }) { return nil }
        let looks = children.compactMap { ($0.value as? any PublishedProperty)?.look() }
        return looks.isEmpty ? nil : looks
    }

    /// The object's type, if each access of `objectWillChange` gives it another publisher; nil for all others.
    ///
    /// OpenCombine keeps the publisher in the `@Published` properties. Combine keeps it also where there are none.
    static func lostPublisher<Object: ObservableObject>(of object: Object) -> Any.Type? {
        guard Object.ObjectWillChangePublisher.self == ObservableObjectPublisher.self else { return nil }
        let type = type(of: object)
        if let isKept = keepsPublisher[ObjectIdentifier(type)] { return isKept ? nil : type }
        let isKept = object.objectWillChange as AnyObject === object.objectWillChange as AnyObject
        keepsPublisher[ObjectIdentifier(type)] = isKept
        return isKept ? nil : type
    }

    /// By the types of objects.
    private static var keepsPublisher: [ObjectIdentifier: Bool] = [:]

    /// The properties with their names.
    static func named(of object: some ObservableObject) -> [(label: String, property: any PublishedProperty)] {
        children(of: object).compactMap { child in
            guard let label = child.label, let property = child.value as? any PublishedProperty else { return nil }
            return (label, property)
        }
    }

    private static func children(of object: some ObservableObject) -> [Mirror.Child] {
        sequence(first: Mirror(reflecting: object), next: \.superclassMirror).flatMap(\.children)
    }
}

/// A `@Published` property, of whatever type.
protocol PublishedProperty {
    /// Calls before every change, on the thread that makes it.
    func onChange(_ body: @escaping @Sendable () -> Void) -> AnyCancellable
    /// Tells whether the value is another than at the last look.
    @MainActor func look() -> @MainActor () -> Bool
}

extension Published: PublishedProperty {
    func onChange(_ body: @escaping @Sendable () -> Void) -> AnyCancellable {
        // A copy shares its storage with the object's own. The first value is the present one.
        var copy = self
        return copy.projectedValue.dropFirst().sink { _ in body() }
    }

    @MainActor func look() -> @MainActor () -> Bool {
        var copy = self
        let publisher = copy.projectedValue
        func current() -> Value? {
            var value: Value?
            // The present value comes with the subscription, which then ends.
            _ = publisher.first().sink { value = $0 }
            return value
        }
        var known = current()
        return {
            let new = current()
            defer { known = new }
            return ValueComparison.firstDifference(known, new) != nil
        }
    }
}
