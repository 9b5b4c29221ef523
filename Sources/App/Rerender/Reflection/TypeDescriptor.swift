// SPDX-License-Identifier: MIT
// Reads what a file says of its types for all specialisations: names, flags and fields, and which classes others extend.

/// A nominal type's descriptor; see ``TypeMetadata`` for why reading it is safe.
@safe
struct TypeDescriptor {
    private let address: UnsafeRawPointer

    init?(_ address: UnsafeRawPointer?) {
        guard let address = unsafe address else { return nil }
        unsafe self.address = unsafe address
    }

    var flags: UInt32 { word32(0) }
    var name: String { unsafe String(cString: relative(8).assumingMemoryBound(to: CChar.self)) }

    func word32(_ offset: Int) -> UInt32 { unsafe address.load(fromByteOffset: offset, as: UInt32.self) }

    /// The name of the module, found at the root of the chain of contexts.
    var module: String? {
        var context = unsafe address
        // Deeper than programs nest types.
        for _ in 0..<32 {
            // 0 is a module.
            if unsafe context.load(as: UInt32.self) & 0x1F == 0 {
                return unsafe String(cString: Self.relative(context, 8).assumingMemoryBound(to: CChar.self))
            }
            guard unsafe context.load(fromByteOffset: 4, as: Int32.self) != 0 else { return nil }
            unsafe context = Self.indirectable(context, 4)
        }
        return nil
    }

    /// The address, which no other declaration has.
    var identity: UInt { unsafe UInt(bitPattern: address) }

    /// The name of the module whose direct child the type is; nil for a nested type.
    var owningModule: String? {
        guard unsafe address.load(fromByteOffset: 4, as: Int32.self) != 0 else { return nil }
        let parent = unsafe Self.indirectable(address, 4)
        guard unsafe parent.load(as: UInt32.self) & 0x1F == 0 else { return nil }
        return unsafe String(cString: Self.relative(parent, 8).assumingMemoryBound(to: CChar.self))
    }

    /// One field or case as it was declared.
    @safe
    struct FieldRecord {
        fileprivate let address: UnsafeRawPointer

        var flags: UInt32 { unsafe address.load(as: UInt32.self) }
        var name: String {
            RawIdentifiers.asWritten(
                unsafe String(cString: TypeDescriptor.relative(address, 8).assumingMemoryBound(to: CChar.self)))
        }

        /// Whether the declared type is a generic parameter (`x`, `q_`, `q0_`), or an optional of one.
        var isParameter: Bool {
            guard unsafe address.load(fromByteOffset: 4, as: Int32.self) != 0 else { return false }
            let mangled = unsafe TypeDescriptor.relative(address, 4)
            let length = unsafe TypeDescriptor.mangledLength(mangled)
            // More parameters than types have.
            guard length <= 6 else { return false }
            var text = (0..<length).map { unsafe mangled.load(fromByteOffset: $0, as: UInt8.self) }
            if text.suffix(2) == [UInt8(ascii: "S"), UInt8(ascii: "g")] { text.removeLast(2) }
            if text == [UInt8(ascii: "x")] { return true }
            guard text.first == UInt8(ascii: "q"), text.last == UInt8(ascii: "_") else { return false }
            return text.dropFirst().dropLast().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }

        /// The type where the descriptor's parameters have these arguments, and how it is held; nil for a case without
        /// a payload and for a type that the runtime cannot name.
        func type(
            in descriptor: TypeDescriptor, arguments: UnsafeRawPointer
        ) -> (type: TypeMetadata?, ownership: TypeMetadata.Ownership)? {
            guard unsafe address.load(fromByteOffset: 4, as: Int32.self) != 0 else { return nil }
            let mangled = unsafe TypeDescriptor.relative(address, 4)
            let length = unsafe TypeDescriptor.mangledLength(mangled)
            let ownership = unsafe TypeDescriptor.ownership(mangled, length)
            let type = unsafe _getTypeByMangledNameInContext(
                mangled.assumingMemoryBound(to: UInt8.self), UInt(length), genericContext: descriptor.address,
                genericArguments: arguments)
            // The empty tuple stands for a type that cannot be copied, such as a mutex, unless it is a generic argument.
            if type == Void.self, unsafe mangled.load(as: UInt8.self) != UInt8(ascii: "x") { return (nil, ownership) }
            return (type.map { TypeMetadata($0) }, ownership)
        }
    }

