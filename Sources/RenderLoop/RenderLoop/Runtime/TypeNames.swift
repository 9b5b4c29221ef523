// SPDX-License-Identifier: MIT
// Names of view types, made once.

/// A type that nobody knows but the library: it stands for another one, whose name it has.
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
