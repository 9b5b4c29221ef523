// SPDX-License-Identifier: MIT
// The paths from a view to the models that its body read.

/// The ways from one view instance to the models that its body read, kept from one evaluation to the next.
///
/// Goes through stored properties of the view, of models that were read, and of those only through properties that the
/// body itself has just read; of these and of other objects through constants, too, which cannot be written; through
/// optionals, structs, enums with one payload, arrays, dictionaries and sets.
///
/// Proof of the unsafe parts: during ``update(view:type:reads:)`` the view's value is alive and owned by this thread, so
/// that what it refers to strongly is alive, too. An object's class and its model's registrar never change. The property
/// of a model that is read here has just been read by the body on this thread, and no other thread has ever written it: such
/// a write is announced before it is made, and ``ForeignWrites`` then keeps us away.
package struct ModelPaths: Sendable {
    private var steps: [ModelStep] = []
    private var places: [ModelID: Int] = [:]
    /// What the steps were made for: another type has other things at their offsets.
    private var type: TypeMetadata?

    package init() {}

    /// Finds the ways anew where they have changed. After each evaluation, on its thread, before it returns.
    /// Below 100 ns for each model while nothing has moved.
    /// What other threads write is not gone through.
    package mutating func update(
        view: UnsafeRawPointer, type: Any.Type, reads: ObservedReads, except foreign: ForeignWrites = .none
    ) {
        let models = unsafe reads.models
        let metadata = TypeMetadata(type)
        if metadata == self.type, unsafe stillHold(view, models, except: foreign) { return }
        self.type = metadata
        var search = ModelSearch(models, except: foreign)
        unsafe search.run(view: view, type: metadata)
        steps = search.steps
        places = search.places
    }

    /// From the view down, `ticker.engine`; empty if the view is the model; nil if the view does not hold the model.
    func path(of model: ModelID) -> String? {
        guard var place = places[model] else { return nil }
        let last = steps[place]
        if last.way.parent == nil, last.element == nil { return last.slot.name }
        var parts: [String] = []
        while true {
            let step = steps[place]
            parts.append(step.name)
            guard let parent = step.way.parent else { break }
            place = parent
        }
        return parts.reversed().filter { !$0.isEmpty }.joined(separator: ".")
    }

    /// The model itself, to read its stored properties on the view's own thread. Only valid until the view's evaluation
    /// returns; nil for one that is not known to stay alive until then.
    func object(of model: ModelID) -> UnsafeRawPointer? {
        unsafe places[model].flatMap { unsafe UnsafeRawPointer(bitPattern: steps[$0].object) }
    }

    // MARK: The ways of the last time

    private mutating func stillHold(
        _ view: UnsafeRawPointer, _ models: [ObservedModel], except foreign: ForeignWrites
    ) -> Bool {
        guard places.count == models.count, models.allSatisfy({ places[$0.id] != nil }) else { return false }
        var last: (parent: Int, read: AnyKeyPath)?
        for index in steps.indices {
            let step = steps[index]
            let base: UnsafeRawPointer
            if let parent = step.way.parent {
                guard let object = unsafe UnsafeRawPointer(bitPattern: steps[parent].object) else { return false }
                // The elements of an array have the same. A constant needs no reading.
                if let read = unsafe step.way.read, last?.parent != parent || last?.read !== read {
                    let model = models.first { $0.id == steps[parent].model }
                    guard model?.properties.contains(read) == true, !foreign.contains(read, steps[parent].model)
                    else { return false }
                    last = (parent, read)
                }
                unsafe base = object
            } else {
                unsafe base = unsafe view
            }
            guard let object = unsafe step.follow(from: base) else { return false }
            steps[index].object = object
        }
        return true
    }
}
