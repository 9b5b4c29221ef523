// SPDX-License-Identifier: MIT
// What types are made of, for a search in their values.

/// The types of values that were searched, and whether their values may hold what is wanted.
struct SearchedTypes {
    /// How often a type may be nested in itself with other arguments before it is taken for one that may hold anything: there may be
    /// no end of such types, and the runtime takes ever longer to make them.
    private static let mostNested = 3
    /// How many types are looked at for one answer, and in all: then a type is taken for one that may hold anything. There may be
    /// twice as many in each level.
    private static let (mostReached, mostKnown) = (2048, 16_384)
    /// A function of Swift's and its context.
    static let function = TypeMetadata((() -> Void).self)

    private var known: [TypeMetadata: Contents] = [:]

    /// Forgets in which types something may be found.
    mutating func forget() {
        for contents in known.values { contents.mayHold = nil }
    }

    final class Contents {
        enum Form {
            /// A struct, a tuple or an object's constants, by their offsets.
            case parts([(offset: Int, type: TypeMetadata)])
            case array(of: TypeMetadata)
            case slice(of: TypeMetadata)
            case inlineArray(of: TypeMetadata, count: Int)
            /// A dictionary, or a set, which has no values.
            case table(key: TypeMetadata, value: TypeMetadata?)
            /// Cases with bytes, and then those without.
            case cases([TypeMetadata.PayloadCase], [TypeMetadata?])
            case container
            case error
            case reference
            case function
            case nothing
        }

        let declaration: UInt?
        let form: Form
        /// Whether a value of it may hold one that is wanted; nil until that was found out.
        var mayHold: Bool?
        /// How many searches began with a value of it.
        var searches: UInt64 = 0

        init(_ declaration: UInt?, _ form: Form) { (self.declaration, self.form) = (declaration, form) }

        /// The types of its parts, as far as the type itself tells.
        var types: [TypeMetadata] {
            switch form {
            case .parts(let parts): parts.map(\.type)
            case .array(let element), .slice(let element), .inlineArray(let element, _): [element]
            case .table(let key, let value): [key] + (value.map { [$0] } ?? [])
            case .cases(let payloads, let empty): payloads.compactMap(\.type) + empty.compactMap(\.self)
            case .container, .error, .reference, .function, .nothing: []
            }
        }

        /// Whether the type does not tell what there may be in a value.
        var isOpen: Bool {
            switch form {
            case .container, .error, .reference, .function: true
            case .parts, .array, .slice, .inlineArray, .table, .cases, .nothing: false
            }
        }
    }

    mutating func contents(of type: TypeMetadata) -> Contents {
        if let contents = known[type] { return contents }
        let contents = Contents(type.kind == .class ? nil : type.declaration, Self.form(of: type))
        known[type] = contents
        return contents
    }

    private static func form(of type: TypeMetadata) -> Contents.Form {
        guard type.isCopyable else { return .nothing }
        switch type.kind {
        case .struct: return structForm(of: type)
        case .tuple: return .parts(parts(type.fields))
        case .enum, .optional: return .cases(type.payloadCases ?? [], type.emptyCases)
        case .existential:
            switch type.existential {
            case .opaque: return .container
            // The reference is the first word.
            case .object: return .reference
            case .error: return .error
            case nil: return .nothing
            }
        case .class: return .reference
        case .function: return type.isNativeFunction == true ? .function : .nothing
        case .fixedArray: return type.fixedArray.map { .inlineArray(of: $0.element, count: $0.count) } ?? .nothing
        case .metatype, .other: return .nothing
        }
    }

    /// What a dictionary's keys and values are in: the dictionary itself.
    private static let viewsOfDictionaries: Set<UInt> = Set(
        ([[Int: Int].Keys.self, [Int: Int].Values.self] as [Any.Type]).compactMap { TypeMetadata($0).declaration })

    private static func structForm(of type: TypeMetadata) -> Contents.Form {
        if let declaration = type.declaration, viewsOfDictionaries.contains(declaration) {
            return .table(key: type.genericArgument(0), value: type.genericArgument(1))
        }
        return switch SystemTypes.form(of: type) {
        case .array: .array(of: type.genericArgument(0))
        case .arraySlice: .slice(of: type.genericArgument(0))
        case .set: .table(key: type.genericArgument(0), value: nil)
        case .dictionary: .table(key: type.genericArgument(0), value: type.genericArgument(1))
        default: .parts(parts(type.fields))
        }
    }

    static func parts(_ fields: [TypeMetadata.Field]?) -> [(offset: Int, type: TypeMetadata)] {
        (fields ?? []).compactMap { field in
            field.ownership == .strong ? field.type.map { (field.offset, $0) } : nil
        }
    }

