// SPDX-License-Identifier: MIT
// Finds out which of a protocol's getters is the body: metadata has no names, but symbols may.

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
        let names = view.getterPlaces.map { (place: $0, name: RequirementSymbols.property($0, of: view)?.name) }
        if let body = names.first(where: { $0.name == "body" }) { return .getter(body.place) }
        // The user named others, whose body may be called anything.
        return view.protocolName == "View" && names.contains { $0.name != nil } ? .notBody : nil
    }
}
