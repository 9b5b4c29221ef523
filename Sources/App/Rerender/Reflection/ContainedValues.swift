// SPDX-License-Identifier: MIT
// Finds of which types there are values in a value.

/// Goes over a value and what it holds: fields, payloads of cases, elements, and what is in a protocol's container.
///
/// Proof of the unsafe parts: the caller's value is initialised and does not change meanwhile. A field lies inside of its value,
/// at the offset that the metadata has; a payload is projected in a copy of the bytes, which nobody destroys. Objects are not
/// entered: others may change them.
package struct ContainedValues {
    /// How many values are looked at, and how deeply they are nested.
    private static let limits = (values: 512, depth: 24)
    /// Of a list, these are enough to see what it is made of.
    private static let elements = 8
    private static let longestCopy = 4096

    private var left = Self.limits.values
    /// The addresses of the declarations of the types that were found.
    package private(set) var declarations: Set<UInt> = []

    /// Looks at a value of a type, by the address of its metadata.
    package init(in value: UnsafeRawPointer, type: UnsafeRawPointer) {
        unsafe visit(value, TypeMetadata(unsafeBitCast(type, to: Any.Type.self)), depth: 0)
    }

    private mutating func visit(_ value: UnsafeRawPointer, _ type: TypeMetadata, depth: Int) {
        guard left > 0, depth < Self.limits.depth, type.isCopyable else { return }
        left -= 1
        if let declaration = type.declaration { declarations.insert(declaration) }
        switch type.kind {
        case .struct where type.topLevelName.map { $0 == ("Swift", "Array") } == true:
            unsafe visitElements(value, type.genericArgument(0), depth: depth)
        case .struct, .tuple:
            for field in type.fields ?? [] where field.ownership == .strong {
                if let type = field.type { unsafe visit(value + field.offset, type, depth: depth + 1) }
            }
        case .enum, .optional: unsafe visitPayload(value, type, depth: depth)
        case .existential:
            if let (value, type) = unsafe type.contained(in: value) { unsafe visit(value, type, depth: depth + 1) }
        case .class:
            let object = unsafe value.load(as: UnsafeRawPointer.self)
            if let declaration = unsafe TypeMetadata(ofObject: object).declaration { declarations.insert(declaration) }
        default: break
        }
    }

    /// An array is a reference to its count, two words on, and its elements, two words further on.
    private mutating func visitElements(_ array: UnsafeRawPointer, _ element: TypeMetadata, depth: Int) {
        let storage = unsafe array.load(as: UnsafeRawPointer.self)
        let count = unsafe storage.load(fromByteOffset: 16, as: Int.self)
        let first = (32 + element.alignment - 1) & ~(element.alignment - 1)
        for index in 0..<min(max(0, count), Self.elements) {
            unsafe visit(storage + first + index * element.stride, element, depth: depth + 1)
        }
    }

    private mutating func visitPayload(_ value: UnsafeRawPointer, _ type: TypeMetadata, depth: Int) {
        guard let cases = type.payloadCases, !cases.isEmpty, type.size <= Self.longestCopy else { return }
        let tag = Int(unsafe type.enumTag(of: value))
        guard tag < cases.count, !cases[tag].isIndirect, let payload = cases[tag].type else { return }
        unsafe withUnsafeTemporaryAllocation(byteCount: max(1, type.size), alignment: type.alignment) { copy in
            guard let bytes = copy.baseAddress else { return }
            unsafe bytes.copyMemory(from: value, byteCount: type.size)
            unsafe type.projectPayload(bytes)
            unsafe visit(bytes, payload, depth: depth + 1)
        }
    }
}
