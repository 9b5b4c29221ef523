// SPDX-License-Identifier: MIT
// Reads objects of the standard library in memory: the storage of dictionaries and sets, and the components of key paths.

/// The buckets of a dictionary or a set, with a bit for each that is in use. The standard library's inlinable code fixes their
/// layout.
///
/// Proof of the unsafe parts: a value refers to the storage, which is not written as long as it does. A bucket that is in use holds an
/// initialised key, and in a dictionary a value.
@safe
struct TableBuckets {
    private let storage: UnsafeRawPointer
    private let keyStride: Int
    private let valueStride: Int?

    /// - Parameter valueStride: nil for a set.
    init(_ storage: UnsafeRawPointer, keyStride: Int, valueStride: Int?) {
        unsafe self.storage = unsafe storage
        (self.keyStride, self.valueStride) = (keyStride, valueStride)
    }

    /// How many are in use.
    var count: Int { unsafe storage.load(fromByteOffset: 16, as: Int.self) }

    private var buckets: Int { 1 << Int(unsafe storage.load(fromByteOffset: 32, as: UInt8.self)) }

    /// How many words the bits of all buckets take.
    var words: Int { (buckets + 63) / 64 }

    /// The places of keys and values in the order of the storage, until `body` returns false; a set has no values.
    ///
    /// - Parameters:
    ///   - first: The word of bits to begin with. After the last one, the first one follows.
    ///   - most: How many words are looked at.
    @inline(__always)
    func forEach(
        from first: Int = 0, words most: Int = .max, _ body: (UnsafeRawPointer, UnsafeRawPointer?) -> Bool
    ) {
        let keys = unsafe storage.load(fromByteOffset: 48, as: UnsafeRawPointer.self)
        let values = unsafe valueStride == nil ? nil : storage.load(fromByteOffset: 56, as: UnsafeRawPointer.self)
        let (bits, words) = unsafe (storage + (valueStride == nil ? 56 : 64), words)
        var (index, left) = (first, min(most, words))
        while left > 0 {
            if index >= words { index = 0 }
            var word = unsafe bits.load(fromByteOffset: index * 8, as: UInt.self)
            // Bits past the last bucket are set.
            if buckets < 64 { word &= 1 << UInt(buckets) - 1 }
            while word != 0 {
                let bucket = index * 64 + word.trailingZeroBitCount
                word &= word - 1
                let value = unsafe values.map { unsafe $0 + bucket * (valueStride ?? 0) }
                guard unsafe body(keys + bucket * keyStride, value) else { return }
            }
            (index, left) = (index + 1, left - 1)
        }
    }
}

@available(*, unavailable)
extension TableBuckets: Sendable {}

/// What a key path's object says of its first component.
///
/// The library's own description of a key path says the same, but asks the loader for symbols: that waits for its lock, which
/// another thread may hold for seconds.
///
/// Proof of the unsafe parts: a key path object is never written once it is made. After the object's header and one word
/// come a word with the size of the rest, a word with the component's header, and the component's pointers
/// (`stdlib/public/core/KeyPath.swift` of the compiler, 64 bits). Nothing is read beyond that size. Nothing is read at all
/// unless key paths whose parts are known are laid out like that.
enum KeyPathComponent: Hashable {
    /// None: the whole value.
    case identity
    /// A stored property at an offset, in a structure or an object.
    case stored(offset: Int)
    /// A computed property without further steps, by the two words that stand for it.
    case computed(identity: UInt, getter: UInt)

    private enum Layout {
        static let objectHeader = 24
        static let size: UInt32 = 0x00FF_FFFF
        static let isSingle: UInt32 = 0x2000_0000
        static let discriminator: UInt32 = 0x7F00_0000
        static let structure: UInt32 = 0x0100_0000
        static let computed: UInt32 = 0x0200_0000
        static let object: UInt32 = 0x0300_0000
        static let offset: UInt32 = 0x007F_FFFF
        /// From here on the offset stands elsewhere.
        static let largestOffset: UInt32 = 0x007F_FFFA
        /// By a stored property's number, by an offset in a class's table, or not resolved yet: then it is no address.
        static let otherIdentity: UInt32 = 0x0030_000F
    }

