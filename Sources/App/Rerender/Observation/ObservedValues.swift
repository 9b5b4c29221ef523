// SPDX-License-Identifier: MIT
// Keeps the values that a body read from its models, to tell later whether a write changed them.

internal import CRerender

/// Values of the observed properties that one instance's body read.
///
/// Read from the models' memory on the view's own thread, right after the body read them and right before it reads them
/// again; never on the writer's. Only models that hang off the view can be read, and only stored properties.
struct ObservedValues {
    /// One property of one model.
    private final class Value {
        let keyPath: AnyKeyPath
        let model: ModelID
        let offset: Int
        let layout: ValueLayout
        /// Of the view's thread alone, so that no access is in another one.
        @exclusivity(unchecked) var snapshot = ValueSnapshot()
        /// What has changed since the body; several writes ask, and looking records what is new.
        var change: ValueChange?
        /// Whether the value was, when the body had read it, one of which nothing can change without a write to the property.
        var isProved = false

        init(keyPath: AnyKeyPath, model: ModelID, offset: Int, layout: ValueLayout) {
            self.keyPath = keyPath
            self.model = model
            self.offset = offset
            self.layout = layout
        }

        func isOf(_ keyPath: AnyKeyPath, _ model: ModelID) -> Bool {
            self.model == model && self.keyPath.isSame(as: keyPath)
        }
    }

    /// Whether any value that can be looked at differs from what was recorded; then a write was not reported.
    func hasChanged(_ paths: ModelPaths, except foreign: ForeignWrites) -> Bool {
        values.contains { effect(on: $0.keyPath, $0.model, paths, except: foreign) == .changed }
    }

    /// What a write did to the value.
    enum Effect {
        case changed, unchanged, unknown
    }

    private var values: [Value] = []
    /// What they are all values of; nil where some of that cannot be looked at.
    private var reads: ObservedReads?
    /// For models whose properties have no names: all their values.
    private var whole: [Value] = []

    /// Records what the body has read.
    mutating func update(
        _ reads: ObservedReads?, _ paths: ModelPaths, except foreign: ForeignWrites, depth: Int
    ) {
        guard let reads else {
            self = ObservedValues()
            return
        }
        if reads === self.reads, foreign.isEmpty, refresh(paths) { return }
        var kept: [Value] = []
        var nameless: [Value] = []
        let models = unsafe reads.models
        for model in models {
            guard let object = unsafe paths.object(of: model.id) else { continue }
            for keyPath in model.properties where !foreign.contains(keyPath, model.id) {
                guard let value = unsafe value(of: keyPath, model.id, object, depth) else {
                    if KeyPathName.property(of: keyPath) == nil, !foreign.containsAny(of: model.id),
                        !nameless.contains(where: { $0.model == model.id })
                    {
                        unsafe nameless.append(wholeValue(of: keyPath, model.id, object, depth))
                    }
                    continue
                }
                unsafe record(value, in: object)
                kept.append(value)
            }
        }
        values = kept
        whole = nameless
        self.reads = kept.count == models.reduce(0) { $0 + $1.properties.count } ? reads : nil
    }

    /// Records the same values anew; false, and nothing is touched, where a model is not found.
    private func refresh(_ paths: borrowing ModelPaths) -> Bool {
        for value in values where unsafe paths.object(of: value.model) == nil { return false }
        for value in values {
            if let object = unsafe paths.object(of: value.model) { unsafe record(value, in: object) }
        }
        return true
    }

    private func record(_ value: Value, in object: UnsafeRawPointer) {
        let change = unsafe value.snapshot.update(object + value.offset, value.layout)
        value.isProved = !change.isOpaque && !change.unknown
    }

    /// Whether what a body has read is as it was unless a write was reported: its type says that every change is, or it was
    /// looked at and has not changed.
    func areProved(_ reads: ObservedReads, _ paths: ModelPaths, except foreign: ForeignWrites) -> Bool {
        unsafe reads.models.allSatisfy { model in
            model.properties.allSatisfy { keyPath in
                if WriteReports.areComplete(for: TypeMetadata(type(of: keyPath).valueType)) { return true }
                guard let value = known(keyPath, model.id), value.isProved else {
                    return false
                }
                return effect(on: keyPath, model.id, paths, except: foreign) == .unchanged
            }
        }
    }

    /// The same for what was read elsewhere than in a body, by types alone.
    static func areSettled(_ reads: ObservedReads) -> Bool {
        ObservedValues().areProved(reads, ModelPaths(), except: .none)
    }

