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
    /// The object that each step led to the last time; 0 if it is not known to be kept alive.
    private var objects: [UInt] = []
    private var places = ModelPlaces()
    /// What the steps were made for: another type has other things at their offsets.
    private var type: TypeMetadata?
    /// What they were made for, too; nil where that has not led to all that was read.
    private var reads: ObservedReads?
    /// Writes that were named since: most of an instance's are to the same few properties.
    private var named: [NamedWrite] = []

    package init() {}

    /// Finds the ways anew where they have changed. After each evaluation, on its thread, before it returns.
    /// Below 100 ns for each model while nothing has moved.
    /// What other threads write is not gone through.
    package mutating func update(
        view: UnsafeRawPointer, type: Any.Type, reads: ObservedReads, except foreign: ForeignWrites = .none
    ) {
        let metadata = TypeMetadata(type)
        if metadata == self.type, lead(to: reads), unsafe stillHold(view, reads, except: foreign) { return }
        self.type = metadata
        var search = ModelSearch(unsafe reads.models, except: foreign)
        unsafe search.run(view: view, type: metadata)
        steps = search.steps
        objects = search.objects
        places = ModelPlaces(search.places)
        if !named.isEmpty { named = [] }
        self.reads = nil
        _ = lead(to: reads)
    }

    /// Whether the ways are to all models of which something was read, and to no others.
    private mutating func lead(to reads: ObservedReads) -> Bool {
        if reads === self.reads { return true }
        let models = unsafe reads.models
        guard places.count == models.count, models.allSatisfy({ places[$0.id] != nil }) else { return false }
        self.reads = reads
        return true
    }

    /// The name of a write to what `reads` are of, and of its property; kept while the ways are the same.
    mutating func name(of write: ObservedWrite, _ reads: ObservedReads?) -> NamedWrite {
        for known in named where known.isOf(write) { return known }
        let name = NamedWrite(write, self, reads)
        // The name of one without a way depends on what else was read.
        guard name.path != nil else { return name }
        if named.count == StoreLimits.namedWrites { named = [] }
        named.append(name)
        return name
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
        guard let place = places[model] else { return nil }
        return unsafe UnsafeRawPointer(bitPattern: objects[place])
    }

    // MARK: The ways of the last time

    private mutating func stillHold(
        _ view: UnsafeRawPointer, _ reads: ObservedReads, except foreign: ForeignWrites
    ) -> Bool {
        var last: (parent: Int, read: AnyKeyPath)?
        for index in steps.indices {
            let step = steps[index]
            let base: UnsafeRawPointer
            if let parent = step.way.parent {
                guard let object = unsafe UnsafeRawPointer(bitPattern: objects[parent]) else { return false }
                // The elements of an array have the same. A constant needs no reading.
                if let read = unsafe step.way.read, last?.parent != parent || last?.read !== read {
                    let owner = steps[parent].model
                    let model = unsafe reads.models.first { $0.id == owner }
                    guard model?.properties.contains(read) == true, !foreign.contains(read, owner)
                    else { return false }
                    last = (parent, read)
                }
                unsafe base = object
            } else {
                unsafe base = unsafe view
            }
            guard let object = unsafe step.follow(from: base) else { return false }
            objects[index] = object
        }
        return true
    }
}

/// Which step leads to a model, in the order of the models' addresses: finding one of a few takes a few comparisons, and no hash.
private struct ModelPlaces: Sendable {
    private var entries: [(model: UInt, place: Int)] = []

    var count: Int { entries.count }

    init() {}

    init(_ places: [ModelID: Int]) {
        entries = places.map { ($0.key.address, $0.value) }.sorted { $0.0 < $1.0 }
    }

    subscript(model: ModelID) -> Int? {
        let address = model.address
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].model < address { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].model == address else { return nil }
        return entries[low].place
    }
}
