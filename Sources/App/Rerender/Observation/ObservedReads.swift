// SPDX-License-Identifier: MIT
// Records what a body reads, and reports writes to it; which of the properties other threads write, and which are proved to be tracked.

import Synchronization

/// A write to a property that a body read, before it happens.
@_spi(Bridge)
public struct ObservedWrite: Sendable {
    /// Proof: immutable, and used by every thread that writes to the model.
    package nonisolated(unsafe) let keyPath: AnyKeyPath
    /// nil if several models have the property and it cannot be told which of them it was.
    package let model: ModelID?
    /// The model went away: no property was written.
    package let isDeinit: Bool
}

/// What a body read, and the registration that learns of writes to it; it ends with ``cancel()`` or with the object.
package final class ObservedReads: Sendable {
    /// Whether this process's Observation can be listened to; if not, bodies run and nothing is known of them.
    package static var isAvailable: Bool { ObservationLayout.isKnown }

    /// What was read, in no order. Proof: made before the object and never changed.
    nonisolated(unsafe) let models: [ObservedModel]
    private let registrations: [Registration]
    private let hasEnded = Atomic(false)

    /// Runs the body and finds out what it reads. An enclosing tracking of the app's own learns of the same reads.
    ///
    /// - Parameters:
    ///   - reads: What was read, up to the error if the body throws; nil if nothing observable was.
    ///     A local variable: it is exclusively ours while the body runs, which may evaluate the same view again.
    ///   - known: What was read before for the same purpose. What was read is then added to it; nil if it has all of that.
    ///   - previous: What the body read the last time, not cancelled. Where it is the same again, this goes on, and
    ///     `reads` is this.
    ///   - onWrite: Called on the writers' threads, before each write, from the end of the body until it is cancelled.
    ///     Two threads that write at the very same time may both be said to have written the property of one of them.
    package static func track<Output, Failure: Error>(
        reads: inout ObservedReads?, known: ObservedReads? = nil, previous: ObservedReads? = nil,
        onWrite: @escaping @Sendable (ObservedWrite) -> Void,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        reads = nil
        guard isAvailable else { return try body() }
        var list: AccessList?
        defer { reads = list.flatMap { Self.registered(for: $0, known: known, previous: previous, onWrite) } }
        return try AccessList.record(&list, body)
    }

    static func registered(
        for list: AccessList, _ onWrite: @escaping @Sendable (ObservedWrite) -> Void
    ) -> ObservedReads { ObservedReads(list, onWrite) }

    /// Registers for what was read and for what is known; nil where that is no more than is known.
    static func registered(
        for list: AccessList, known: ObservedReads?, previous: ObservedReads?,
        _ onWrite: @escaping @Sendable (ObservedWrite) -> Void
    ) -> ObservedReads? {
        guard let known else {
            if let previous, previous.holds(list) { return previous }
            return ObservedReads(list, onWrite)
        }
        let models = unsafe known.models
        return list.isContained(in: models) ? nil : ObservedReads(list.adding(models), onWrite)
    }

    private init(_ list: AccessList, _ onWrite: @escaping @Sendable (ObservedWrite) -> Void) {
        let models = list.models
        unsafe self.models = models
        registrations = Self.register(list, models, onWrite)
    }

    deinit { cancel() }

    /// Whether it learns of writes to all that is on the list, and to nothing else.
    private func holds(_ list: AccessList) -> Bool {
        let models = unsafe self.models
        return !hasEnded.load(ordering: .relaxed) && list.isSame(as: models)
    }

    /// No call begins after this; one that has begun on another thread may still end.
    package func cancel() {
        if hasEnded.exchange(true, ordering: .relaxed) { return }
        for registration in registrations { registration.cancel() }
    }

    /// One registration where a property tells whose it is, else one for each model.
    private static func register(
        _ list: AccessList, _ models: [ObservedModel], _ onWrite: @escaping @Sendable (ObservedWrite) -> Void
    ) -> [Registration] {
        if models.count == 1 {
            let only = models[0].id
            return [list.register { onWrite(ObservedWrite($0, only)) }]
        }
        let owners = Owners(models)
        if owners.areShared, models.count <= StoreLimits.modelsToldApart {
            return models.map(\.id).compactMap { model in
                list.register(model) { onWrite(ObservedWrite($0, model)) }
            }
        }
        return [list.register { onWrite(ObservedWrite($0, owners[$0])) }]
    }
}

