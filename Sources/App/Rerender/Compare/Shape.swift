// SPDX-License-Identifier: MIT
// Describes what has to be looked at to compare two values of a type. Plain data that is never freed.

/// How the values of a type are compared.
struct Shape: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
        /// All bytes count.
        case bytes
        /// A struct or tuple: its parts.
        case parts
        /// Its part where a difference in the bytes does not prove one in the value.
        case doubtful
        /// An enum whose only payload lies where the enum lies, and one whose payload has to be projected.
        case singlePayload, multiPayload
        case string, substring, stringIndex, array, arraySlice, dictionary, set
        /// A number of elements in place.
        case inlineArray
        case reference, weakReference, unownedReference, closure, functionPointer
        /// A reference to an object of just this class that never changes: its parts are the value's.
        case pointee
        /// What lies in the box of a property wrapper: its part, behind as many hops as it counts.
        case boxed
        /// An enum whose cases all lead to the same: a part for each.
        case alternatives
        /// Another shape, which may be made of this one.
        case deferred
        /// Foundation's `Data`.
        case data
        case existential, errorExistential
        case unknown
        /// What an object holds that never changes after it was made.
        case immutableObject
        /// An object of which Observation reports every change, and what of it never changes.
        case observedObject
        /// What a closure captures; with one capture it may as well be a variable's box.
        case captures
        /// An object or a context that may change without a word.
        case opaqueObject
        /// A model that may, until it is proved that it cannot.
        case unprovedObject
    }

    let kind: Kind
    let type: TypeMetadata
    let size: Int
    /// Whether equal values may have other contents: part of it is an address, or nothing is known of it.
    private(set) var isOpaque: Bool
    /// Whether a value holds nothing that can change while it is held, as far as its type tells.
    var isSettled = false
    var count = 0
    private var parts = Address(bits: 0)
    private var lazies = Address(bits: 0)
    /// What else its kind has to know.
    let detail: Address

    init(
        _ kind: Kind, _ type: TypeMetadata, size: Int, parts: [Part] = [], lazies: [LazyShape] = [],
        isOpaque: Bool = false, detail: Address = Address(bits: 0)
    ) {
        self.detail = detail
        self.isOpaque = isOpaque
        self.kind = kind
        self.type = type
        self.size = size
        count = parts.isEmpty ? lazies.count : parts.count
        if !parts.isEmpty { self.parts = .immortal(parts) }
        if !lazies.isEmpty { self.lazies = .immortal(lazies) }
    }

    /// The same where equal values may have other contents.
    var opaque: Shape {
        var shape = self
        shape.isOpaque = true
        return shape
    }

    /// The shape of what lies at the end of a way through objects.
    static func boxed(
        _ type: TypeMetadata, _ place: Place, size: Int, _ shape: ShapeReference?, isOpaque: Bool
    ) -> Shape {
        let content = Part(offset: place.offset, size: size, shape: shape)
        var boxed = Shape(
            .boxed, type, size: type.size, parts: [content], isOpaque: isOpaque, detail: .immortal(place.hops))
        boxed.count = place.hops.count
        return boxed
    }

    /// A part of a struct. The shape of one that is compared by bytes is nil.
    struct Part: BitwiseCopyable {
        let offset: Int
        var size: Int
        let shape: ShapeReference?
    }

    @inline(__always)
    func part(_ index: Int) -> Part { parts.load(index, as: Part.self) }
    @inline(__always)
    func lazy(_ index: Int) -> LazyShape { lazies.load(index, as: LazyShape.self) }
}

/// A shape in memory.
struct ShapeReference: BitwiseCopyable {
    let address: Address

    init(_ shape: Shape) { address = .immortal([shape]) }
    init(address: Address) { self.address = address }

    @inline(__always)
    var shape: Shape { address.load(0, as: Shape.self) }
}

/// The shape of what is reached through a value that may hold others of its own type; made when it is first needed.
struct LazyShape: BitwiseCopyable {
    /// nil if the runtime cannot name it.
    let type: TypeMetadata?
    let isIndirect: Bool
    let stride: Int
    let alignment: Int
    private let cell: Address

    init(_ type: TypeMetadata?, isIndirect: Bool = false) {
        self.type = type
        self.isIndirect = isIndirect
        stride = type?.stride ?? 0
        alignment = type?.alignment ?? 1
        cell = .immortal([UInt(0)])
    }

    @inline(__always)
    var shape: ShapeReference {
        let known = unsafe UnsafeAtomicWord(at: UnsafeMutableRawPointer(mutating: cell.pointer)).acquired
        return known != 0 ? ShapeReference(address: Address(bits: known)) : make()
    }

    @inline(never)
    private func make() -> ShapeReference {
        let made = type.map { ShapeMaker.shape(of: $0) } ?? ShapeMaker.unknown
        unsafe UnsafeAtomicWord(at: UnsafeMutableRawPointer(mutating: cell.pointer)).release(made.address.bits)
        return made
    }
}
