// SPDX-License-Identifier: MIT
// Reads type metadata: what a type is made of, and where its stored properties lie. Follows Swift's stable ABI.

/// A type as the runtime describes it.
///
/// Proof of the unsafe parts: metadata and the descriptors that it points to live for ever and are never written once a
/// type can be named. Their layout is Swift's stable ABI (docs/ABI/TypeMetadata.rst of the compiler), for 64 bits and
/// without Objective-C. Everything that the ABI leaves to a later version (a kind, a flag that this does not know)
/// reads as ``Kind/other``, and a field whose type cannot be named has none.
@safe
struct TypeMetadata: Hashable, Sendable {
    /// What a type is; `other` are those of which nothing but the size is known.
    enum Kind: Sendable {
        case `class`, `struct`, `enum`, optional, tuple, function, existential, metatype, fixedArray, other
    }

    let type: Any.Type
    private let address: UInt

    init(_ type: Any.Type) {
        self.type = type
        address = UInt(bitPattern: unsafe unsafeBitCast(type, to: UnsafeRawPointer.self))
    }

    /// The type of an object: its class, whatever its variable says.
    init(ofObject object: UnsafeRawPointer) {
        unsafe self.init(object.load(as: (Any.Type).self))
    }

    static func == (lhs: TypeMetadata, rhs: TypeMetadata) -> Bool { lhs.address == rhs.address }
    func hash(into hasher: inout Hasher) { hasher.combine(address) }
    /// A word that is rarely the same for two types.
    var hashWord: UInt64 { UInt64(address) &* 0x9E37_79B9_7F4A_7C15 >> 16 }

    var kind: Kind {
        switch word(0) {
        case 0: .class
        case 0x200: .struct
        case 0x201: .enum
        case 0x202: .optional
        case 0x301: .tuple
        case 0x302: .function
        case 0x303, 0x307: .existential
        case 0x304, 0x306: .metatype
        case 0x308: .fixedArray
        default: .other
        }
    }

    // MARK: Values

    var size: Int { Int(witness(8)) }
    var stride: Int { Int(witness(9)) }
    var alignment: Int { Int(witness(10) & 0xFF) + 1 }
    /// Whether it is the metatype of what has no subtypes: it has one value, and mostly takes no room where it is stored.
    var isThinMetatype: Bool {
        word(0) == 0x304 && TypeMetadata(unsafe pointer(8).load(as: (Any.Type).self)).kind != .class
    }

    /// Whether the size and the offsets are not those of a stored value: the runtime gives a thin metatype a word, and its place in a
    /// tuple depends on where the tuple is.
    var hasThinMetatype: Bool {
        kind == .tuple ? tupleFields.contains { $0.type?.hasThinMetatype == true } : isThinMetatype
    }

    /// Whether a copy of the bytes is a copy of the value.
    var isTrivial: Bool { witness(10) & 0x01_0000 == 0 }
    /// Whether an existential keeps the value in itself, not in a box.
    var isInline: Bool { witness(10) & 0x02_0000 == 0 }
    var isCopyable: Bool { witness(10) & 0x80_0000 == 0 }
    /// Whether a value may be moved by copying its bytes.
    var isBitwiseTakable: Bool { witness(10) & 0x10_0000 == 0 }

    /// Which case a value of an enum is: payload cases first, in the order of their declaration.
    func enumTag(of value: UnsafeRawPointer) -> UInt32 {
        typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
        let function = unsafe unsafeBitCast(UInt(tableEntry(11)), to: GetTag.self)
        return unsafe function(value, pointer(0))
    }

    /// Turns the bytes of an enum's value into those of its payload. They must be a copy that is not destroyed.
    func projectPayload(_ copy: UnsafeMutableRawPointer) {
        typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
        let function = unsafe unsafeBitCast(UInt(tableEntry(12)), to: Project.self)
        unsafe function(copy, pointer(0))
    }