    /// What has become of the property since it was read, by the model's memory now.
    func effect(
        on keyPath: AnyKeyPath, _ model: ModelID?, _ paths: ModelPaths, except foreign: ForeignWrites
    ) -> Effect {
        guard !foreign.contains(keyPath, model), let model, let object = unsafe paths.object(of: model),
            let value = known(keyPath, model)
        else { return .unknown }
        let change = unsafe value.snapshot.update(object + value.offset, value.layout)
        // Who asks again is not told again what is recorded by then.
        if !change.isProved { value.isProved = false }
        return Self.effect(change)
    }

    /// Which properties of a model have changed that a key path without a name may stand for: those of its type; nil if
    /// it cannot be told.
    func changes(
        in model: ModelID, _ keyPath: AnyKeyPath, _ paths: ModelPaths, except foreign: ForeignWrites
    ) -> (names: [String], effect: Effect)? {
        guard !foreign.containsAny(of: model), let object = unsafe paths.object(of: model),
            let value = whole.first(where: { $0.model == model })
        else { return nil }
        let change = unsafe value.change ?? value.snapshot.update(object, value.layout)
        value.change = change
        let leaves = value.layout.leaves
        if change.isFirst || leaves.count > LeafSet.capacity { return nil }
        let type = TypeMetadata(Swift.type(of: keyPath).valueType)
        let names = leaves.indices.filter { change.isChanged(leaf: $0) && leaves[$0].type == type }
            .map { leaves[$0].name }
        return (names, names.isEmpty ? change.isProved ? .unchanged : .unknown : .changed)
    }

    /// By hand, because a closure would count the references of what it is given.
    private func known(_ keyPath: AnyKeyPath, _ model: ModelID) -> Value? {
        for value in values where value.isOf(keyPath, model) { return value }
        return nil
    }

    private static func effect(_ change: ValueChange) -> Effect {
        if change.isFirst { return .unknown }
        if !change.changed.isEmpty { return .changed }
        return change.unknown || change.hasOtherClosure || change.isOpaque ? .unknown : .unchanged
    }

    private func value(
        of keyPath: AnyKeyPath, _ model: ModelID, _ object: UnsafeRawPointer, _ depth: Int
    ) -> Value? {
        if let known = known(keyPath, model) { return known }
        guard let field = ObservedField.field(of: keyPath), field.ownership == .strong, let type = field.type else {
            return nil
        }
        return Value(
            keyPath: keyPath, model: model, offset: field.offset, layout: .layout(of: type.type, depth: depth))
    }

    private func wholeValue(
        of keyPath: AnyKeyPath, _ model: ModelID, _ object: UnsafeRawPointer, _ depth: Int
    ) -> Value {
        let type = unsafe TypeMetadata(ofObject: object).type
        let value =
            whole.first { $0.model == model }
            ?? Value(keyPath: keyPath, model: model, offset: 0, layout: .layout(ofObject: type, depth: depth))
        value.change = nil
        _ = unsafe value.snapshot.update(object, value.layout)
        return value
    }
}

/// The stored fields behind observed properties.
enum ObservedField {
    private struct Key: Hashable, Sendable {
        let root: TypeMetadata
        let value: TypeMetadata
        let property: String
    }

    private static let cache = BoundedCache<Key, TypeMetadata.Field?>(limit: StoreLimits.propertyNames)

    /// The field in which an object that the key path is for keeps the property: `_tick`, as the macro names it, or
    /// `tick`; nil if it is computed, or if its name or the object's layout is not known, or if the class was made
    /// observable by hand: its accessors may take a lock that this would not. The memory of one that is not strong is no
    /// value of the property's type. Once per property microseconds, then 100 ns.
    ///
    /// The same for all objects: a class's fields lie at the same place in its subclasses.
    static func field(of path: AnyKeyPath) -> TypeMetadata.Field? {
        guard let property = KeyPathName.property(of: path)?.property else { return nil }
        let key = Key(
            root: TypeMetadata(type(of: path).rootType), value: TypeMetadata(type(of: path).valueType),
            property: property)
        return cache.value(for: key) { find(key) }
    }

    private static func find(_ key: Key) -> TypeMetadata.Field? {
        guard key.root.kind == .class, let fields = key.root.fields,
            fields.contains(where: ObjectMaker.isRegistrar)
        else { return nil }
        // The last are the class's own; a computed property may have something of another type behind it. One that is stored
        // under its own name has nothing behind it.
        return fields.last { $0.name == key.property && $0.type == key.value }
            ?? fields.last { $0.name == "_" + key.property && $0.isMutable && $0.type == key.value }
    }
}

/// What can be concluded from there being no report of a write to a tracked property.
///
/// The macro's setter stores a value that is `==` the old one without a report. An app's own `==` may ignore what a body
/// shows, and some values of the system's are `==` and read differently: `0.0` and `-0.0`.
enum WriteReports {
    private static let reporting = BoundedCache<TypeMetadata, Bool>(limit: StoreLimits.comparedTypes)