/// Whose a property is, where the models have no property in common.
private struct Owners: Sendable {
    /// Proof: made once, read by all; nil for what several have.
    private nonisolated(unsafe) let byProperty: [AnyKeyPath: ModelID?]
    let areShared: Bool

    init(_ models: [ObservedModel]) {
        var byProperty: [AnyKeyPath: ModelID?] = [:]
        var areShared = false
        for model in models {
            for property in model.properties {
                let isTaken = byProperty.updateValue(model.id, forKey: property) != nil
                if isTaken {
                    areShared = true
                    byProperty[property] = .some(nil)
                }
            }
        }
        unsafe self.byProperty = byProperty
        self.areShared = areShared
    }

    subscript(property: AnyKeyPath) -> ModelID? { unsafe byProperty[property] ?? nil }
}

extension ObservedWrite {
    fileprivate init(_ keyPath: AnyKeyPath, _ model: ModelID?) {
        unsafe self.keyPath = keyPath
        self.model = model
        isDeinit = Self.isIdentity(keyPath)
    }

    /// Whether it is `\Model.self`: Observation's word for a model that goes away.
    static func isIdentity(_ path: AnyKeyPath) -> Bool {
        // A property can have the type of its model.
        type(of: path).rootType == type(of: path).valueType && KeyPathComponent(path) == .identity
    }

    /// Whether it is to the same property of the same model.
    func isSame(as other: ObservedWrite) -> Bool {
        guard model == other.model, isDeinit == other.isDeinit else { return false }
        return unsafe keyPath.isSame(as: other.keyPath)
    }
}

extension AnyKeyPath {
    /// Whether it leads to the same property. A generic model makes a new key path for each access.
    func isSame(as other: AnyKeyPath) -> Bool {
        self === other || type(of: self) == type(of: other) && self == other
    }
}

extension Set<AnyKeyPath> {
    /// Whether it is equal. The key paths mostly are the same objects, and few: to hash one takes some hundred instructions.
    func isSame(as other: Set<AnyKeyPath>) -> Bool {
        guard count == other.count else { return false }
        return count <= 8 && allSatisfy { path in other.contains { $0 === path } } || self == other
    }
}

/// Observed properties that were written by another thread than the one that evaluates the view.
///
/// The app may guard them by a lock that its body takes and we do not. The write is announced before it happens, so that
/// from the first one on nothing of ours reads such a property's memory.
package struct ForeignWrites: Sendable {
    package static let none = ForeignWrites()

    private var writes: [ObservedWrite] = []
    /// Other threads wrote more than `writes` holds: then every property counts as one that they write.
    private var isAll = false

    /// Whether other threads have written nothing.
    var isEmpty: Bool { writes.isEmpty && !isAll }

    mutating func insert(_ write: ObservedWrite) {
        if isAll || writes.contains(where: { $0.isSame(as: write) }) { return }
        if writes.count < StoreLimits.foreignWrites { writes.append(write) } else { isAll = true }
    }

    /// Whether another thread writes the property of that model, or of one that cannot be told from it.
    func contains(_ path: AnyKeyPath, _ model: ModelID?) -> Bool {
        isAll || writes.contains { unsafe ($0.model == nil || $0.model == model) && $0.keyPath == path }
    }

    /// Whether another thread writes any property of that model.
    func containsAny(of model: ModelID) -> Bool {
        isAll || writes.contains { $0.model == nil || $0.model == model }
    }
}

extension ObservedReads {
    /// Notes what was read as proofs for models that wait for some. One load while none does, a word for each property while
    /// nothing is new, two looks under a lock for each property that may prove something.
    ///
    /// - Parameter noted: What was noted when this was last called with it; 0 at first.
    func prove(_ noted: inout UInt) {
        let questions = TrackedFields.questions
        guard questions != 0 else { return }
        var seen = questions
        for model in unsafe models {
            for path in model.properties { seen &+= UInt(bitPattern: ObjectIdentifier(path)) }
        }
        guard seen != noted else { return }
        noted = seen
        for model in unsafe models {
            for path in model.properties where TrackedFields.awaits(path) { TrackedFields.note(path) }
        }
    }
}

struct ObservedModel {
    let id: ModelID
    let properties: Set<AnyKeyPath>
}

@available(*, unavailable)
extension ObservedModel: Sendable {}
