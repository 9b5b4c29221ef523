// SPDX-License-Identifier: MIT
// Compares models by their values, where Observation cannot be tracked.

/// The observable models that a view holds directly, and what their properties were when the view was last evaluated.
///
/// The fallback for a runtime whose Observation is not as it is known: what changed is a fact, that the body read it is
/// not, and so the reason is marked as found by comparing. All of a model's properties are looked at, on the view's thread.
struct UntrackedModels {
    private final class Model {
        let type: TypeMetadata
        let identity: UInt
        var snapshot = ValueSnapshot()

        init(_ type: TypeMetadata, _ identity: UInt) {
            self.type = type
            self.identity = identity
        }
    }

    private var models: [Model?] = []

    /// The names of the properties that changed since the last call, by their way from the view.
    mutating func changes(in view: UnsafeRawPointer, _ type: Any.Type, depth: Int) -> [String] {
        let slots = ReferenceSlot.slots(of: TypeMetadata(type))
        if models.count != slots.count { models = Array(repeating: nil, count: slots.count) }
        var names: [String] = []
        for (index, slot) in slots.enumerated() where slot.isOwner {
            models[index] = unsafe slot.withObject(in: view) { object in
                let model = unsafe model(at: object, before: models[index])
                if let model { unsafe names += Self.changes(of: model, at: object, named: slot.name, depth) }
                return model
            }
        }
        return names
    }

    /// The same model, or a new beginning; nil for what is no model.
    private func model(at object: UnsafeRawPointer, before: Model?) -> Model? {
        let type = unsafe TypeMetadata(ofObject: object)
        guard !Registrars.offsets(in: type).isEmpty else { return nil }
        let identity = UInt(bitPattern: object)
        if let before, before.type == type, before.identity == identity { return before }
        return Model(type, identity)
    }

    private static func changes(
        of model: Model, at object: UnsafeRawPointer, named name: String, _ depth: Int
    ) -> [String] {
        let layout = ValueLayout.layout(ofObject: model.type.type, depth: depth)
        let change = unsafe model.snapshot.update(object, layout)
        guard !change.isFirst else { return [] }
        return layout.leaves.indices.filter { change.isChanged(leaf: $0) }.map { index in
            name.isEmpty ? layout.leaves[index].name : "\(name).\(layout.leaves[index].name)"
        }
    }
}