    /// Whether a property of the type is as it was unless a write was reported: nothing that it holds can change by itself,
    /// and equal values have equal contents. Once per type microseconds, then 100 ns.
    static func areComplete(for type: TypeMetadata) -> Bool {
        // A write of a value that cannot be compared is always reported.
        Settlement.isSettled(type)
            && reporting.value(for: type) { !(type.type is any Equatable.Type) || comparesContents(type) }
    }

    /// Whether the `==` of the type, and of all that it is made of, is the system's and tells all contents apart.
    private static func comparesContents(_ type: TypeMetadata) -> Bool {
        switch type.kind {
        case .optional: return comparesContents(type.genericArgument(0))
        case .struct where SystemTypes.contains(type): break
        default: return false
        }
        switch SystemTypes.form(of: type) {
        // Texts that are canonically equivalent look the same.
        case .string, .substring: return true
        case .array, .arraySlice, .set: return comparesContents(type.genericArgument(0))
        case .dictionary: return comparesContents(type.genericArgument(0)) && comparesContents(type.genericArgument(1))
        case .properties: return type.fields?.allSatisfy { $0.type.map(comparesContents) ?? false } ?? false
        case .stringIndex, .bytes, .vector: return false
        case nil:
            return type.type is any FixedWidthInteger.Type || type.type == Bool.self
                || SystemTypes.isFoundation(type, "Data") || SystemTypes.isFoundation(type, "URL")
        }
    }
}

// Compares models where no write is reported: during the first body of an instance.

/// Copies of the models that a view holds directly, from before its first body; compared with what is there when the body has
/// ended. A copy is words that nothing follows: what an object in them holds, and an array that is written in place, look
/// the same.
///
/// Proof of the unsafe parts: the models live as long as the view's value, which is alive from before the body until this ends.
/// Those in the box of a property wrapper are left out: the body may put another one there.
/// A copy takes the bytes that the class's metadata say the object has. Another thread may write them meanwhile: a
/// word that was half written differs later, so that less is inferred.
struct ModelsBeforeBody: ~Copyable {
    private struct Copy {
        let object: Address
        let model: UInt
        let bytes: Address
        let size: Int
    }

    private var copies: [Copy] = []

    /// Copies the models, none beyond the limits.
    init(view: UnsafeRawPointer, type: Any.Type) {
        for slot in ReferenceSlot.slots(of: TypeMetadata(type)) where slot.isOwner && !slot.isInBox {
            guard copies.count < StoreLimits.modelsToldApart else { return }
            if let copy = unsafe slot.withObject(in: view, Self.copy) { copies.append(copy) }
        }
    }

    deinit { for copy in copies { Address.free(copy.bytes.bits) } }

    private static func copy(_ object: UnsafeRawPointer) -> Copy? {
        let type = unsafe TypeMetadata(ofObject: object)
        guard let registrar = Registrars.offsets(in: type).last, let size = type.instanceSize,
            size <= StoreLimits.rememberedObjectBytes, let bytes = Address.allocate(size)
        else { return nil }
        unsafe crerender_copy_racing(bytes.mutable, object, size)
        let model = unsafe ObservationLayout.address(ofRegistrar: object + registrar)
        return unsafe Copy(object: Address(object), model: model, bytes: bytes, size: size)
    }

    /// Whether a property that was read is not as it was; once, after the body.
    func differ(_ reads: ObservedReads) -> Bool {
        unsafe reads.models.contains { model in
            guard let copy = copies.first(where: { $0.model == model.id.address }) else { return false }
            // Nothing at all was written to most.
            if Self.isSame(16..<copy.size, copy) { return false }
            return model.properties.contains { Self.differs($0, copy) }
        }
    }

    private static func differs(_ keyPath: AnyKeyPath, _ copy: Copy) -> Bool {
        var place = 16..<(copy.size)
        if let field = ObservedField.field(of: keyPath) {
            guard let size = field.ownership == .strong ? field.type?.size : 8 else { return true }
            place = field.offset..<(field.offset + size)
        } else if KeyPathName.property(of: keyPath) != nil {
            // Computed: of what, is not known.
            return false
        }
        guard place.upperBound <= copy.size else { return true }
        return !isSame(place, copy)
    }

    private static func isSame(_ place: Range<Int>, _ copy: Copy) -> Bool {
        unsafe crerender_equals_racing(
            (copy.bytes + place.lowerBound).pointer, (copy.object + place.lowerBound).pointer, place.count)
    }
}
