// SPDX-License-Identifier: MIT
// Finds the places in a value that hold references, once per type.

/// A place in a value that can refer to an object, or to an array of such.
///
/// Proof of the unsafe parts: a slot is used on memory of the type that it was made for, which the caller owns or knows
/// to be alive, and reads only what that type's fields say is there.
@safe
struct ReferenceSlot: Sendable {
    enum Form: Sendable {
        /// A reference, or an optional one: zero if there is none.
        case strong
        case weak
        /// Three words for a value and then its type, as protocol types without a class bound have them.
        case existential
        /// An array of values with these slots each.
        case array(stride: Int, slots: [ReferenceSlot])
        /// The same for the values of a dictionary or the members of a set, in the buckets that are in use.
        case table(stride: Int, slots: [ReferenceSlot], isSet: Bool)

        /// The slots of each element; nil where there is but one object.
        var elementSlots: [ReferenceSlot]? {
            switch self {
            case .array(_, let slots), .table(_, let slots, _): slots
            case .strong, .weak, .existential: nil
            }
        }
    }

    /// The elements of an array, or the buckets of a table.
    @safe
    struct Elements {
        fileprivate let start: UnsafeRawPointer
        let stride: Int
        let count: Int
        /// A bit for each bucket of a table.
        fileprivate let bits: Address?

        /// nil for a bucket that is not in use.
        subscript(index: Int) -> UnsafeRawPointer? {
            if let bits, bits.word(index / 64 * 8) >> UInt(index % 64) & 1 == 0 { return nil }
            return unsafe start + index * stride
        }
    }

    /// An optional around a struct: there is nothing at the slot unless it holds something.
    struct EnclosingOptional: Sendable {
        let offset: Int
        let type: TypeMetadata
    }

    private struct Weak {
        weak var object: AnyObject?
    }

    /// A box on the way, which a property wrapper holds, and the optionals on the way to it.
    struct Hop: Sendable {
        var place: Place.Hop
        var optionals: [EnclosingOptional] = []
    }

    /// From the boxes' objects the way goes on; what they hold may be written while the value lives.
    private var hops: [Hop] = []
    /// In the last box, or in the value.
    private(set) var offset: Int
    /// From the value down, `cart.owner`; empty for the value itself.
    private(set) var name: String
    let form: Form
    private(set) var optionals: [EnclosingOptional] = []
    /// Whether the object can be replaced while the value lives: a body may do that.
    var isInBox: Bool { !hops.isEmpty }

    init(offset: Int, name: String, form: Form) {
        self.offset = offset
        self.name = name
        self.form = form
    }

    /// The slots of a type in the order of declaration. Once per type microseconds.
    static func slots(of type: TypeMetadata) -> [ReferenceSlot] {
        cache.value(for: type) { find(type, depth: 0) }
    }

    private static let cache = BoundedCache<TypeMetadata, [ReferenceSlot]>(limit: StoreLimits.propertyNames)

    // MARK: Reading

