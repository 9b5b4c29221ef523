// SPDX-License-Identifier: MIT
// Knows types of the standard library and of Foundation by their identity.

internal import Observation

/// What is known of types that the toolchain declares.
///
/// A type of the standard library is told by its declaration's address, which we get from the type itself. Foundation is not
/// linked here: its types are told by the exact name of their module, and nothing is read of them but what their own
/// metadata describe.
enum SystemTypes {
    /// How values of a type are compared that are not just their stored properties.
    enum Form: Hashable, Sendable {
        case string, array, arraySlice, substring, stringIndex, set, dictionary
        /// So many bytes decide; what follows is padding.
        case bytes(Int)
        /// A vector of so many lanes.
        case vector(lanes: Int)
        /// No more than their stored properties.
        case properties
    }

    private static let forms: [UInt: Form] = {
        let known: [(Any.Type, Form)] = [
            (String.self, .string), ([Int].self, .array), (ContiguousArray<Int>.self, .array),
            (ArraySlice<Int>.self, .arraySlice), (Substring.self, .substring), (String.Index.self, .stringIndex),
            (Set<Int>.self, .set), ([Int: Int].self, .dictionary),
            (Float80.self, .bytes(10)), (ObjectIdentifier.self, .bytes(8)),
            (SIMD2<Int>.self, .vector(lanes: 2)), (SIMD3<Int>.self, .vector(lanes: 3)),
            (SIMD4<Int>.self, .vector(lanes: 4)), (SIMD8<Int>.self, .vector(lanes: 8)),
            (SIMD16<Int>.self, .vector(lanes: 16)), (SIMD32<Int>.self, .vector(lanes: 32)),
            (SIMD64<Int>.self, .vector(lanes: 64)),
        ]
        let transparent: [Any.Type] = unsafe [
            Range<Int>.self, ClosedRange<Int>.self, PartialRangeFrom<Int>.self, PartialRangeUpTo<Int>.self,
            PartialRangeThrough<Int>.self, CollectionOfOne<Int>.self, InlineArray<1, Int>.self,
            KeyValuePairs<Int, Int>.self, AnyHashable.self, Character.self, Unicode.Scalar.self, Duration.self,
            ContinuousClock.Instant.self, SuspendingClock.Instant.self, UnsafePointer<Int>.self,
            UnsafeMutablePointer<Int>.self, UnsafeRawPointer.self, UnsafeMutableRawPointer.self, OpaquePointer.self,
            UnsafeBufferPointer<Int>.self, UnsafeMutableBufferPointer<Int>.self, UnsafeRawBufferPointer.self,
            UnsafeMutableRawBufferPointer.self, Unmanaged<Probe>.self,
        ]
        let all = known + (transparent + boxesOfHashables).map { ($0, .properties) }
        let declared = all.compactMap { type, form in TypeMetadata(type).declaration.map { ($0, form) } }
        return Dictionary(declared) { first, _ in first }
    }()

    private final class Probe {}

    /// What `AnyHashable` keeps values in: numbers and collections have forms of their own.
    private static var boxesOfHashables: [Any.Type] {
        let samples: [AnyHashable] = [0, 0.5, "", [0], Set([0]), [0: 0]]
        guard let field = TypeMetadata(AnyHashable.self).fields?.first, let container = field.type else { return [] }
        return samples.compactMap { sample in
            unsafe withUnsafePointer(to: sample) { pointer in
                let contained = unsafe container.contained(in: UnsafeRawPointer(pointer) + field.offset)
                return unsafe contained?.type.type
            }
        }
    }

    /// Types of Foundation whose values are just their stored properties.
    private static let transparentInFoundation: Set<String> = [
        "Date", "UUID", "CGFloat", "CGPoint", "CGSize", "CGRect", "NSRange", "_NSRange",
    ]
    private static let foundation: Set<String> = ["Foundation", "FoundationEssentials"]

    /// The form of a type; nil for one that is not known.
    static func form(of type: TypeMetadata) -> Form? {
        if let form = type.declaration.flatMap({ forms[$0] }) { return form }
        guard let (module, name) = type.topLevelName, foundation.contains(module) else { return nil }
        return transparentInFoundation.contains(name) ? .properties : nil
    }

    /// Whether it is the type of this name that Foundation declares.
    static func isFoundation(_ type: TypeMetadata, _ name: String) -> Bool {
        guard let found = type.topLevelName else { return false }
        return foundation.contains(found.module) && found.name == name
    }

    /// The compiler's own types whose bits are a value: numbers, not addresses.
    private static let builtinValues: Set<TypeMetadata> = {
        let wrapping: [Any.Type] = [
            Bool.self, Int8.self, Int16.self, Int32.self, Int64.self, Int.self, Int128.self, Float16.self, Float.self,
            Double.self, Float80.self, StaticString.self,
        ]
        return Set(wrapping.flatMap { TypeMetadata($0).fields ?? [] }.compactMap(\.type).filter { $0.kind == .other })
            .filter { $0.isTrivial && $0 != pointer }
    }()
    private static let pointer = unsafe TypeMetadata(UnsafeRawPointer.self).fields?.first?.type

    /// Whether equal bits of the compiler's own type are equal values, and not addresses of what may have changed.
    static func isValue(_ type: TypeMetadata) -> Bool { builtinValues.contains(type) }

    /// Numbers that a vector keeps as they are.
    private static let scalars: Set<TypeMetadata> = Set(
        ([
            Int8.self, Int16.self, Int32.self, Int64.self, Int.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
            UInt.self, Float16.self, Float.self, Double.self,
        ] as [Any.Type]).map { TypeMetadata($0) })

    /// Whether a vector of these lies in memory as an array of them does.
    static func isScalar(_ type: TypeMetadata) -> Bool { scalars.contains(type) }

    /// Whether it is what Observation keeps a model's observers in.
    static func isRegistrar(_ type: TypeMetadata) -> Bool { type.type == ObservationRegistrar.self }

    private static let modules: Set<String> = [
        "Swift", "Synchronization", "Dispatch", "_Concurrency", "_StringProcessing", "Observation", "Foundation",
        "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
        "Distributed", "RegexBuilder", "_RegexParser", "_Differentiation", "Cxx", "CxxStdlib",
    ]

    /// Whether the toolchain's libraries or C declare the class or an ancestor of it. What its objects keep is not all in
    /// their stored properties.
    static func declares(_ type: TypeMetadata) -> Bool {
        if contains(type) || type.module == "__C" { return true }
        return type.superclass.map(declares) ?? false
    }

    /// Whether the toolchain's libraries declare the type: to a reader it is one value, not a group of properties. No layout
    /// is concluded from that.
    static func contains(_ type: TypeMetadata) -> Bool { type.module.map(modules.contains) ?? false }
}

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
