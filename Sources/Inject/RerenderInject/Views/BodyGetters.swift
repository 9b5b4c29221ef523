// SPDX-License-Identifier: MIT
// Finds out which of a protocol's getters is the body: metadata has no names, but symbols may.

import RerenderSymbols

/// The body's getter of each protocol with several getters.
struct BodyGetters {
    /// Of how many views of a protocol symbols are looked for. A stripped program has none, and each look takes milliseconds.
    private static let looks = 4

    /// By protocol, once symbols told.
    private var known: [UInt: Int] = [:]
    private var looked: [UInt: Int] = [:]

    /// The views with the getter that symbols call `body`; with the first one where none does.
    mutating func naming(_ views: [FoundView]) -> [FoundView] {
        let several = views.filter { $0.getters > 1 }
        for view in several
        where known[view.protocolAddress] == nil && looked[view.protocolAddress, default: 0] < Self.looks {
            looked[view.protocolAddress, default: 0] += 1
            // A resilient framework has symbols for its requirements. Otherwise the witnesses of some view have them, unless its file
            // was stripped.
            known[view.protocolAddress] = view.getterPlaces.first { requirement in
                Self.isOfBody(view.description(ofRequirement: requirement))
                    || view.function(requirement).map(Self.isOfBody) == true
            }
        }
        return several.isEmpty ? views : views.map(named)
    }

    private func named(_ view: FoundView) -> FoundView {
        guard view.getters > 1, let getter = known[view.protocolAddress] else { return view }
        var view = view
        view.getter = getter
        return view
    }

    private static func isOfBody(_ address: UInt) -> Bool {
        guard let file = LoadedFile(containing: address) else { return false }
        return file.symbols(at: address).contains { symbol in
            // `method descriptor for Kit.View.body.getter : A.Body`, `protocol witness for Kit.View.body.getter : A.Body in …`.
            Demangler.demangle(symbol)?.contains(".body.getter : ") == true
        }
    }
}
