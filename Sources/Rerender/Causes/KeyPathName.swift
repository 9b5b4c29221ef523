// SPDX-License-Identifier: MIT
// Key paths as a reader knows them: the symbol of a key path's getter has the property's name.

import Synchronization

/// A property's name, without and with what is around it.
struct PropertyName: Hashable, Sendable {
    /// The type that declares it: `Ticker`, `Box` if generic.
    let rootType: String
    /// The same with its module and enclosing types: `Shop.Ticker`.
    let qualifiedRoot: String
    let property: String
}

/// Names of properties by key path.
enum KeyPathName {
    /// Proof: key paths are immutable. The one that is kept is compared by threads other than its maker's, as Observation
    /// itself does with each that it is given.
    private struct Path: @unchecked Sendable, Hashable {
        let path: AnyKeyPath
    }

    private struct Known: Sendable {
        /// Kept, or its address could become another's.
        let path: Path
        let name: PropertyName?
    }

    private struct Cache {
        var byObject: [ObjectIdentifier: Known] = [:]
        var byValue: [Path: PropertyName?] = [:]
    }

    private static let cache = Mutex(Cache())

    /// The name of the one property that a key path of Observation's leads to; nil in a program without symbols.
    /// Any thread that may wait: 5 µs, the first of a file some milliseconds; then 50 ns.
    static func property(of path: AnyKeyPath) -> PropertyName? {
        let shared = Path(path: path)
        let known = cache.withLock { cache -> PropertyName?? in
            if let known = cache.byObject[ObjectIdentifier(shared.path)] { return .some(known.name) }
            return cache.byValue[shared]
        }
        if let known { return known }
        let name = find(path)
        cache.withLock { cache in
            guard cache.byValue.count < StoreLimits.propertyNames else { return }
            cache.byValue[shared] = .some(name)
            cache.byObject[ObjectIdentifier(shared.path)] = Known(path: shared, name: name)
        }
        return name
    }

    private static func find(_ path: AnyKeyPath) -> PropertyName? {
        guard let property = propertyText(path), !property.isEmpty else { return nil }
        let root = type(of: path).rootType
        let qualified = plain(_typeName(root, qualified: true))
        let name = qualified.split(separator: ".").last.map(String.init) ?? qualified
        return PropertyName(rootType: name, qualifiedRoot: qualified, property: property)
    }

    private static func propertyText(_ path: AnyKeyPath) -> String? {
        let text = path.debugDescription
        if let mark = text.firstRange(of: "0x") {
            guard text.firstRange(of: "<computed ") != nil,
                let getter = UInt(text[mark.upperBound...].prefix(while: \.isHexDigit), radix: 16),
                let name = SymbolTable.symbolName(at: getter)
            else { return nil }
            if let name = Demangler.demangle(name).flatMap(property(inSymbol:)) { return name }
            // The optimiser may put a function without a name of Swift's before the getter.
            return SymbolTable.callees(at: getter).lazy.compactMap { callee in
                Demangler.demangle(callee).flatMap { isGetter($0, of: path) ? property(inSymbol: $0) : nil }
            }.first
        }
        if let mark = text.firstRange(of: "<offset ") {
            guard let offset = Int(text[mark.upperBound...].prefix(while: \.isNumber)) else { return nil }
            return TypeMetadata(type(of: path).rootType).fields?.last { $0.offset == offset }?.name
        }
        return text.split(separator: ".").last.map(String.init)
    }

    /// Whether a symbol is the getter for key paths of a property of the path's type.
    private static func isGetter(_ symbol: String, of path: AnyKeyPath) -> Bool {
        let root = plain(_typeName(type(of: path).rootType, qualified: false))
        guard symbol.hasPrefix("key path getter for ") || symbol.firstRange(of: ".getter : ") != nil else {
            return false
        }
        return symbol.split(whereSeparator: { ".( ".contains($0) }).contains {
            $0 == root.split(separator: ".").last ?? ""
        }
    }

    /// `tick` of "key path getter for Shop.Ticker.tick : Swift.Int : Shop.Ticker", "Shop.Ticker.tick.getter : Swift.Int"
    /// and "key path getter for Shop.Ticker.(tick in _5F2A) : Swift.Int : Shop.Ticker".
    static func property(inSymbol symbol: String) -> String? {
        guard let colon = symbol.firstRange(of: " : ") else { return nil }
        var text = symbol[..<colon.lowerBound]
        if text.hasSuffix(".getter") {
            text = text.dropLast(7)
        } else if let start = text.firstRange(of: "key path getter for ") {
            text = text[start.upperBound...]
        } else {
            return nil
        }
        if text.hasSuffix(")"), let open = text.lastIndex(of: "(") {
            // Private: "(tick in _5F2A)".
            text = text[text.index(after: open)...].prefix { $0 != " " }
            return text.isEmpty ? nil : String(text)
        }
        return text.split(separator: ".").last.map(String.init)
    }

    /// A type's name without the arguments of generic types and without what stands for private contexts.
    static func plain(_ name: String) -> String {
        var result = ""
        var depth = 0
        for part in name {
            switch part {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            default: if depth == 0 { result.append(part) }
            }
        }
        return result.split(separator: ".").joined(separator: ".")
    }
}
