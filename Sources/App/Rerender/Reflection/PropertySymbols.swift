// SPDX-License-Identifier: MIT
// Tells which properties of a class Observation tracks, by their symbols.

/// A property by its name and its type.
struct DeclaredProperty: Hashable, Sendable {
    let name: String
    let type: TypeMetadata
}

/// The type of a wrapper's `wrappedValue` as symbols have it.
enum WrappedType: Sendable {
    /// A generic parameter of the wrapper, by its number.
    case parameter(Int)
    case named(String)
}

/// What the symbols of a type tell of its `wrappedValue`.
enum WrappedValueSymbol: Sendable {
    case found(WrappedType)
    /// There are getters of all stored properties, as only a build without optimisation has, and none of this one.
    case absent
    case unknown
}

/// The properties of types as the linker knows them.
enum PropertySymbols {
    private typealias Declaration = (symbol: String, name: String, file: DeclarationSymbols)

    private static let files = BoundedCache<LoadedFile, DeclarationSymbols?>(limit: StoreLimits.filesOfTypes)

    /// Those of the properties that are tracked ones of the class by the program's symbols: there is a key path to the property,
    /// which its getter needs, or the getter itself was left out, so that nobody reads the property. Optimised builds may show
    /// neither, stripped ones have no symbols. The first question about a file takes milliseconds, further ones a millisecond.
    static func tracked(_ properties: Set<DeclaredProperty>, of owner: TypeMetadata) -> Set<DeclaredProperty> {
        guard let owner = declaration(of: owner) else { return [] }
        var getters = Getters(owner: owner.name)
        for symbol in owner.file.getters(startingWith: owner.symbol) { getters.add(symbol) }
        let tracked = getters.keyPaths.union(getters.entries.subtracting(getters.functions))
        return properties.filter { property in
            name(of: property.type).map { tracked.contains("\(property.name) : \($0)") } ?? false
        }
    }

    /// Whether a type has a property `wrappedValue`. The public ones of libraries are known also to optimised builds, others often
    /// are not, and to stripped programs only what their libraries export. Of a private one no build has to keep the getters, so that
    /// none tells: a debug build and an optimised one say the same. A millisecond.
    static func wrappedValue(of owner: TypeMetadata) -> WrappedValueSymbol {
        let stored = storedProperties(of: owner)
        // `Shop.(Cell in _5F2A)`, or a type in a function.
        guard let owner = declaration(of: owner), !owner.name.contains(" in ") else { return .unknown }
        var found: Set<String> = []
        for symbol in owner.file.getters(startingWith: owner.symbol) {
            guard let text = Demangler.demangle(symbol), !text.hasPrefix("static ") else { continue }
            guard text.hasPrefix(owner.name + ".") else { continue }
            let rest = text.dropFirst(owner.name.count + 1)
            guard let mark = rest.firstRange(of: ".getter : ") else { continue }
            if rest[..<mark.lowerBound] == "wrappedValue" {
                let type = String(rest[mark.upperBound...])
                return .found(parameter(type).map { .parameter($0) } ?? .named(type))
            }
            found.insert(name(ofProperty: rest[..<mark.lowerBound]))
        }
        // The getters of some survive in an optimised build, too, while that of the wrapped value was inlined.
        return !stored.isEmpty && found.isSuperset(of: stored) ? .absent : .unknown
    }

    /// The names of what a type stores itself; empty where they are not known, and for enums, which store nothing.
    private static func storedProperties(of owner: TypeMetadata) -> Set<String> {
        let fields = owner.kind == .class ? owner.classLevels?.last : owner.fields
        return Set(fields?.map(\.name) ?? [])
    }

    /// `box` of `(box in _5F2A)`, as private properties are called.
    private static func name(ofProperty text: Substring) -> String {
        guard text.hasPrefix("(") else { return String(text) }
        return String(text.dropFirst().prefix { $0 != " " })
    }

    /// `A` is the first parameter of the outermost generic type.
    private static func parameter(_ text: String) -> Int? {
        guard text.utf8.count == 1, let letter = text.utf8.first, (65...90).contains(letter) else { return nil }
        return Int(letter) - 65
    }

    /// Whether it is the type that symbols call so.
    static func isNamed(_ type: TypeMetadata, _ text: String) -> Bool { name(of: type) == text }

    /// Reads the symbols of the file that declares a type, so that the first question about it need not.
    static func read(for type: TypeMetadata) { _ = declaration(of: type) }

    /// The properties of a class of which there are symbols, as "tick : Swift.Int".
    private struct Getters {
        let owner: String
        /// Those to which there is a key path.
        private(set) var keyPaths: Set<String> = []
        /// Those with an entry in the class's table, and those with a getter.
        private(set) var entries: Set<String> = []
        private(set) var functions: Set<String> = []

        init(owner: String) { self.owner = owner }

        mutating func add(_ symbol: String) {
            guard let text = Demangler.demangle(symbol) else { return }
            if let property = property(text[...], after: "method descriptor for ", before: ".getter : ") {
                entries.insert(property)
            } else if let property = property(text[...], after: "", before: ".getter : ") {
                functions.insert(property)
            } else if text.hasSuffix(" : \(owner)"),
                let property = property(text.dropLast(owner.count + 3), after: "key path getter for ", before: " : ")
            {
                keyPaths.insert(property)
            }
        }

        /// Of "key path getter for Shop.Ticker.tick : Swift.Int", or "Shop.Ticker.(tick in _5F2A).getter : Swift.Int".
        private func property(_ text: Substring, after start: String, before mark: String) -> String? {
            let start = "\(start)\(owner)."
            guard text.hasPrefix(start) else { return nil }
            var rest = text.dropFirst(start.count)
            let isPrivate = rest.hasPrefix("(")
            if isPrivate { rest = rest.dropFirst() }
            let name = rest.prefix { $0 != " " && $0 != "." && $0 != ")" }
            guard let end = isPrivate ? rest.firstIndex(of: ")").map(rest.index(after:)) : name.endIndex,
                rest[end...].hasPrefix(mark)
            else { return nil }
            return "\(name) : \(rest[end...].dropFirst(mark.count))"
        }
    }

    /// A type's name as in symbols; nil for some that are made of private ones.
    private static func name(of type: TypeMetadata) -> String? {
        if let mangled = _mangledTypeName(type.type), let name = Demangler.demangle("$s\(mangled)D"),
            !name.contains(" in $"), !name.contains("unknown context")
        {
            return name
        }
        // The runtime does not know the names of private types.
        if type.kind == .optional || type.module == "Swift" && type.name == "Array" {
            let kind = type.kind == .optional ? "Optional" : "Array"
            return name(of: type.genericArgument(0)).map { "Swift.\(kind)<\($0)>" }
        }
        return _typeName(type.type, qualified: true).contains("<") ? nil : declaration(of: type)?.name
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
