// SPDX-License-Identifier: MIT
// Finds out where bodies leave their results: what is read there must be what it is taken for.

import RerenderSymbols
import Synchronization

/// Whether the body's getter of a protocol returns its associated type, and in memory that the caller has for it.
enum BodyResults {
    private static let known = Mutex<[UInt: Bool]>([:])
    /// Of how many views of a protocol symbols are looked for. A stripped program has none, and each look takes milliseconds.
    private static let looks = 4
    private static let looked = Mutex<[UInt: Int]>([:])

    /// Asked before the getter is replaced. Without symbols it is not known, and so not.
    static func areInMemory(_ view: FoundView) -> Bool {
        guard view.bodyType != nil, !view.mayBeObject else { return false }
        if let known = known.withLock({ $0[view.protocolAddress] }) { return known }
        let count = looked.withLock { looked in
            looked[view.protocolAddress, default: 0] += 1
            return looked[view.protocolAddress, default: 0]
        }
        guard count <= looks, let type = view.body.flatMap(RequirementSymbols.type) else { return false }
        // `A.Body`: nothing but the associated type itself.
        let isBody = type.wholeMatch(of: #/A\.\w+/#) != nil
        known.withLock { $0[view.protocolAddress] = isBody }
        return isBody
    }
}

/// What symbols tell of the functions in witness tables.
enum RequirementSymbols {
    /// The type of a requirement, by the function that stands for it: `A.Body` of a getter, and of a method all behind its name.
    /// nil without symbols, and for a function that is replaced.
    static func type(of function: UInt) -> String? {
        guard let file = LoadedFile(containing: function) else { return nil }
        // `protocol witness for Kit.View.body.getter : A.Body in conformance …`
        let witness = #/protocol witness for .*?\.getter : (.*?) in conformance .*/#
        return file.symbols(at: function).lazy.compactMap { symbol in
            Demangler.demangle(symbol).flatMap { $0.wholeMatch(of: witness) }.map { String($0.1) }
        }.first
    }

    /// Whether there is any symbol of the function.
    static func hasSymbol(_ function: UInt) -> Bool {
        LoadedFile(containing: function).map { !$0.symbols(at: function).isEmpty } ?? false
    }

    /// Whether the function stands for a requirement with this description: `Kit.View.draw(_: Swift.Int) -> ()`.
    static func isWitness(_ function: UInt, for description: String) -> Bool {
        guard let file = LoadedFile(containing: function) else { return false }
        return file.symbols(at: function).contains { symbol in
            Demangler.demangle(symbol)?.hasPrefix("protocol witness for \(description) in conformance ") == true
        }
    }
}
