// SPDX-License-Identifier: MIT
// Tells properties that Observation tracks from property wrappers, by the key paths in the program.

import RerenderSymbols

/// Which properties the macro `@Observable` made tracked ones.
///
/// A field `_volume` is that of a tracked property `volume`, or that of a property wrapper around it. The code of a tracked
/// property needs a key path to it, and the linker's name of that key path's getter has the property's type. A property that
/// is wrapped has another type than its field.
enum TrackedProperties {
    private static let getters = BoundedCache<LoadedFile, SymbolNames?>(limit: StoreLimits.filesOfTypes)

    /// Whether the program has a key path to a property of this name and type that the class declares. False where that cannot
    /// be told: in a program without symbols, and for generic classes. The first question about a file takes milliseconds,
    /// further ones one.
    static func contains(_ property: String, of owner: TypeMetadata, type: TypeMetadata) -> Bool {
        guard let (symbol, ownersName, getters) = declared(owner), let typesName = name(type) else { return false }
        let start = "key path getter for \(ownersName)."
        let end = " : \(typesName) : \(ownersName)"
        return getters.all(startingWith: symbol).contains { getter in
            guard let text = Demangler.demangle(getter), text.hasPrefix(start), text.hasSuffix(end) else {
                return false
            }
            let name = text.dropFirst(start.count).dropLast(end.count)
            return name == property || name.hasPrefix("(\(property) in ")
        }
    }

    /// A type's name; with its arguments if it is generic.
    private static func name(_ type: TypeMetadata) -> String? {
        let name = _typeName(type.type, qualified: true)
        return name.contains("<") ? name : declared(type)?.name
    }

    /// What the symbols of a type's declaration begin with, and its name, which tells private ones of several files apart.
    private static func declared(_ type: TypeMetadata) -> (symbol: String, name: String, getters: SymbolNames)? {
        guard let declaration = type.declaration, let file = LoadedFile(containing: declaration),
            let getters = getters.value(for: file, find: { SymbolNames(file, endingIn: "TK") }),
            let symbol = getters.name(at: declaration, before: "Mn"), let name = Demangler.demangle(symbol + "D")
        else { return nil }
        return (symbol, name, getters)
    }
}
