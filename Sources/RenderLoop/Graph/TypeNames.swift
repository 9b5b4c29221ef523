// SPDX-License-Identifier: MIT
// Names of view types, made once.

/// The names of types as events show them.
@MainActor
enum TypeNames {
    private static var names: [ObjectIdentifier: String] = [:]

    /// The type's name without its generic arguments.
    static func name(of type: Any.Type) -> String {
        if let known = names[ObjectIdentifier(type)] { return known }
        let name = String(String(describing: type).prefix { $0 != "<" })
        names[ObjectIdentifier(type)] = name
        return name
    }
}
