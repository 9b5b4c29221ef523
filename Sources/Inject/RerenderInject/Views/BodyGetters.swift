// SPDX-License-Identifier: MIT
// Finds out by symbols which of a protocol's getters is the body, and where bodies leave their results.

import Glibc
import Rerender
import RerenderModel
import Synchronization

/// The body's getter of each protocol.
struct BodyGetters {
    /// Of how many views of a protocol symbols are looked for. A stripped program has none, and each look takes milliseconds.
    private static let looks = 4

    private enum Answer {
        /// Its place among the requirements.
        case getter(Int)
        /// A protocol that only has the name and the shape: its properties are something else.
        case notBody
    }

    /// By protocol, once symbols told.
    private var known: [UInt: Answer] = [:]
    private var looked: [UInt: Int] = [:]

    /// The views with the getter that symbols call `body`; with the first one where symbols tell nothing. Left out are those of a
    /// protocol `View` whose getters all have other names.
    mutating func naming(_ views: [FoundView]) -> [FoundView] {
        learn(views)
        return views.compactMap { view in
            switch known[view.protocolAddress] {
            case .getter(let getter)?:
                var view = view
                view.getter = getter
                return view
            case .notBody?: return nil
            case nil: return view
            }
        }
    }

    /// Leaves out types if nothing but their protocol's name says that they are views, and no symbol says more.
    mutating func meant(_ views: [FoundView]) -> [FoundView] {
        learn(views.filter(\.needsSymbols))
        return views.filter { view in
            guard view.needsSymbols else { return true }
            if case .getter? = known[view.protocolAddress] { return true }
            return false
        }
    }

    /// Why a view is left out, as a word of a report; nil for one that is not, or whose symbols were not looked for yet.
    func fault(of view: FoundView) -> String? {
        switch known[view.protocolAddress] {
        case .getter?: nil
        case .notBody?: "name"
        case nil: view.needsSymbols ? "symbols" : nil
        }
    }

    /// Whether no symbol was found for any of these, so that what only symbols tell is unknown.
    func areNameless(_ views: [FoundView]) -> Bool {
        views.allSatisfy { known[$0.protocolAddress] == nil }
            && !views.prefix(Self.looks).contains { $0.body.map(RequirementSymbols.hasSymbol) == true }
    }

    private mutating func learn(_ views: [FoundView]) {
        for view in views
        where known[view.protocolAddress] == nil && looked[view.protocolAddress, default: 0] < Self.looks {
            looked[view.protocolAddress, default: 0] += 1
            known[view.protocolAddress] = Self.answer(of: view)
        }
    }

    /// Whether the first of several getters was taken for the body.
    func isGuess(of view: FoundView) -> Bool { view.getters > 1 && known[view.protocolAddress] == nil }

    private static func answer(of view: FoundView) -> Answer? {
        let names = view.getterPlaces.map { (place: $0, name: RequirementSymbols.property($0, of: view)?.name) }
        if let body = names.first(where: { $0.name == "body" }) { return .getter(body.place) }
        // As in Adwaita for Swift.
        if view.protocolName == "View", let body = names.first(where: { $0.name == "view" }) {
            return .getter(body.place)
        }
        // The user named others, whose body may be called anything.
        return view.protocolName == "View" && names.contains { $0.name != nil } ? .notBody : nil
    }
}

/// Whether the body's getter of a protocol returns its associated type, and in memory that the caller has for it.
enum BodyResults {
    private static let known = Mutex<[UInt: Bool]>([:])
    /// Of how many views of a protocol symbols are looked for. A stripped program has none, and each look takes milliseconds.
    private static let looks = 4
    private static let looked = Mutex<[UInt: Int]>([:])

    /// Asked before the getter is replaced, or later. Without symbols it is not known, and so not.
    static func areInMemory(_ view: FoundView) -> Bool {
        guard view.bodyType != nil, !view.mayBeObject else { return false }
        if let known = known.withLock({ $0[view.protocolAddress] }) { return known }
        let count = looked.withLock { looked in
            looked[view.protocolAddress, default: 0] += 1
            return looked[view.protocolAddress, default: 0]
        }
        guard count <= looks, let type = RequirementSymbols.property(view.getter, of: view)?.type else { return false }
        // `A.Body`: nothing but the associated type itself.
        let isBody = type.wholeMatch(of: #/A\.\w+/#) != nil
        known.withLock { $0[view.protocolAddress] = isBody }
        return isBody
    }
}

/// What symbols tell of the functions in witness tables.
enum RequirementSymbols {
    /// A property of a protocol.
    struct Property {
        let name: String
        /// As the protocol has it: `A.Body`. nil where only the function's own symbol is there.
        let type: String?
    }

    /// The property of a getter, by what has symbols: the function that stands for it, or the requirement's description, as in a
    /// framework with library evolution.
    ///
    /// - Parameter requirement: The place of the getter, which is not replaced yet.
    static func property(_ requirement: Int, of view: FoundView) -> Property? {
        let ofWitness = view.function(requirement).flatMap(property(at:))
        if let ofWitness, ofWitness.name == "body", ofWitness.type != nil { return ofWitness }
        return property(at: view.description(ofRequirement: requirement)) ?? ofWitness
    }

    /// The property whose getter, or its description, is at an address: `body` where it is one of several.
    private static func property(at address: UInt) -> Property? {
        guard let file = LoadedFile(containing: address) else { return nil }
        let properties = file.symbols(at: address).compactMap { Demangler.demangle($0).flatMap(property(named:)) }
        let bodies = properties.filter { $0.name == "body" }
        return bodies.first { $0.type != nil } ?? bodies.first ?? properties.first
    }