    /// The fields in the order of their declaration; nil in a program built without reflection metadata.
    var fieldRecords: [FieldRecord]? {
        guard unsafe address.load(fromByteOffset: 16, as: Int32.self) != 0 else { return nil }
        let table = unsafe relative(16)
        let size = Int(unsafe table.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(unsafe table.load(fromByteOffset: 12, as: UInt32.self))
        return (0..<count).map { unsafe FieldRecord(address: table + 16 + $0 * size) }
    }

    private func relative(_ offset: Int) -> UnsafeRawPointer { unsafe Self.relative(address, offset) }

    static func relative(_ base: UnsafeRawPointer, _ offset: Int) -> UnsafeRawPointer {
        unsafe base + offset + Int(base.load(fromByteOffset: offset, as: Int32.self))
    }

    /// A relative pointer whose lowest bit says that it leads to the address instead of the thing.
    private static func indirectable(_ base: UnsafeRawPointer, _ offset: Int) -> UnsafeRawPointer {
        let distance = Int(unsafe base.load(fromByteOffset: offset, as: Int32.self))
        let target = unsafe base + offset + (distance & ~1)
        return unsafe distance & 1 == 0 ? target : target.load(as: UnsafeRawPointer.self)
    }

    /// A mangled name ends with a zero byte, but the references in it (1 to 23: four bytes, 24 to 31: eight) may hold
    /// zeros.
    static func mangledLength(_ name: UnsafeRawPointer) -> Int {
        var length = 0
        while true {
            let byte = unsafe name.load(fromByteOffset: length, as: UInt8.self)
            switch byte {
            case 0: return length
            case 0x01...0x17: length += 5
            case 0x18...0x1F: length += 9
            default: length += 1
            }
        }
    }

    /// `weak`, `unowned` and `unowned(unsafe)` are the last operator of a field's mangled type.
    static func ownership(_ name: UnsafeRawPointer, _ length: Int) -> TypeMetadata.Ownership {
        guard length >= 3, unsafe name.load(fromByteOffset: length - 2, as: UInt8.self) == UInt8(ascii: "X") else {
            return .strong
        }
        switch unsafe name.load(fromByteOffset: length - 1, as: UInt8.self) {
        case UInt8(ascii: "w"): return .weak
        case UInt8(ascii: "o"): return .unowned
        case UInt8(ascii: "u"): return .unmanaged
        default: return .strong
        }
    }
}

@available(*, unavailable)
extension TypeDescriptor: Sendable {}
@available(*, unavailable)
extension TypeDescriptor.FieldRecord: Sendable {}

/// Which classes have subclasses.
///
/// Proof of the unsafe parts: nothing is read but what lies in a section that the loader mapped with its bytes, from a file that
/// is still the one on disk. The lists and descriptors in it are constants, laid out as Swift's stable ABI says
/// (`TargetTypeMetadataRecord` and `TargetClassDescriptor` in the compiler's `include/swift/ABI/Metadata.h`).
struct Subclasses {
    private static let known = BoundedCache<LoadedFile, Set<UInt>?>(limit: StoreLimits.filesOfTypes)

    /// Whether a class may extend the class with this descriptor: one of the same file, or one of another where the loader
    /// can find the descriptor by its name. Each question goes over the file's names, the first about a file also over its types.
    static func mayExist(of descriptor: UInt) -> Bool {
        guard let file = LoadedFile(containing: descriptor), !file.exports(descriptor) else { return true }
        let extended = known.value(for: file) {
            file.memory(ofSection: "swift5_type_metadata").flatMap {
                Subclasses(records: $0.section, memory: $0.all).extended
            }
        }
        return extended?.contains(descriptor) ?? true
    }