    /// Calls with the object at the slot of this value, if there is one. Not for arrays.
    func withObject<Result>(in value: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Result?) -> Result? {
        guard let place = unsafe place(in: value) else { return nil }
        switch form {
        case .strong: return unsafe place.load(as: UnsafeRawPointer?.self).flatMap(body)
        case .weak:
            // Retained meanwhile: another thread may let go of it.
            guard let object = unsafe place.assumingMemoryBound(to: Weak.self).pointee.object else { return nil }
            return withExtendedLifetime(object) {
                unsafe body(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
            }
        case .existential:
            guard unsafe place.load(fromByteOffset: 24, as: UInt.self) != 0,
                TypeMetadata(unsafe place.load(fromByteOffset: 24, as: (Any.Type).self)).kind == .class
            else { return nil }
            return unsafe place.load(as: UnsafeRawPointer?.self).flatMap(body)
        case .array, .table: return nil
        }
    }

    /// Whether the object lives as long as the value that refers to it.
    var isOwner: Bool { if case .weak = form { false } else { true } }

    /// The elements of the array at the slot, and how many.
    func elements(in value: UnsafeRawPointer) -> Elements? {
        guard let place = unsafe place(in: value), let storage = unsafe place.load(as: UnsafeRawPointer?.self) else {
            return nil
        }
        switch form {
        case .array(let stride, _):
            let count = unsafe storage.load(fromByteOffset: 16, as: Int.self)
            return unsafe Elements(start: storage + 32, stride: stride, count: count, bits: nil)
        case .table(let stride, _, let isSet):
            let table = unsafe Address(storage)
            let buckets = 1 << Int(table.byte(32))
            guard let start = unsafe UnsafeRawPointer(bitPattern: table.word(isSet ? 48 : 56)) else { return nil }
            return unsafe Elements(start: start, stride: stride, count: buckets, bits: table + (isSet ? 56 : 64))
        case .strong, .weak, .existential: return nil
        }
    }

    /// Where the slot lies; nil if there is nothing on the way there.
    private func place(in value: UnsafeRawPointer) -> UnsafeRawPointer? {
        var base = unsafe value
        for hop in hops {
            guard unsafe Self.isThere(hop.optionals, in: base),
                let box = unsafe (base + hop.place.offset).load(as: UnsafeRawPointer?.self),
                unsafe TypeMetadata(ofObject: box) == hop.place.type
            else { return nil }
            unsafe base = box
        }
        return unsafe Self.isThere(optionals, in: base) ? base + offset : nil
    }

    private static func isThere(_ optionals: [EnclosingOptional], in value: UnsafeRawPointer) -> Bool {
        for optional in optionals where unsafe optional.type.enumTag(of: value + optional.offset) != 0 { return false }
        return true
    }

    /// The same slot, seen from what holds the value at an offset.
    private func moved(by distance: Int) -> ReferenceSlot {
        func moved(_ optionals: [EnclosingOptional]) -> [EnclosingOptional] {
            optionals.map { EnclosingOptional(offset: $0.offset + distance, type: $0.type) }
        }
        var slot = self
        if hops.isEmpty {
            slot.offset += distance
            slot.optionals = moved(optionals)
        } else {
            slot.hops[0].place.offset += distance
            slot.hops[0].optionals = moved(hops[0].optionals)
        }
        return slot
    }

    /// The same slot in an optional, which may hold nothing.
    private func inside(_ optional: TypeMetadata) -> ReferenceSlot {
        let enclosing = EnclosingOptional(offset: 0, type: optional)
        var slot = self
        if hops.isEmpty {
            slot.optionals.insert(enclosing, at: 0)
        } else {
            slot.hops[0].optionals.insert(enclosing, at: 0)
        }
        return slot
    }

    private func isSamePlace(as other: ReferenceSlot) -> Bool {
        offset == other.offset && hops.map(\.place.offset) == other.hops.map(\.place.offset)
    }

    /// The same slot of a value that lies at the end of a way.
    private func reached(by place: Place) -> ReferenceSlot {
        var slot = moved(by: place.offset)
        slot.hops.insert(contentsOf: place.hops.map { Hop(place: $0) }, at: 0)
        return slot
    }

    // MARK: Finding

    private static func find(_ type: TypeMetadata, depth: Int) -> [ReferenceSlot] {
        // Deeper than programs nest structs.
        guard depth < 16 else { return [] }
        switch type.kind {
        case .class: return [ReferenceSlot(offset: 0, name: "", form: .strong)]
        case .existential:
            switch type.existential {
            case .object: return [ReferenceSlot(offset: 0, name: "", form: .strong)]
            case .opaque: return [ReferenceSlot(offset: 0, name: "", form: .existential)]
            default: return []
            }
        case .optional: return optional(type, depth)
        case .struct where SystemTypes.form(of: type) == .array: return array(type.genericArgument(0), depth)
        case .struct where SystemTypes.form(of: type) == .dictionary:
            return table(type.genericArgument(1), isSet: false, depth)
        case .struct where SystemTypes.form(of: type) == .set: return table(type.genericArgument(0), isSet: true, depth)
        case .struct where SystemTypes.contains(type): return []
        case .enum: return singlePayload(type, depth)
        case .struct, .tuple:
            let fields = type.fields ?? []
            return fields.flatMap { field($0, among: fields, depth) }
        default: return []
        }
    }

    /// The slots of one field, counted from the beginning of what holds it.
    static func slots(ofField field: TypeMetadata.Field, among fields: [TypeMetadata.Field]) -> [ReferenceSlot] {
        Self.field(field, among: fields, 0)
    }

    private static func field(
        _ field: TypeMetadata.Field, among fields: [TypeMetadata.Field], _ depth: Int
    ) -> [ReferenceSlot] {
        guard let type = field.type else { return [] }
        switch field.ownership {
        case .strong: break
        case .weak: return [ReferenceSlot(offset: field.offset, name: field.name, form: .weak)]
        // The object may be gone.
        case .unowned, .unmanaged: return []
        }
        let declared = DeclaredName(of: field, among: fields)
        let slots = find(type, depth: depth + 1).map { slot in
            var slot = slot.moved(by: field.offset)
            slot.name = name(of: slot, in: declared, field.name)
            return slot
        }
        // First, so that a model has the name of the property that it is wrapped for.
        let contents = wrapped(field, among: fields, depth)
        return contents + slots.filter { slot in !contents.contains { $0.isSamePlace(as: slot) } }
    }

    /// The slots of what a property wrapper wraps.
    private static func wrapped(
        _ field: TypeMetadata.Field, among fields: [TypeMetadata.Field], _ depth: Int
    ) -> [ReferenceSlot] {
        guard let wrapper = PropertyWrapper.of(field, among: fields), let content = wrapper.content else { return [] }
        // A tree of boxes has no end that its types tell.
        let levels = content.place.hops.isEmpty ? 1 : 4
        return find(content.type, depth: depth + levels).map { slot in
            var slot = slot.reached(by: content.place).moved(by: field.offset)
            slot.name = slot.name.isEmpty ? wrapper.name : wrapper.name + "." + slot.name
            return slot
        }
    }

    /// A property wrapper as the program calls it: `_ticker.wrappedValue` is `ticker`.
    private static func name(of slot: ReferenceSlot, in declared: DeclaredName, _ field: String) -> String {
        // What a lazy property keeps is its value.
        if slot.name.isEmpty { return declared.name }
        guard declared.isStorage, let first = slot.name.split(separator: ".").first, wrapped.contains(String(first))
        else { return (declared.isStorage && field.hasPrefix("_") ? field : declared.name) + "." + slot.name }
        var rest = slot.name.dropFirst(first.count)
        // A wrapper in a wrapper.
        while rest == ".wrappedValue" || rest.hasPrefix(".wrappedValue.") {
            rest = rest.dropFirst(".wrappedValue".count)
        }
        return declared.name + rest
    }

    /// What property wrappers call what they keep.
    private static let wrapped: Set<String> = ["wrappedValue", "_wrappedValue", "value", "_value"]

    private static func optional(_ type: TypeMetadata, _ depth: Int) -> [ReferenceSlot] {
        let wrapped = type.genericArgument(0)
        return find(wrapped, depth: depth + 1).map { slot in
            // Without a value these are zero, too, or for weak ones cannot be. An optional of an optional is not: it has
            // two ways to hold nothing.
            if wrapped.kind != .optional, slot.offset == 0, slot.name.isEmpty, slot.optionals.isEmpty, !slot.isInBox {
                switch slot.form {
                case .strong, .array, .table, .existential: return slot
                case .weak: break
                }
            }
            return slot.inside(type)
        }
    }

    private static func array(_ element: TypeMetadata, _ depth: Int) -> [ReferenceSlot] {
        // Elements that are more aligned do not begin where the others do.
        guard element.alignment <= 16 else { return [] }
        let slots = find(element, depth: depth + 1).filter { $0.form.elementSlots == nil }
        return slots.isEmpty
            ? [] : [ReferenceSlot(offset: 0, name: "", form: .array(stride: element.stride, slots: slots))]
    }

    private static func table(_ element: TypeMetadata, isSet: Bool, _ depth: Int) -> [ReferenceSlot] {
        let slots = find(element, depth: depth + 1).filter { $0.form.elementSlots == nil }
        let form = Form.table(stride: element.stride, slots: slots, isSet: isSet)
        return slots.isEmpty ? [] : [ReferenceSlot(offset: 0, name: "", form: form)]
    }

    /// An enum with one case that carries something, which lies where the enum lies.
    private static func singlePayload(_ type: TypeMetadata, _ depth: Int) -> [ReferenceSlot] {
        guard type.isCopyable, let cases = type.payloadCases, cases.count == 1, !cases[0].isIndirect,
            let payload = cases[0].type
        else { return [] }
        return find(payload, depth: depth + 1).map { $0.inside(type) }
    }
}
