// SPDX-License-Identifier: MIT
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
