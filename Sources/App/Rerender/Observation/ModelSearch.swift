// SPDX-License-Identifier: MIT
// Searches the models that a body read, level by level from its view.

/// How to get from the view, or from one model, to the next. See ``ModelPaths`` for the proof.
///
/// A class, so that going the same ways again counts one reference for each, and not one for each part of it.
final class ModelStep: Sendable {
    /// What leads to the slot.
    struct Way: Sendable {
        /// The step before; nil if it begins at the view.
        let parent: Int?
        /// The model's property that holds the slot, and where it lies; empty and 0 for the view.
        var property = ""
        var offset = 0
        /// The property as it was read; nil for the view, and for a constant, which needs no reading. Proof: immutable.
        nonisolated(unsafe) var read: AnyKeyPath?
    }

    struct ArrayElement: Sendable {
        let index: Int
        let slot: ReferenceSlot
    }

    /// nil for an object on the way that the body did not read: its constants lead on.
    let model: ModelID?
    let way: Way
    let slot: ReferenceSlot
    let element: ArrayElement?
    let type: TypeMetadata
    /// Where the registrar lies in the object.
    let registrar: Int

    init(
        model: ModelID?, way: Way, slot: ReferenceSlot, element: ArrayElement?, type: TypeMetadata, registrar: Int
    ) {
        self.model = model
        self.way = way
        self.slot = slot
        self.element = element
        self.type = type
        self.registrar = registrar
    }

    /// `engine`, `rows[].owner`.
    var name: String {
        let parts = [way.property, slot.name].filter { !$0.isEmpty }
        let name = parts.joined(separator: ".")
        guard let element else { return name }
        // Which element would make as many reasons as there are elements.
        return name + "[]" + (element.slot.name.isEmpty ? "" : "." + element.slot.name)
    }

    /// The object, if the way from the view or from the model before still leads to the same model; 0 if it is not known to be
    /// kept alive.
    func follow(from base: UnsafeRawPointer) -> UInt? {
        guard let element else {
            return unsafe slot.withObject(in: base + way.offset) { unsafe check($0, slot) }
        }
        guard let elements = unsafe slot.elements(in: base + way.offset), element.index < elements.count,
            let place = unsafe elements[element.index]
        else { return nil }
        return unsafe element.slot.withObject(in: place) { unsafe check($0, element.slot) }
    }

    private func check(_ object: UnsafeRawPointer, _ slot: ReferenceSlot) -> UInt? {
        guard unsafe TypeMetadata(ofObject: object) == type else { return nil }
        if let model {
            guard unsafe ObservationLayout.address(ofRegistrar: object + registrar) == model.address else { return nil }
        }
        return slot.isOwner ? UInt(bitPattern: object) : 0
    }
}

/// One search. Nearer models come first, among equals in the order of declaration. See ``ModelPaths`` for the proof.
struct ModelSearch {
    private(set) var steps: [ModelStep] = []
    /// The object that each leads to; 0 if it is not known to be kept alive.
    private(set) var objects: [UInt] = []
    private(set) var places: [ModelID: Int] = [:]
    private let wanted: [UInt: ObservedModel]
    private var elementsLeft = StoreLimits.elementsSearched
    private var passagesLeft = StoreLimits.passagesSearched
    /// Objects on the way, so that each is gone through once.
    private var passed: Set<UInt> = []

    private let foreign: ForeignWrites

    init(_ models: [ObservedModel], except foreign: ForeignWrites) {
        self.foreign = foreign
        wanted = Dictionary(models.map { ($0.id.address, $0) }) { first, _ in first }
    }

    mutating func run(view: UnsafeRawPointer, type: TypeMetadata) {
        unsafe enter(view, Way(parent: nil), ReferenceSlot.slots(of: type))
        // Each model gets one step at most, and the objects between are limited, so that this ends.
        var next = 0
        while next < steps.count, places.count < wanted.count {
            descend(from: next)
            next += 1
        }
    }

    private typealias Way = ModelStep.Way

