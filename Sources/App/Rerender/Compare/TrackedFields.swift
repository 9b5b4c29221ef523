// SPDX-License-Identifier: MIT
// Knows of which models it is proved that all their variables are tracked.

import Synchronization

/// Which fields of models are those of tracked properties.
///
/// The field `_volume` that the macro makes for a tracked property `volume` looks like the storage of a wrapper around an
/// ignored one, and like an ignored variable of this name. Only a tracked property has the type of its field and a key path of
/// its own. There are two proofs of that: symbols, and a read of the property that Observation is told of, which stripped
/// programs have, too. What is proved stays proved.
enum TrackedFields {
    private struct Model: Sendable {
        /// The properties of which there is no proof.
        var doubts: Set<DeclaredProperty>
        var isSought = false
        /// Properties that were read and whose names are not known, each once.
        var nameless: [Path] = []

        /// Takes a read of a property into account.
        mutating func note(_ path: Path, _ name: String?) {
            if let name {
                doubts.remove(DeclaredProperty(name: name, type: path.type))
            } else if !nameless.contains(where: { $0.path == path.path }) {
                nameless.append(path)
            }
            // As many properties of a type as there are fields of it: each is one of theirs.
            let isRead = nameless.count { $0.type == path.type } >= doubts.count { $0.type == path.type }
            if isRead { doubts = doubts.filter { $0.type != path.type } }
        }
    }

    /// Proof: key paths are immutable. Threads other than their maker's compare them, as Observation itself does.
    private struct Path: @unchecked Sendable {
        let path: AnyKeyPath
        var model: TypeMetadata { TypeMetadata(Swift.type(of: path).rootType) }
        var type: TypeMetadata { TypeMetadata(Swift.type(of: path).valueType) }
    }

    private static let models = Mutex<[TypeMetadata: Model]>([:])
    /// What was read and may prove something, as soon as its name is known.
    private static let reads = Mutex<[Path]>([])
    private static let seeking = Mutex(())
    private static let openCount = Atomic(0)
    /// Models whose symbols were not looked at, and reads without a name.
    private static let unsoughtCount = Atomic(0)
    private static let askedCount = Atomic<UInt>(0)
    private static let provedCount = Atomic<UInt>(1)

    /// Raised when another model is proved to be tracked. What was recorded before may prove more now.
    static var proofs: UInt { provedCount.load(ordering: .acquiring) }

    /// Raised when a proof is needed for another model; 0 while none is. One load then.
    static var questions: UInt {
        openCount.load(ordering: .relaxed) == 0 ? 0 : askedCount.load(ordering: .relaxed)
    }

    /// Whether the properties are proved to be tracked ones of the class that declares their fields. If not, a proof is looked
    /// for from then on.
    static func areProved(_ properties: [DeclaredProperty], of model: TypeMetadata) -> Bool {
        if properties.isEmpty { return true }
        return models.withLock { models in
            if let known = models[model] { return known.doubts.isEmpty }
            if models.count < StoreLimits.comparedTypes {
                models[model] = Model(doubts: Set(properties))
                askedCount.add(1, ordering: .relaxed)
                openCount.add(1, ordering: .relaxed)
                unsoughtCount.add(1, ordering: .relaxed)
            }
            return false
        }
    }

    /// Looks into the program's symbols for proofs that are needed, or waits for another thread that does. One load if there are
    /// none; else milliseconds for each model, once, and more if no symbols were read before. Nothing needs it before an instance
    /// is evaluated again, and until then another thread has read them.
    ///
    /// - Parameter name: Names a property that was read; nil in a program without symbols.
    @inline(__always)
    static func seek(name: (AnyKeyPath) -> String?) {
        if unsoughtCount.load(ordering: .acquiring) != 0 { seekAll(name) }
    }

    @inline(never)
    private static func seekAll(_ name: (AnyKeyPath) -> String?) {
        seeking.withLock { _ in
            let open = models.withLock { models in
                models.filter { !$0.value.isSought }.map { ($0.key, $0.value.doubts) }
            }
            for (type, doubts) in open {
                let tracked = PropertySymbols.tracked(doubts, of: type)
                change(type) { $0.doubts.subtract(tracked) }
                models.withLock { $0[type]?.isSought = true }
                // Only now: who finds no more models to look for has all proofs.
                unsoughtCount.subtract(1, ordering: .releasing)
            }
            let paths = reads.withLock { reads in
                defer { reads = [] }
                return reads
            }
            for path in paths { prove(path.path, name: name(path.path)) }
            unsoughtCount.subtract(paths.count, ordering: .releasing)
        }
    }

    /// Whether a read of the property would prove something. 100 ns.
    static func awaits(_ path: AnyKeyPath) -> Bool {
        let (model, type) = (TypeMetadata(type(of: path).rootType), TypeMetadata(type(of: path).valueType))
        return models.withLock { $0[model]?.doubts.contains { $0.type == type } ?? false }
    }

    /// Notes that Observation was told of a read of the property.
    static func note(_ path: AnyKeyPath) {
        let path = Path(path: path)
        let isNew = reads.withLock { reads in
            guard reads.count < StoreLimits.comparedTypes, !reads.contains(where: { $0.path == path.path }) else {
                return false
            }
            reads.append(path)
            return true
        }
        if isNew { unsoughtCount.add(1, ordering: .relaxed) }
    }

    /// Takes a read that Observation was told of for a proof. `name` is nil in a program without symbols.
    static func prove(_ path: AnyKeyPath, name: String?) {
        let path = Path(path: path)
        change(path.model) { $0.note(path, name) }
    }

    private static func change(_ model: TypeMetadata, _ remove: @Sendable (inout Model) -> Void) {
        let isProved = models.withLock { models in
            guard var known = models[model], !known.doubts.isEmpty else { return false }
            remove(&known)
            if known.doubts.isEmpty { known.nameless = [] }
            models[model] = known
            return known.doubts.isEmpty
        }
        guard isProved else { return }
        openCount.subtract(1, ordering: .relaxed)
        provedCount.add(1, ordering: .acquiringAndReleasing)
        ShapeMaker.forgetUnproved()
        Settlement.forgetUnsettled()
    }
}