    /// nil if it is of another kind, or laid out as this does not know.
    init?(_ path: AnyKeyPath) {
        guard Self.isLaidOutAsKnown, let component = Self.read(path) else { return nil }
        self = component
    }

    private static func read(_ path: AnyKeyPath) -> KeyPathComponent? {
        let rest = unsafe UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque()) + Layout.objectHeader
        defer { withExtendedLifetime(path) {} }
        let header = unsafe rest.load(as: UInt32.self)
        let size = header & Layout.size
        guard size > 0 else { return .identity }
        guard size >= 4 else { return nil }
        let component = unsafe rest.load(fromByteOffset: 8, as: UInt32.self)
        switch component & Layout.discriminator {
        case Layout.structure, Layout.object:
            let offset = component & Layout.offset
            return offset <= Layout.largestOffset ? .stored(offset: Int(offset)) : nil
        case Layout.computed:
            guard header & Layout.isSingle != 0, size >= 24, component & Layout.otherIdentity == 0 else { return nil }
            return unsafe .computed(
                identity: rest.load(fromByteOffset: 16, as: UInt.self),
                getter: rest.load(fromByteOffset: 24, as: UInt.self))
        default: return nil
        }
    }

    /// Whether the parts of key paths that are known here are read as what they are.
    private static let isLaidOutAsKnown: Bool = {
        guard read(\Sample.self) == .identity, read(\Sample.number) == .stored(offset: 8),
            case .computed(let identity, let getter) = read(\Sample.sum),
            case .computed(identity, getter) = read(\Sample.sum),
            case .computed(let other, _) = read(\Sample.difference), identity != other,
            let file = LoadedFile(containing: getter)
        else { return false }
        return LoadedFile(containing: identity) == file && LoadedFile(containing: other) == file
    }()

    private struct Sample {
        var first: UInt64 = 1
        var number: UInt32 = 2
        var sum: UInt64 { first &+ UInt64(number) }
        var difference: UInt64 { first &- UInt64(number) }
    }
}

/// The only component of a key path, if it is a computed property, as every observed one is.
struct ComputedComponent {
    /// What the runtime compares to tell whether two key paths are of one property: the address of its getter, or of the
    /// entry for the getter in the description of a class that can have subclasses.
    let identity: UInt
    /// The function that calls the getter for key paths; the optimiser may have made several of it, without names.
    let getter: UInt

    /// nil if it is another kind of key path, has several steps, or is laid out as this does not know.
    init?(_ path: AnyKeyPath) {
        guard case .computed(let identity, let getter) = KeyPathComponent(path) else { return nil }
        (self.identity, self.getter) = (identity, getter)
    }

    /// Mangled names that have the property's in them, the surest first. Any thread that may wait.
    var symbols: some Sequence<String> {
        [{ ProcessSymbols.name(at: identity) }, { declaredGetter }, { ProcessSymbols.name(at: getter) }].lazy
            .compactMap { $0() }
    }

    /// The getter of the class that declared it, if the identity is a method's entry: flags, and the distance to the code
    /// (`MethodDescriptor` in `include/swift/ABI/Metadata.h`).
    private var declaredGetter: String? {
        let kinds: UInt32 = 0x0F, getterKind: UInt32 = 2
        guard identity % 4 == 0, let file = LoadedFile(containing: identity),
            LoadedFile(containing: identity + 7)?.path == file.path
        else { return nil }
        // Proof: both words are in a part of the file that the loader mapped, and such parts are readable.
        let entry = unsafe UnsafePointer<(flags: UInt32, distance: Int32)>(bitPattern: identity)
        guard let entry = unsafe entry?.pointee, entry.flags & kinds == getterKind, entry.distance != 0 else {
            return nil
        }
        let code = identity + 4 &+ UInt(bitPattern: Int(entry.distance))
        guard LoadedFile(containing: code)?.path == file.path else { return nil }
        return ProcessSymbols.name(at: code)
    }
}