    private let records: Range<UInt>
    private let memory: [Range<UInt>]

    /// The descriptors of all classes that others extend; nil if one of them cannot be told.
    private var extended: Set<UInt>? {
        var found: Set<UInt> = []
        for record in stride(from: records.lowerBound, to: records.upperBound & ~3, by: 4) {
            guard let distance = load(record, as: Int32.self) else { return nil }
            // What is left empty between the lists of two object files, and classes of Objective-C.
            if distance == 0 || distance & 2 != 0 { continue }
            guard let descriptor = follow(record, distance & ~3, isIndirect: distance & 1 != 0),
                let flags = load(descriptor, as: UInt32.self)
            else { return nil }
            guard flags & 0x1F == 16 else { continue }
            guard let distance = load(descriptor + 20, as: Int32.self) else { return nil }
            if distance == 0 { continue }
            guard let superclass = symbol(at: descriptor &+ 20 &+ UInt(bitPattern: Int(distance))) else { return nil }
            found.insert(superclass)
        }
        return found
    }

    /// The descriptor that a mangled name begins with a reference to.
    private func symbol(at name: UInt) -> UInt? {
        guard let kind = load(name, as: UInt8.self), kind == 1 || kind == 2,
            let distance = load(name + 1, as: Int32.self)
        else { return nil }
        return follow(name + 1, distance, isIndirect: kind == 2)
    }

    private func follow(_ address: UInt, _ distance: Int32, isIndirect: Bool) -> UInt? {
        let target = address &+ UInt(bitPattern: Int(distance))
        return isIndirect ? load(target, as: UInt.self) : target
    }

    private func load<Word: BitwiseCopyable>(_ address: UInt, as _: Word.Type) -> Word? {
        let end = address &+ UInt(MemoryLayout<Word>.size)
        guard end > address, memory.contains(where: { $0.lowerBound <= address && end <= $0.upperBound }) else {
            return nil
        }
        return unsafe UnsafeRawPointer(bitPattern: address)?.loadUnaligned(as: Word.self)
    }
}

// Reads what a closure captures from the description that the compiler makes for debuggers.

/// The captures of a closure's context, or the content of a box of one captured variable: the two look alike.
///
/// Proof of the unsafe parts: the descriptor is constant data of the program that made the context. Its layout is that of
/// `CaptureDescriptor` in the compiler's `include/swift/RemoteInspection/Records.h`: three counts, then for each capture
/// the distance to its mangled type. Captures lie one behind the other, each where its alignment asks.
@safe
struct CaptureDescriptor {
    private let address: UnsafeRawPointer
    private let firstOffset: Int

    init?(_ address: UnsafeRawPointer?, firstOffset: Int) {
        guard let address = unsafe address else { return nil }
        unsafe self.address = unsafe address
        self.firstOffset = firstOffset
    }

    enum Content {
        case value(TypeMetadata)
        case reference(TypeMetadata.Ownership)
        /// A function and its context, as the language passes them.
        case function
        /// The box of a variable, which the closure shares with others.
        case variable
    }

    /// One captured value.
    struct Capture {
        let offset: Int
        let content: Content

        /// Whether its bytes alone are the value, so that nothing is followed while another thread writes them.
        var isReadableInAnyState: Bool {
            if case .value(let type) = content { type.isTrivial } else { false }
        }

        var isVariable: Bool {
            if case .variable = content { true } else { false }
        }
    }

    /// All captures in order; nil if one of them is a variable, or cannot be named.
    var captures: [Capture]? {
        let captures = firstCaptures
        return captures.isEmpty || captures.count < count || captures.contains(where: \.isVariable) ? nil : captures
    }