    /// Whether it is an Objective-C block. Without Objective-C, the runtime leaves the place of its witness table unset.
    private var isBlock: Bool { kind == .function && word(8) >> 16 & 0xFF == 1 }

    private func witness(_ index: Int) -> UInt64 {
        // A reference that is counted, as a block is.
        isBlock ? TypeMetadata(AnyObject.self).tableEntry(index) : tableEntry(index)
    }

    /// What the witness table has. The type is not a block.
    @inline(__always)
    private func tableEntry(_ index: Int) -> UInt64 {
        unsafe pointer(-8).load(as: UnsafeRawPointer.self).load(fromByteOffset: index * 8, as: UInt64.self)
    }

    // MARK: Parts

    /// How a stored property holds what it refers to.
    enum Ownership: Sendable { case strong, weak, unowned, unmanaged }

    /// A stored property, or the element of a tuple.
    struct Field: Sendable {
        let name: String
        let offset: Int
        /// nil if the runtime cannot name it.
        let type: TypeMetadata?
        let ownership: Ownership
        let isMutable: Bool
        /// Whether it is declared as a generic parameter, or as an optional one.
        var isParameter = false

        /// The same property, seen from what holds its owner at an offset.
        func moved(by distance: Int) -> Field {
            Field(
                name: name, offset: offset + distance, type: type, ownership: ownership, isMutable: isMutable,
                isParameter: isParameter)
        }
    }

    /// A case that carries something.
    struct PayloadCase: Sendable {
        let name: String
        /// nil if the runtime cannot name it, or if there is nothing to name.
        let type: TypeMetadata?
        let isIndirect: Bool
    }

    /// The stored properties of a struct, the elements of a tuple, or the stored properties of a class, those of its
    /// ancestors first; nil where they cannot be known.
    var fields: [Field]? {
        switch kind {
        case .struct: structFields
        case .tuple: hasThinMetatype ? nil : tupleFields
        case .class: classFields
        default: nil
        }
    }

    /// The cases of an enum that carry something, in the order of their tags; nil where they cannot be known.
    var payloadCases: [PayloadCase]? {
        guard kind == .enum || kind == .optional, let descriptor else { return nil }
        let count = Int(descriptor.word32(20) & 0xFF_FFFF)
        // An enum of C has no records.
        if count == 0 { return [] }
        guard let records = descriptor.fieldRecords, records.count >= count else { return nil }
        let arguments = unsafe pointer(16)
        return records.prefix(count).map { record in
            PayloadCase(
                name: record.name, type: unsafe record.type(in: descriptor, arguments: arguments)?.type,
                isIndirect: record.flags & 1 != 0)
        }
    }

    /// The types of what the cases without bytes of their own carry, in the order of their tags, behind those of
    /// ``payloadCases``; nil for one that carries nothing. A type of no size needs no bytes.
    var emptyCases: [TypeMetadata?] {
        guard kind == .enum || kind == .optional, let descriptor, let records = descriptor.fieldRecords else {
            return []
        }
        let count = Int(descriptor.word32(20) & 0xFF_FFFF)
        let arguments = unsafe pointer(16)
        return records.dropFirst(count).map { unsafe $0.type(in: descriptor, arguments: arguments)?.type }
    }

    /// Whether it is an actor. Of one that is elsewhere, the properties are not there.
    var isActor: Bool { kind == .class && descriptor.map { $0.flags & 1 << 23 != 0 } ?? false }

    /// The element and the number of an inline array's storage.
    var fixedArray: (element: TypeMetadata, count: Int)? {
        guard kind == .fixedArray else { return nil }
        return (TypeMetadata(unsafe pointer(16).load(as: (Any.Type).self)), Int(word(8)))
    }

    /// What a protocol type's container holds.
    enum Existential: Sendable {
        /// Three words for the value or its box, then its type.
        case opaque
        /// A reference.
        case object
        /// A box made for errors.
        case error
    }