    /// A type on the way from the one that was asked for.
    private final class Step {
        let type: TypeMetadata
        let around: Step?

        init(_ type: TypeMetadata, in around: Step? = nil) { (self.type, self.around) = (type, around) }

        /// How often the type's declaration is on the way.
        var nesting: Int {
            guard let declaration = type.declaration else { return 0 }
            var (count, step) = (0, around)
            while let current = step {
                if current.type.declaration == declaration { count += 1 }
                step = current.around
            }
            return count
        }
    }

    /// Whether a value of a type may hold one of the wanted declarations.
    mutating func mayHold(_ type: TypeMetadata, _ wanted: Set<UInt>) -> Bool {
        let asked = contents(of: type)
        if let mayHold = asked.mayHold { return mayHold }
        var (reached, waiting) = (Set([type]), [Step(type)])
        while let step = waiting.popLast() {
            if reached.count > Self.mostReached || known.count > Self.mostKnown {
                asked.mayHold = true
                return true
            }
            // Before its contents are asked for, which makes further types.
            if step.nesting >= Self.mostNested {
                asked.mayHold = true
                return true
            }
            let contents = contents(of: step.type)
            if contents.mayHold == false { continue }
            let isWanted = contents.declaration.map(wanted.contains) ?? false
            if contents.mayHold == true || contents.isOpen || isWanted {
                asked.mayHold = true
                return true
            }
            for part in contents.types where reached.insert(part).inserted { waiting.append(Step(part, in: step)) }
        }
        // Then nothing is in what was reached, either.
        for type in reached { contents(of: type).mayHold = false }
        return false
    }
}

// The stored properties of a type, for bridges, and the way from a value to what lies in it or behind it.

/// A stored property of a struct, or an element of a tuple.
@_spi(Bridge)
public struct StoredProperty {
    /// Its name in the source; that of a wrapper's storage begins with an underscore.
    public let name: String
    /// How many bytes it lies behind the beginning of the value.
    public let offset: Int
    /// The type that it is declared with.
    public let type: Any.Type
    /// False for `weak` and `unowned`, whose memory must not be read as a value of the type.
    public let isStrong: Bool

    /// The stored properties in order; nil for other types, and where the runtime cannot name the type of one.
    public static func all(of type: Any.Type) -> [StoredProperty]? {
        let metadata = TypeMetadata(type)
        guard metadata.kind == .struct || metadata.kind == .tuple, let fields = metadata.fields else { return nil }
        let properties = fields.compactMap { field in
            field.type.map {
                StoredProperty(
                    name: field.name, offset: field.offset, type: $0.type, isStrong: field.ownership == .strong)
            }
        }
        return properties.count == fields.count ? properties : nil
    }

    /// Whether a class stores numbers and texts that are constant, and nothing else, so that nothing in it can change.
    ///
    /// False also where that cannot be known, and where it stores nothing: such an object is there to send.
    public static func areConstantValues(of type: AnyObject.Type) -> Bool {
        guard let fields = TypeMetadata(type).fields, !fields.isEmpty else { return false }
        return fields.allSatisfy { field in
            guard !field.isMutable, field.ownership == .strong, let type = field.type?.type else { return false }
            return type is any Numeric.Type || type == Bool.self || type == String.self
        }
    }
}

@available(*, unavailable)
extension StoredProperty: Sendable {}

/// The way from the beginning of a value to something that it holds.
struct Place: Sendable {
    /// A reference on the way, and the class that its object must be of, or nothing behind it is read.
    struct Hop: BitwiseCopyable, Sendable {
        /// Where the reference lies, from the beginning of what holds it.
        var offset: Int
        let type: TypeMetadata
    }

    var hops: [Hop] = []
    /// From the beginning of the last object, or of the value.
    var offset = 0

    /// Where the first thing that is read lies in the value.
    var first: Int { hops.first?.offset ?? offset }

    /// The same way from what holds the value at an offset.
    func moved(by distance: Int) -> Place {
        var place = self
        if hops.isEmpty { place.offset += distance } else { place.hops[0].offset += distance }
        return place
    }

    /// The way on to what lies at an offset from here.
    func advanced(by distance: Int) -> Place { Place(hops: hops, offset: offset + distance) }

    /// The way on into the object to which a reference here leads.
    func entering(_ type: TypeMetadata) -> Place { Place(hops: hops + [Hop(offset: offset, type: type)], offset: 0) }

    /// This way, and from its end another one.
    func followed(by next: Place) -> Place {
        let next = next.moved(by: offset)
        return Place(hops: hops + next.hops, offset: next.offset)
    }
}
