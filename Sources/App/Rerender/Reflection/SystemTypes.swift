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