    /// The form of the container; nil for what is no protocol type, or for a form that this does not know.
    var existential: Existential? {
        switch word(0) {
        case 0x303:
            let flags = word32(8)
            if flags & 0x3F00_0000 == 0x0100_0000 { return .error }
            return flags & 0x8000_0000 == 0 ? .object : .opaque
        case 0x307:
            switch unsafe pointer(8).load(as: UnsafeRawPointer.self).load(as: UInt32.self) & 0xFF {
            case 0: return .opaque
            case 1: return .object
            default: return nil
            }
        default: return nil
        }
    }

    /// The value in a protocol type's container, with its own type; nil for forms that this does not know.
    ///
    /// The value is where the container or its box is: valid as long as the container does not change.
    func contained(in container: UnsafeRawPointer) -> (value: UnsafeRawPointer, type: TypeMetadata)? {
        // Memory that nobody has written yet has no type.
        guard existential == .opaque, unsafe container.load(fromByteOffset: 24, as: UInt.self) != 0 else { return nil }
        let type = TypeMetadata(unsafe container.load(fromByteOffset: 24, as: Any.Type.self))
        if type.isInline { return unsafe (container, type) }
        // After the header of the box, as far on as the value's alignment asks.
        let header = (16 + type.alignment - 1) & ~(type.alignment - 1)
        return unsafe (container.load(as: UnsafeRawPointer.self) + header, type)
    }

    /// The class that this class extends.
    var superclass: TypeMetadata? {
        guard kind == .class, word(8) != 0 else { return nil }
        return TypeMetadata(unsafe pointer(8).load(as: (Any.Type).self))
    }

    /// The first argument of a generic struct or enum: the element of an array, the wrapped type of an optional.
    func genericArgument(_ index: Int) -> TypeMetadata {
        TypeMetadata(unsafe pointer(16 + index * 8).load(as: (Any.Type).self))
    }

    /// Whether that argument of a generic type is this type. The words after the arguments are no types, and are not followed.
    func argument(_ index: Int, is type: TypeMetadata) -> Bool {
        switch kind {
        case .struct, .enum: word(16 + index * 8) == UInt64(type.address)
        case .class: descriptor.map { word(Self.arguments($0) + index * 8) == UInt64(type.address) } ?? false
        default: false
        }
    }

    /// Where the generic arguments of a class lie in its metadata.
    private static func arguments(_ descriptor: TypeDescriptor) -> Int {
        (Int(descriptor.word32(28)) - Int(descriptor.word32(32))) * 8
    }

    /// The module that declares the type; nil for types without a declaration.
    var module: String? { descriptor?.module }
    /// The type's own name, without module, enclosing types and arguments.
    var name: String? { descriptor?.name }
    /// Module and name of a type that is declared at the top of its module.
    var topLevelName: (module: String, name: String)? {
        descriptor.flatMap { descriptor in descriptor.owningModule.map { ($0, descriptor.name) } }
    }
    /// What all specialisations of a type share, and no other type has: its identity; nil for types without a declaration.
    var declaration: UInt? { descriptor?.identity }

    /// How a function is called and what stands for it; nil for what is no function.
    var isNativeFunction: Bool? {
        guard kind == .function else { return nil }
        switch word(8) >> 16 & 0xFF {
        case 0: return size == 16 ? true : nil
        case 2, 3: return size == 8 ? false : nil
        default: return nil
        }
    }

    private var structFields: [Field]? {
        guard let descriptor else { return nil }
        let (count, vector) = (Int(descriptor.word32(20)), Int(descriptor.word32(24)))
        guard count == 0 || vector > 0,
            let fields = ownFields(
                descriptor, count: count, arguments: 16, offset: { Int(word32(vector * 8 + $0 * 4)) }),
            fields.allSatisfy({ Self.isInside($0, size) })
        else { return nil }
        return fields
    }

    private var classFields: [Field]? { classLevels?.flatMap(\.self) }

