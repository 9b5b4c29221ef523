// SPDX-License-Identifier: MIT
// Tells which properties a class declares, by the symbols of their getters.

import RerenderSymbols

/// A property by its name and its type.
struct DeclaredProperty: Hashable, Sendable {
    let name: String
    let type: TypeMetadata
}

/// The properties of classes as the linker knows them.
enum PropertySymbols {
    private typealias Declaration = (symbol: String, name: String, file: DeclarationSymbols)

    private static let files = BoundedCache<LoadedFile, DeclarationSymbols?>(limit: StoreLimits.filesOfTypes)

    /// Those of the properties that the class declares in the program's symbols: there is a key path to the property, or an entry
    /// for its getter in the class's table. Optimised builds may have neither, stripped ones have no symbols. The first question
    /// about a file takes milliseconds, further ones a millisecond.
    static func declared(_ properties: Set<DeclaredProperty>, by owner: TypeMetadata) -> Set<DeclaredProperty> {
        guard let owner = declaration(of: owner) else { return [] }
        var getters = Getters(owner: owner.name)
        for symbol in owner.file.getters(startingWith: owner.symbol) { getters.add(symbol) }
        return properties.filter { property in
            guard let types = getters.types[property.name[...]] else { return false }
            return name(of: property.type).map(types.contains) ?? false
        }
    }

    /// Reads the symbols of the file that declares a type, so that the first question about it need not.
    static func read(for type: TypeMetadata) { _ = declaration(of: type) }

    /// The names of types of properties of a class, by the properties' names.
    private struct Getters {
        let owner: String
        private(set) var types: [Substring: Set<Substring>] = [:]

        init(owner: String) { self.owner = owner }

        /// Of "key path getter for Shop.Ticker.tick : Swift.Int : Shop.Ticker" or
        /// "method descriptor for Shop.Ticker.tick.getter : Swift.Int".
        mutating func add(_ symbol: String) {
            guard let text = Demangler.demangle(symbol) else { return }
            let end = " : \(owner)"
            if text.hasPrefix("key path"), text.hasSuffix(end) {
                add(text.dropLast(end.count), after: "key path getter for \(owner).", before: " : ")
            } else {
                add(text[...], after: "method descriptor for \(owner).", before: ".getter : ")
            }
        }

        private mutating func add(_ text: Substring, after start: String, before mark: String) {
            guard text.hasPrefix(start) else { return }
            var rest = text.dropFirst(start.count)
            let isPrivate = rest.hasPrefix("(")
            if isPrivate { rest = rest.dropFirst() }
            // Private: "(tick in _5F2A)".
            let name = rest.prefix { $0 != " " && $0 != "." && $0 != ")" }
            guard let end = isPrivate ? rest.firstIndex(of: ")").map(rest.index(after:)) : name.endIndex,
                rest[end...].hasPrefix(mark)
            else { return }
            types[name, default: []].insert(rest[end...].dropFirst(mark.count))
        }
    }

    /// A type's name as in symbols; with its arguments if it is generic.
    private static func name(of type: TypeMetadata) -> Substring? {
        let name = _typeName(type.type, qualified: true)
        return name.contains("<") ? name[...] : declaration(of: type).map { $0.name[...] }
    }

    /// What the symbols of a type's declaration begin with, and its name, which tells private ones of several files apart.
    private static func declaration(of type: TypeMetadata) -> Declaration? {
        guard let address = type.declaration, let loaded = LoadedFile(containing: address),
            let file = files.value(for: loaded, find: { DeclarationSymbols(loaded) }),
            let symbol = file.type(at: address), let name = Demangler.demangle(symbol + "D")
        else { return nil }
        return (symbol, name, file)
    }
}
