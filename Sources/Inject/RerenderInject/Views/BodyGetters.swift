// SPDX-License-Identifier: MIT
// Finds out which of a protocol's getters is the body: metadata has no names, but symbols may.

import RerenderSymbols

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
        for view in views
        where known[view.protocolAddress] == nil && looked[view.protocolAddress, default: 0] < Self.looks {
            looked[view.protocolAddress, default: 0] += 1
            known[view.protocolAddress] = Self.answer(of: view)
        }
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

    /// Whether the first of several getters was taken for the body.
    func isGuess(of view: FoundView) -> Bool { view.getters > 1 && known[view.protocolAddress] == nil }

    private static func answer(of view: FoundView) -> Answer? {
        // The witnesses of some view have symbols, unless its file was stripped. A resilient framework has some for its requirements.
        let names = view.getterPlaces.map { (place: $0, name: name(ofWitness: $0, of: view)) }
        if let body = names.first(where: { $0.name == "body" }) { return .getter(body.place) }
        if let place = view.getterPlaces.first(where: { name(at: view.description(ofRequirement: $0)) == "body" }) {
            return .getter(place)
        }
        // The user named others, whose body may be called anything.
        return view.protocolName == "View" && names.contains { $0.name != nil } ? .notBody : nil
    }

    private static func name(ofWitness requirement: Int, of view: FoundView) -> String? {
        view.function(requirement).flatMap { name(at: $0) }
    }

    /// The name of the property whose getter, or its description, is at an address; `body` where it is one of several.
    private static func name(at address: UInt) -> String? {
        guard let file = LoadedFile(containing: address) else { return nil }
        // `method descriptor for Kit.View.body.getter : A.Body`, `protocol witness for Kit.View.body.getter : A.Body in …`.
        let names = file.symbols(at: address).compactMap { symbol in
            Demangler.demangle(symbol).flatMap { $0.firstMatch(of: #/\.(\w+)\.getter : /#) }.map { String($0.1) }
        }
        return names.first { $0 == "body" } ?? names.first
    }
}