    private mutating func enter(_ base: UnsafeRawPointer, _ way: Way, _ slots: [ReferenceSlot]) {
        for slot in slots {
            guard let inner = slot.form.elementSlots else {
                _ = unsafe slot.withObject(in: base + way.offset) { unsafe visit($0, way, slot, nil) }
                continue
            }
            guard let elements = unsafe slot.elements(in: base + way.offset) else { continue }
            let limit = min(elements.count, elementsLeft)
            elementsLeft -= limit
            for index in 0..<limit {
                guard let place = unsafe elements[index] else { continue }
                for part in inner {
                    let element = ModelStep.ArrayElement(index: index, slot: part)
                    _ = unsafe part.withObject(in: place) { unsafe visit($0, way, slot, element) }
                }
            }
        }
    }

    private mutating func visit(
        _ object: UnsafeRawPointer, _ way: Way, _ slot: ReferenceSlot, _ element: ModelStep.ArrayElement?
    ) -> Void? {
        let type = unsafe TypeMetadata(ofObject: object)
        var isModel = false
        for registrar in Registrars.offsets(in: type) {
            guard let model = unsafe wanted[ObservationLayout.address(ofRegistrar: object + registrar)],
                places[model.id] == nil
            else { continue }
            places[model.id] = steps.count
            isModel = true
            // A subclass and its superclass may have a registrar each.
            unsafe append(object, model.id, way, slot, element, type, registrar)
        }
        let isNew = !isModel && element == nil && passagesLeft > 0 && !Constants.slots(in: type).isEmpty
        if isNew, passed.insert(UInt(bitPattern: object)).inserted {
            passagesLeft -= 1
            unsafe append(object, nil, way, slot, element, type, 0)
        }
        return nil
    }

    private mutating func append(
        _ object: UnsafeRawPointer, _ model: ModelID?, _ way: Way, _ slot: ReferenceSlot,
        _ element: ModelStep.ArrayElement?, _ type: TypeMetadata, _ registrar: Int
    ) {
        let isOwned = slot.isOwner && element?.slot.isOwner != false
        steps.append(
            ModelStep(model: model, way: way, slot: slot, element: element, type: type, registrar: registrar))
        objects.append(isOwned ? UInt(bitPattern: object) : 0)
    }

    /// Goes through the object's constants, and through the properties that the body read of the model.
    private mutating func descend(from index: Int) {
        let step = steps[index]
        guard let object = unsafe UnsafeRawPointer(bitPattern: objects[index]), depth(of: index) < StoreLimits.pathDepth
        else { return }
        unsafe enter(object, Way(parent: index), Constants.slots(in: step.type))
        guard let model = step.model.flatMap({ wanted[$0.address] }) else { return }
        let fields = model.properties.compactMap { path -> (Way, [ReferenceSlot])? in
            let slots = ReferenceSlot.slots(of: TypeMetadata(type(of: path).valueType))
            guard !slots.isEmpty, !foreign.contains(path, model.id), let field = ObservedField.field(of: path),
                field.ownership == .strong,
                let name = KeyPathName.property(of: path)
            else { return nil }
            return (Way(parent: index, property: name.property, offset: field.offset, read: path), slots)
        }
        for (way, slots) in fields.sorted(by: { $0.0.offset < $1.0.offset }) { unsafe enter(object, way, slots) }
    }

    private func depth(of index: Int) -> Int {
        var depth = 1
        var place = index
        while let parent = steps[place].way.parent {
            place = parent
            depth += 1
        }
        return depth
    }
}

/// References that an object holds as constants: code that has the object may follow them at any time.
private enum Constants {
    private static let cache = BoundedCache<TypeMetadata, [ReferenceSlot]>(limit: StoreLimits.propertyNames)

    static func slots(in type: TypeMetadata) -> [ReferenceSlot] {
        cache.value(for: type) {
            let fields = type.fields ?? []
            let constants = fields.filter { field in
                !field.isMutable && field.ownership == .strong
                    && field.type.map { !SystemTypes.isRegistrar($0) } == true
            }
            return constants.flatMap { ReferenceSlot.slots(ofField: $0, among: fields) }
        }
    }
}

/// Where a class's objects keep their registrars.
enum Registrars {
    private static let cache = BoundedCache<TypeMetadata, [Int]>(limit: StoreLimits.propertyNames)

    static func offsets(in type: TypeMetadata) -> [Int] {
        cache.value(for: type) {
            (type.fields ?? []).filter { $0.type.map { SystemTypes.isRegistrar($0) } == true }.map(\.offset)
        }
    }
}

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
