// SPDX-License-Identifier: MIT
// Changes of an `ObservableObject` by another thread: its news comes before the value, and nobody tells when that is there.

import Dispatch
import OpenCombine

/// Looks again after news of a change that another thread makes.
///
/// An object tells before it changes. On the main actor that is early enough, as the evaluation comes later in the turn;
/// what another thread tells can be evaluated before that thread has stored the value. So the properties are looked at
/// again for a while, and a value that has come in between is news of its own.
@MainActor
final class LateChange {
    /// Each comes after twice the time of that before, the first after 1 ms, the last 4 s after the news: a thread between
    /// telling and storing has nothing to do but to call those who follow the property.
    private static let looks = 12

    private let tell: @MainActor () -> Void
    private var values: PublishedValues?
    private var left = 0
    private var isWaiting = false

    /// Makes one that calls `tell` for every look at which something is another than before.
    init(_ tell: @escaping @MainActor () -> Void) { self.tell = tell }

    /// There was news; these are the values as they are now. nil where they cannot be looked at: then `tell` is called
    /// once, with the last look.
    func follow(_ values: PublishedValues?) {
        self.values = values
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
        if let values {
            if values.haveChanged() { tell() }
        } else if left == 0 {
            tell()
        }
        wait()
    }
}

/// The values of an object's `@Published` properties at some time.
@MainActor
final class PublishedValues {
    private var looks: [@MainActor () -> Bool]

    private init(_ looks: [@MainActor () -> Bool]) { self.looks = looks }

    /// The values as they are now; nil for an object that keeps a publisher of its own: its properties may be without the
    /// lock that lets one thread read while another writes.
    static func of<Object: ObservableObject>(_ object: Object) -> PublishedValues? {
        guard Object.ObjectWillChangePublisher.self == ObservableObjectPublisher.self else { return nil }
        var looks: [@MainActor () -> Bool] = []
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            for child in current.children {
                if child.value is ObservableObjectPublisher { return nil }
                if let property = child.value as? any PublishedProperty { looks.append(property.look()) }
            }
            mirror = current.superclassMirror
        }
        return looks.isEmpty ? nil : PublishedValues(looks)
    }

    /// Whether a value is another than at the last call.
    func haveChanged() -> Bool { looks.reduce(false) { $1() || $0 } }

    /// The properties of an object, with their names.
    static func properties(of object: some ObservableObject) -> [(label: String, property: any PublishedProperty)] {
        var found: [(String, any PublishedProperty)] = []
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            for case let (label?, value as any PublishedProperty) in current.children { found.append((label, value)) }
            mirror = current.superclassMirror
        }
        return found
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