    /// The captures in front of the first one that cannot be named: it is not known where the next ones lie.
    var firstCaptures: [Capture] {
        var captures: [Capture] = []
        var end = firstOffset
        for index in 0..<count {
            guard let content = content(index) else { break }
            let (size, alignment) = Self.extent(content)
            let offset = (end + alignment - 1) & ~(alignment - 1)
            captures.append(Capture(offset: offset, content: content))
            end = offset + size
        }
        return captures
    }

    /// How many captures can be told; 0 with generic parameters, for then the context begins with what binds them.
    var count: Int {
        let counts = (0..<3).map { unsafe address.load(fromByteOffset: $0 * 4, as: UInt32.self) }
        return counts[0] <= 64 && counts[1] == 0 && counts[2] == 0 ? Int(counts[0]) : 0
    }

    private func content(_ index: Int) -> Content? {
        let mangled = unsafe TypeDescriptor.relative(address, 12 + index * 4)
        let length = unsafe TypeDescriptor.mangledLength(mangled)
        if unsafe Self.isFunction(mangled, length) { return .function }
        if unsafe Self.isBox(mangled, length) { return .variable }
        let ownership = unsafe TypeDescriptor.ownership(mangled, length)
        let type = unsafe _getTypeByMangledNameInContext(
            mangled.assumingMemoryBound(to: UInt8.self), UInt(length), genericContext: nil, genericArguments: nil)
        if ownership != .strong {
            // A reference to a protocol type has the witness tables beside it.
            guard let type, TypeMetadata(type).size == 8 else { return nil }
            return .reference(ownership)
        }
        guard let metadata = type.map({ TypeMetadata($0) }), metadata.isCopyable else { return nil }
        switch metadata.kind {
        // A metatype may take no room in a context, and a function may be of another kind than its type says.
        case .metatype, .function, .fixedArray, .other: return nil
        case .tuple where metadata.hasThinMetatype: return nil
        case .class, .struct, .enum, .optional, .tuple, .existential: return .value(metadata)
        }
    }

    private static func extent(_ content: Content) -> (size: Int, alignment: Int) {
        switch content {
        case .value(let type): (type.size, type.alignment)
        case .reference, .variable: (8, 8)
        case .function: (16, 8)
        }
    }

    /// Whether a mangled type is that of a lowered box: its layout, `_` and `Xx`. The runtime names none.
    private static func isBox(_ name: UnsafeRawPointer, _ length: Int) -> Bool {
        var (place, plain) = (0, [UInt8]())
        while place < length {
            let byte = unsafe name.load(fromByteOffset: place, as: UInt8.self)
            // The bytes of a reference to a type are no text.
            let reference = byte == 0 || byte > 0x1F ? 1 : byte < 0x18 ? 5 : 9
            plain = reference == 1 ? plain.suffix(2) + [byte] : []
            place += reference
        }
        return plain == Array("_Xx".utf8)
    }

    /// Whether a mangled type ends as that of a lowered function that is escaping, native, and owns its context does: in
    /// `Ieg` or, where any actor may isolate it, `IAeg`, then conventions in letters, and `_`.
    private static func isFunction(_ name: UnsafeRawPointer, _ length: Int) -> Bool {
        guard length >= 4, unsafe name.load(fromByteOffset: length - 1, as: UInt8.self) == UInt8(ascii: "_") else {
            return false
        }
        var place = length - 2
        while place >= 0 {
            let byte = unsafe name.load(fromByteOffset: place, as: UInt8.self)
            // No convention is an `I`.
            guard byte | 0x20 >= UInt8(ascii: "a"), byte | 0x20 <= UInt8(ascii: "z"), byte != UInt8(ascii: "I") else {
                break
            }
            place -= 1
        }
        guard place >= 0, unsafe name.load(fromByteOffset: place, as: UInt8.self) == UInt8(ascii: "I") else {
            return false
        }
        let conventions = (place + 1..<length).map { unsafe name.load(fromByteOffset: $0, as: UInt8.self) }
        return conventions.starts(with: "eg".utf8) || conventions.starts(with: "Aeg".utf8)
    }
}

@available(*, unavailable)
extension CaptureDescriptor: Sendable {}
