// SPDX-License-Identifier: MIT
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