    /// The stored properties of a class by the class that declares them, its most distant ancestor first; nil where they
    /// cannot be known.
    var classLevels: [[Field]]? {
        guard kind == .class, let descriptor else { return nil }
        // The bits of a class: 13 a superclass whose size is found at run time, 12 members before the metadata.
        guard descriptor.flags & (1 << 29 | 1 << 28) == 0 else { return nil }
        var levels: [[Field]] = []
        if let superclass {
            guard let inherited = superclass.classLevels else { return nil }
            levels = inherited
        }
        guard
            let own = ownFields(
                descriptor, count: Int(descriptor.word32(36)), arguments: Self.arguments(descriptor),
                offset: { Int(word(Int(descriptor.word32(40)) * 8 + $0 * 8)) }),
            own.allSatisfy({ Self.isInside($0, Int(word32(24))) })
        else { return nil }
        return levels + [own]
    }

    /// How many bytes an object of the class has; nil where its layout is not known.
    var instanceSize: Int? { classLevels == nil ? nil : Int(word32(24)) }

    /// Whether each reference to the class is one to an object of just this class, as far as the program's types tell. The
    /// first question about a class of a file takes milliseconds.
    var isFinal: Bool {
        guard kind == .class, superclass == nil, let descriptor else { return false }
        return !Subclasses.mayExist(of: descriptor.identity)
    }

    /// Whether a property lies inside of what holds it, as far as its size is known.
    private static func isInside(_ field: Field, _ size: Int) -> Bool {
        let isThin = field.type?.hasThinMetatype == true
        let end = field.ownership == .strong ? (isThin ? 0 : field.type?.size ?? 0) : 8
        return field.offset >= 0 && field.offset + end <= size
    }

    private var tupleFields: [Field] {
        let labels = word(16) == 0 ? "" : unsafe String(cString: pointer(16).load(as: UnsafePointer<CChar>.self))
        let names = labels.split(separator: " ", omittingEmptySubsequences: false)
        return (0..<Int(word(8))).map { index in
            let label = index < names.count ? RawIdentifiers.asWritten(String(names[index])) : ""
            return Field(
                name: label.isEmpty ? "\(index)" : label, offset: Int(word32(24 + index * 16 + 8)),
                type: TypeMetadata(unsafe pointer(24 + index * 16).load(as: (Any.Type).self)), ownership: .strong,
                isMutable: true)
        }
    }

    private func ownFields(
        _ descriptor: TypeDescriptor, count: Int, arguments: Int, offset: (Int) -> Int
    ) -> [Field]? {
        guard let records = descriptor.fieldRecords, records.count == count else { return nil }
        let arguments = unsafe pointer(arguments)
        return records.enumerated().map { index, record in
            let (type, ownership) = unsafe record.type(in: descriptor, arguments: arguments) ?? (nil, .strong)
            return Field(
                name: record.name, offset: offset(index), type: type, ownership: ownership,
                isMutable: record.flags & 2 != 0, isParameter: record.isParameter)
        }
    }

    // MARK: Memory

    /// What a closure's context or a box holds; nil for another object's metadata, and where that cannot be known.
    var captures: CaptureDescriptor? {
        guard word(0) == 0x400, word32(8) != 0 else { return nil }
        return unsafe CaptureDescriptor(pointer(16).load(as: UnsafeRawPointer?.self), firstOffset: Int(word32(8)))
    }

    private var descriptor: TypeDescriptor? {
        switch kind {
        case .class: unsafe TypeDescriptor(pointer(40).load(as: UnsafeRawPointer?.self))
        case .struct, .enum, .optional: unsafe TypeDescriptor(pointer(8).load(as: UnsafeRawPointer?.self))
        default: nil
        }
    }

    private func pointer(_ offset: Int) -> UnsafeRawPointer {
        // Never nil: it is the address of a type that exists.
        unsafe UnsafeRawPointer(bitPattern: Int(bitPattern: address) + offset).unsafelyUnwrapped
    }

    private func word(_ offset: Int) -> UInt64 { unsafe pointer(offset).load(as: UInt64.self) }
    private func word32(_ offset: Int) -> UInt32 { unsafe pointer(offset).load(as: UInt32.self) }
}
