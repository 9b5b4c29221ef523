// SPDX-License-Identifier: MIT
// Stored properties of a view that are updated before each evaluation.

import Dispatch
import Foundation

/// A stored property of a view that is updated before each evaluation.
///
/// A struct of others, such as one with `@State` in it, conforms without further code. The view's inputs are equal where
/// the parts of the property are.
@MainActor
public protocol DynamicProperty {
    /// Called before each evaluation of the view, after the properties in it.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}

// Names of view types, made once.

/// An internal type that has another type's name in events.
@MainActor
protocol NamedForAnother {
    static var nameType: Any.Type { get }
}

/// The names of types as events show them.
@MainActor
enum TypeNames {
    private static var names: [ObjectIdentifier: String] = [:]

    /// The type's name without its generic arguments.
    static func name(of type: Any.Type) -> String {
        if let known = names[ObjectIdentifier(type)] { return known }
        let nameType = (type as? any NamedForAnother.Type)?.nameType ?? type
        let name = String(String(describing: nameType).prefix { $0 != "<" })
        names[ObjectIdentifier(type)] = name
        return name
    }
}

/// A property's name without the underscore of a wrapper's storage.
func plainName(_ name: String) -> String { name.hasPrefix("_") ? String(name.dropFirst()) : name }

// From wherever a model was written to the main actor.

/// The main queue, which is served by other threads than the main one in programs that call `dispatchMain()`.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}

/// Runs the body at once where the main actor is; a write elsewhere is news for its next turn.
func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) {
    guard MainQueue.isCurrent else { return DispatchQueue.main.async { body() } }
    MainActor.assumeIsolated(body)
}

/// Something on its way from one thread to another.
///
/// Proof of `Sendable`: who makes one gives the value away, or only copies it, as state is copied from thread to thread; that
/// a value of a type which is not `Sendable` has no part that is written meanwhile is up to the program.
struct Transfer<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
