// SPDX-License-Identifier: MIT
// Finds in values those of certain types.

/// Goes over values and what they hold: fields, payloads of cases, elements, what is in a protocol's container, and what an object
/// holds for as long as it lives. Values of types in which nothing can be found are not entered.
///
/// Proof of the unsafe parts: the caller's value is initialised and does not change meanwhile. A field lies inside of its value,
/// at the offset that the metadata has; a payload is projected in a copy of the bytes, which nobody destroys. An object's constants
/// are written before anybody else can reach it; its variables are not read, since other threads may write them. Of an actor nothing
/// is read: the properties of one that is elsewhere were never written.
package struct ValueSearch {
    /// How many values are looked at each time. What lies in the bytes of a value itself counts as well.
    private static let mostValues = 4096
    /// How many elements of an array are entered each time: from another one on in each search.
    private static let mostElements = 64
    /// How many bytes of enums are copied each time.
    private static let mostCopied = 1 << 16
    /// How often a type may be nested in itself with other arguments before it is taken for one that may hold anything: there may be
    /// no end of such types, and the runtime takes ever longer to make them.
    private static let mostNested = 3

    /// The declarations of the types whose values are searched for.
    ///
    /// Taking one away is cheap, and only makes searches quicker after ``forget()``.
    package private(set) var wanted: Set<UInt> = []
    /// How many values were looked at in all searches.
    package private(set) var values: UInt64 = 0
    private var known: [TypeMetadata: Contents] = [:]

    package init() {}

    package mutating func add(_ declaration: UInt) {
        if wanted.insert(declaration).inserted { forget() }
    }

    package mutating func remove(_ declaration: UInt) { wanted.remove(declaration) }

    /// Forgets in which types something may be found, after what is wanted has changed.
    package mutating func forget() {
        for contents in known.values { contents.mayHold = nil }
    }

    /// Whether a value of a type may hold one that is wanted, by the types of its parts. Its cost is bounded, and small once it was asked.
    package mutating func mayFind(in type: UnsafeRawPointer) -> Bool {
        unsafe !wanted.isEmpty && mayHold(TypeMetadata(unsafeBitCast(type, to: Any.Type.self)))
    }

    /// The wanted declarations of which there are values in a value.
    ///
    /// - Parameter type: The metadata of its type.
    package mutating func declarations(in value: UnsafeRawPointer, type: UnsafeRawPointer) -> Set<UInt> {
        let type = unsafe TypeMetadata(unsafeBitCast(type, to: Any.Type.self))
        let root = contents(of: type)
        root.searches += 1
        // Evenly spread over an array, also where every second search is of another value.
        let turn = (Double(root.searches) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        var walk = unsafe Walk(waiting: [(value, type)], left: Self.mostValues, turn: turn)
        defer { unsafe walk.freeCopies() }
        while unsafe walk.left > 0, let (value, type) = unsafe walk.waiting.popLast() {
            unsafe walk.left -= 1
            if mayHold(type) { unsafe enter(value, type, &walk) }
        }
        values += unsafe UInt64(Self.mostValues - walk.left)
        return unsafe walk.found
    }

    // MARK: Types

    /// What a type is made of.
    private final class Contents {
        enum Form {
            /// A struct, a tuple or an object's constants, by their offsets.
            case parts([(offset: Int, type: TypeMetadata)])
            case array(of: TypeMetadata)
            /// Cases with bytes, and then those without.
            case cases([TypeMetadata.PayloadCase], [TypeMetadata?])
            case container
            case reference
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
            case .array(let element): [element]
            case .cases(let payloads, let empty): payloads.compactMap(\.type) + empty.compactMap(\.self)
            case .container, .reference, .nothing: []
            }
        }

        /// Whether the type does not tell what there may be in a value.
        var isOpen: Bool {
            switch form {
            case .container, .reference: true
            case .parts, .array, .cases, .nothing: false
            }
        }
    }

    private mutating func contents(of type: TypeMetadata) -> Contents {
        if let contents = known[type] { return contents }
        let contents = Contents(type.kind == .class ? nil : type.declaration, Self.form(of: type))
        known[type] = contents
        return contents
    }

    private static func form(of type: TypeMetadata) -> Contents.Form {
        guard type.isCopyable else { return .nothing }
        switch type.kind {
        case .struct where isArray(type): return .array(of: type.genericArgument(0))
        case .struct, .tuple: return .parts(parts(type.fields))
        case .enum, .optional: return .cases(type.payloadCases ?? [], type.emptyCases)
        case .existential:
            switch type.existential {
            case .opaque: return .container
            // The reference is the first word.
            case .object: return .reference
            case .error, nil: return .nothing
            }
        case .class: return .reference
        default: return .nothing
        }
    }

    private static func isArray(_ type: TypeMetadata) -> Bool {
        guard let (module, name) = type.topLevelName else { return false }
        return module == "Swift" && (name == "Array" || name == "ContiguousArray")
    }

    private static func parts(_ fields: [TypeMetadata.Field]?) -> [(offset: Int, type: TypeMetadata)] {
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

    private mutating func mayHold(_ type: TypeMetadata) -> Bool {
        let asked = contents(of: type)
        if let mayHold = asked.mayHold { return mayHold }
        var (reached, waiting) = (Set([type]), [Step(type)])
        while let step = waiting.popLast() {
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

    // MARK: Values

    @unsafe
    fileprivate struct Walk {
        var waiting: [(value: UnsafeRawPointer, type: TypeMetadata)]
        var left: Int
        /// Where in arrays to begin, from 0 to 1.
        let turn: Double
        var found: Set<UInt> = []
        var copied = 0
        var copies: [UnsafeMutableRawPointer] = unsafe []

        func freeCopies() { unsafe copies.forEach { unsafe $0.deallocate() } }
    }

    private mutating func enter(_ value: UnsafeRawPointer, _ type: TypeMetadata, _ walk: inout Walk) {
        let contents = contents(of: type)
        if let declaration = contents.declaration, wanted.contains(declaration) {
            unsafe walk.found.insert(declaration)
        }
        switch contents.form {
        case .parts(let parts):
            for part in parts.reversed() { unsafe walk.waiting.append((value + part.offset, part.type)) }
        case .array(let element): unsafe enterElements(value, element, &walk)
        case .cases(let payloads, let empty): unsafe enterCase(value, type, payloads, empty, &walk)
        case .container:
            if let (value, type) = unsafe type.contained(in: value) { unsafe walk.waiting.append((value, type)) }
        case .reference: unsafe enterObject(value.load(as: UnsafeRawPointer?.self), &walk)
        case .nothing: break
        }
    }

    /// An array is a reference to its count, two words on, and its elements, two words further on.
    private mutating func enterElements(_ array: UnsafeRawPointer, _ element: TypeMetadata, _ walk: inout Walk) {
        guard mayHold(element), let storage = unsafe array.load(as: UnsafeRawPointer?.self) else { return }
        let count = unsafe max(0, storage.load(fromByteOffset: 16, as: Int.self))
        let first = (32 + element.alignment - 1) & ~(element.alignment - 1)
        let begin = unsafe count > Self.mostElements ? Int(walk.turn * Double(count)) : 0
        for number in 0..<min(count, Self.mostElements) {
            let index = (begin + number) % count
            unsafe walk.waiting.append((storage + first + index * element.stride, element))
        }
    }

    private mutating func enterCase(
        _ value: UnsafeRawPointer, _ type: TypeMetadata, _ payloads: [TypeMetadata.PayloadCase],
        _ empty: [TypeMetadata?], _ walk: inout Walk
    ) {
        // Without one, it may be an enum of C, which has no witnesses for its cases.
        guard !payloads.isEmpty || empty.contains(where: { $0 != nil }) else { return }
        let tag = Int(unsafe type.enumTag(of: value))
        guard tag < payloads.count else {
            // What has no size lies anywhere.
            if tag - payloads.count < empty.count, let type = empty[tag - payloads.count] {
                unsafe walk.waiting.append((value, type))
            }
            return
        }
        guard let payload = payloads[tag].type, mayHold(payload),
            let copy = unsafe walk.copy(of: value, size: type.size, alignment: type.alignment)
        else { return }
        unsafe type.projectPayload(copy)
        guard payloads[tag].isIndirect else { return unsafe walk.waiting.append((UnsafeRawPointer(copy), payload)) }
        // A box, which nobody changes: the payload is after its header, as far on as its alignment asks.
        let header = (16 + payload.alignment - 1) & ~(payload.alignment - 1)
        if let box = unsafe copy.load(as: UnsafeRawPointer?.self) {
            unsafe walk.waiting.append((box + header, payload))
        }
    }

    /// Enters the constants of an object, of whatever class it is.
    private mutating func enterObject(_ object: UnsafeRawPointer?, _ walk: inout Walk) {
        guard let object = unsafe object else { return }
        let type = unsafe TypeMetadata(ofObject: object)
        guard type.kind == .class else { return }
        var level: TypeMetadata? = type
        while let current = level {
            if let declaration = current.declaration, wanted.contains(declaration) {
                unsafe walk.found.insert(declaration)
            }
            level = current.superclass
        }
        for part in constants(of: type) where mayHold(part.type) {
            unsafe walk.waiting.append((object + part.offset, part.type))
        }
    }

    private var objects: [TypeMetadata: [(offset: Int, type: TypeMetadata)]] = [:]

    private mutating func constants(of type: TypeMetadata) -> [(offset: Int, type: TypeMetadata)] {
        if let known = objects[type] { return known }
        let constants = type.isActor ? [] : Self.parts(type.fields?.filter { !$0.isMutable })
        objects[type] = constants
        return constants
    }
}

extension ValueSearch.Walk {
    /// A copy of an enum's bytes, until the walk ends; nil where too much was copied already.
    fileprivate mutating func copy(
        of value: UnsafeRawPointer, size: Int, alignment: Int
    ) -> UnsafeMutableRawPointer? {
        let bytes = max(MemoryLayout<UInt>.size, size)
        guard unsafe copied + bytes <= ValueSearch.mostCopied else { return nil }
        unsafe copied += bytes
        let copy = UnsafeMutableRawPointer.allocate(
            byteCount: bytes, alignment: max(alignment, MemoryLayout<UInt>.alignment))
        unsafe copies.append(copy)
        unsafe copy.copyMemory(from: value, byteCount: size)
        return unsafe copy
    }
}