    /// `method descriptor for Kit.View.body.getter : A.Body`, `protocol witness for Kit.View.body.getter : A.Body in conformance …`,
    /// or a getter's own name.
    private static func property(named symbol: String) -> Property? {
        let requirement =
            #/(?:protocol witness|method descriptor) for .*\.(\w+)\.getter : (.*?)(?: in conformance .*)?/#
        if let match = symbol.wholeMatch(of: requirement) {
            return Property(name: String(match.1), type: String(match.2))
        }
        return symbol.firstMatch(of: #/\.(\w+)\.getter : /#).map { Property(name: String($0.1), type: nil) }
    }

    /// Whether there is any symbol of the function.
    static func hasSymbol(_ function: UInt) -> Bool {
        LoadedFile(containing: function).map { !$0.symbols(at: function).isEmpty } ?? false
    }

    /// What functions stand for among the requirements of a protocol, as symbols describe it: `draw(_: Swift.Int) -> ()`.
    static func requirements(of functions: [UInt], in protocolName: String) -> [UInt: [String]] {
        var found: [UInt: [String]] = [:]
        for (file, functions) in Dictionary(grouping: functions, by: { LoadedFile(containing: $0) }) {
            for (function, symbols) in file?.symbols(at: Set(functions)) ?? [:] {
                found[function] = symbols.compactMap { requirement(named: $0, in: protocolName) }
            }
        }
        return found
    }

    private static func requirement(named symbol: String, in protocolName: String) -> String? {
        let prefix = "protocol witness for \(protocolName)."
        guard let text = Demangler.demangle(symbol), text.hasPrefix(prefix) else { return nil }
        let rest = text.dropFirst(prefix.count)
        return rest.firstRange(of: " in conformance ").map { String(rest[..<$0.lowerBound]) }
    }
}

// Names views by their types, told apart by module and file, and finds the places of their bodies in the source.

/// The keys of views: `Row`, `Outer.Row`, `Module.Row` outside of the program's own module, `Row (Cart.swift)` for one of
/// several private types of that name, and `Row (Kit.View)` where a type conforms to the views' protocols of two frameworks.
struct ViewNames {
    private var taken: Set<String> = []
    /// The types that have a key.
    private var named: Set<UInt> = []

    /// A key for each view, in their order. No two views of this process get the same one.
    mutating func keys(of views: [FoundView], program: String?) -> [String] {
        let names = views.map { Self.name(of: $0, program: program) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let conformances = Dictionary(views.map { ($0.descriptor, 1) }, uniquingKeysWith: +)
        return zip(views, names).map { view, name in
            let isAlone = counts[name] == 1 && !taken.contains(name)
            if isAlone { return take(name, for: view) }
            let isOfTwo = conformances[view.descriptor] != 1 || named.contains(view.descriptor)
            let which =
                isOfTwo ? "\(view.protocolModule).\(view.protocolPath)" : ViewPlaces.file(of: view) ?? "private"
            return take("\(name) (\(which))", for: view)
        }
    }

    private mutating func take(_ key: String, for view: FoundView) -> String {
        named.insert(view.descriptor)
        var unique = key, number = 2
        while !taken.insert(unique).inserted {
            unique = "\(key) #\(number)"
            number += 1
        }
        return unique
    }

    private static func name(of view: FoundView, program: String?) -> String {
        let name = view.name.map(\.name).joined(separator: ".")
        return view.module == program ? name : "\(view.module).\(name)"
    }
}

/// The module of the program itself.
enum ProgramModule {
    /// The one that the program's file is named after, or the only one with views in it; nil if that is not known: then each key
    /// has its module.
    static func name(among views: [FoundView]) -> String? {
        let all = modules(of: views)
        return entry(among: all) ?? (all.count == 1 ? all.first : nil)
    }

    /// The one that the program's file is named after, in which it begins; nil if that has no views.
    static func entry(among views: [FoundView]) -> String? { entry(among: modules(of: views)) }

    private static func modules(of views: [FoundView]) -> Set<String> {
        Set(views.filter(\.isInProgram).map(\.module))
    }

    private static func entry(among modules: Set<String>) -> String? {
        let file = LoadedFile.programName.map { name in
            String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
        }
        return file.flatMap { modules.contains($0) ? $0 : nil }
    }
}

/// Where views' bodies are in the source.
struct ViewPlaces: ~Copyable {
    private var symbols = BodySymbols()

    init() {}

    /// The file as `#fileID` has it, and the line of the body's declaration; nil where the program was built without them.
    mutating func place(of view: FoundView) -> (file: String, line: UInt32)? {
        guard let body = view.body, let place = symbols.place(ofBody: body, type: view.descriptor) else { return nil }
        return ("\(view.bodyModule)/\(PathName.last(of: place.path))", UInt32(clamping: place.line))
    }

    /// Whether optimised code calls a view's body without asking a table for it.
    mutating func isCalledUncounted(_ view: FoundView) -> Bool {
        guard let body = view.body else { return false }
        return symbols.isCalledUncounted(body: body, type: view.descriptor)
    }

    /// The sentence about views whose bodies are called so, without a full stop.
    static func gap(ofUncounted keys: [String]) -> String {
        let names = keys.prefix(4).joined(separator: ", ") + (keys.count > 4 ? " and \(keys.count - 4) more" : "")
        return "optimised code calls bodies past their tables, where no evaluation is counted: \(names) "
            + "may be evaluated more often; build with -Xswiftc -disable-cmo, or without -O"
    }

    /// The name of the file of a view's body.
    static func file(of view: FoundView) -> String? {
        var places = ViewPlaces()
        return places.place(of: view).map { PathName.last(of: $0.file) }
    }
}
