// SPDX-License-Identifier: MIT
// Finds where a property wrapper keeps what it wraps, and who read that, from the stored properties of the wrapper and of its boxes.

/// Looks for the content of one type of wrappers.
struct ContentSearch {
    let wrapper: TypeMetadata
    typealias Content = PropertyWrapper.Content

    /// The wrapped value where it is itself a stored property.
    var stored: Content? {
        guard let content = content(at: ["wrappedValue"], isWhole: true) else { return nil }
        let others = (wrapper.fields ?? []).filter { $0.name != "wrappedValue" && $0.type?.size != 0 }
        var found = content
        // What else is there is compared, or else the projected value may be another for it.
        found.isWhole = others.allSatisfy(Self.isPlain) && (wrapper.kind == .struct || others.isEmpty)
        found.rest = found.isWhole ? others : []
        return found
    }

    /// What an adapter says there is; nil if it is not there.
    func content(of description: WrapperDescription) -> Content? {
        let isOfOneThread = description.isOfOneThread
        switch description.content {
        case .noWrapper, .closed: return nil
        case .path(let names):
            guard var found = content(at: names, isWhole: description.isWhole, isOfOneThread: isOfOneThread) else {
                return nil
            }
            if let readers = description.readers {
                guard let known = self.readers(readers) else { return nil }
                found.readers = known
            }
            return found
        case .object(let names):
            var found = content(at: names, isWhole: description.isWhole, isOfOneThread: isOfOneThread)
            found?.isEntered = true
            return found
        case .bits(let names):
            var found = content(at: names, isWhole: false, isOfOneThread: true)
            let shape = found.map { ShapeReference(Shape(.bytes, $0.type, size: $0.type.size, isOpaque: true)) }
            found?.shape = shape
            return found
        case .cases(let names, let cases): return content(at: names, cases: cases)
        }
    }

    /// What lies at the end of a path of stored properties, through objects; nil if there is no such path.
    ///
    /// - Parameter isOfOneThread: Whether no lock on the way is for the thread that evaluates.
    func content(at names: [String], isWhole: Bool, isOfOneThread: Bool = false) -> Content? {
        var place = Place(), holder = wrapper
        for name in names {
            guard let inside = Self.enter(holder, place) else { return nil }
            guard let field = inside.fields.first(where: { $0.name == name }), field.ownership == .strong,
                let type = field.type
            else { return nil }
            if !isOfOneThread, !inside.place.hops.isEmpty,
                Locks.mayBe(among: inside.fields.filter { $0.name != name })
            {
                return nil
            }
            (place, holder) = (inside.place.advanced(by: field.offset), type)
        }
        return Content(place: place, type: holder, isWhole: isWhole)
    }

    /// What the payload of each case of an enum leads to: of one type, compared by its bits.
    private func content(at names: [String], cases: [String: [String]]) -> Content? {
        guard let outer = content(at: names, isWhole: false), outer.type.kind == .enum,
            let payloads = outer.type.payloadCases, payloads.count == cases.count, payloads.count > 1,
            ShapeMaker.canProject(outer.type)
        else { return nil }
        var parts: [Shape.Part] = []
        var wrapped: TypeMetadata?
        for payload in payloads {
            guard !payload.isIndirect, let type = payload.type, let path = cases[payload.name],
                let found = path.isEmpty
                    ? Content(place: Place(), type: type)
                    : ContentSearch(wrapper: type).content(at: path, isWhole: false, isOfOneThread: true),
                wrapped == nil || wrapped == found.type
            else { return nil }
            wrapped = found.type
            // Each as what lies in a box, or the ways that lead through one would differ from those that do not.
            let bits = Shape.boxed(type, found.place, size: found.type.size, nil, isOpaque: true)
            parts.append(Shape.Part(offset: 0, size: type.size, shape: ShapeReference(bits)))
        }
        var found = outer
        found.shape = ShapeReference(
            Shape(.alternatives, outer.type, size: outer.type.size, parts: parts, isOpaque: true))
        return found
    }

    private func readers(_ readers: WrapperDescription.Readers) -> ContentReaders? {
        guard let list = content(at: readers.list, isWhole: false, isOfOneThread: true), !list.place.hops.isEmpty,
            list.type.topLevelName.map({ $0 == ("Swift", "Array") }) == true
        else { return nil }
        let element = list.type.genericArgument(0)
        guard element.kind == .optional, element.genericArgument(0).kind == .class,
            let number = element.genericArgument(0).fields?.first(where: { $0.name == readers.number }),
            number.ownership == .strong, number.type == TypeMetadata(UInt64.self)
        else { return nil }
        return ContentReaders(place: list.place, number: number.offset, mask: readers.mask)
    }

    /// The one stored property of the wrapped type; nil if there are several or none.
    ///
    /// - Parameter wrapped: The type of `wrappedValue` as symbols have it.
    func content(declaredAs wrapped: WrappedType) -> Content? {
        var found: [(content: Content, isGuarded: Bool)] = []
        descend(wrapper, Place(), wrapped, StoreLimits.wrapperDepth, isGuarded: false, &found)
        guard found.count == 1, let only = found.first else { return nil }
        // Who may write it meanwhile on another thread is kept off by a lock, which we do not take.
        return only.isGuarded && !only.content.place.hops.isEmpty ? nil : only.content
    }

    private func descend(
        _ holder: TypeMetadata, _ place: Place, _ wrapped: WrappedType, _ depth: Int, isGuarded: Bool,
        _ found: inout [(content: Content, isGuarded: Bool)]
    ) {
        guard depth > 0, let inside = Self.enter(holder, place) else { return }
        let isGuarded = isGuarded || Locks.mayBe(among: inside.fields)
        for field in inside.fields where field.ownership == .strong {
            guard let type = field.type else { continue }
            let place = inside.place.advanced(by: field.offset)
            if isContent(field, type, wrapped) {
                found.append((Content(place: place, type: type), isGuarded))
            } else {
                let next = type.kind == .optional ? type.genericArgument(0) : type
                guard next.kind == .class || type.kind == .struct, next.module == wrapper.module,
                    next.declaration != wrapper.declaration
                else { continue }
                descend(next, place, wrapped, depth - 1, isGuarded: isGuarded, &found)
            }
        }
    }

    /// The stored properties of a type, and the way to the beginning of what holds them.
    private static func enter(
        _ holder: TypeMetadata, _ place: Place
    ) -> (fields: [TypeMetadata.Field], place: Place)? {
        let type = holder.kind == .optional ? holder.genericArgument(0) : holder
        guard type.isCopyable, let fields = type.fields else { return nil }
        switch type.kind {
        case .class where !SystemTypes.declares(type): return (fields, place.entering(type))
        // An optional around a struct may hold nothing.
        case .struct where holder.kind == .struct: return (fields, place)
        default: return nil
        }
    }

    private func isContent(_ field: TypeMetadata.Field, _ type: TypeMetadata, _ wrapped: WrappedType) -> Bool {
        switch wrapped {
        case .parameter(let index):
            // The type alone is not enough: of `State<Int>` a number beside the value has it, too.
            guard field.isParameter else { return false }
            return wrapper.argument(index, is: type)
                || type.kind == .optional && wrapper.argument(index, is: type.genericArgument(0))
        case .named(let name): return PropertySymbols.isNamed(type, name)
        }
    }

    /// Text and numbers, which are compared by what they are.
    private static func isPlain(_ field: TypeMetadata.Field) -> Bool {
        let shape = ShapeMaker.shape(of: field).shape
        return !shape.isOpaque && (shape.kind == .bytes || shape.kind == .string)
    }
}

/// Tells what may be a lock by what it is made of.
enum Locks {
    /// Whether one of the stored properties may be a lock that guards the others.
    static func mayBe(among fields: [TypeMetadata.Field]) -> Bool { fields.contains { mayBe($0, depth: 3) } }

    private static func mayBe(_ field: TypeMetadata.Field, depth: Int) -> Bool {
        guard field.ownership == .strong else { return false }
        // A mutex and an atomic cannot be copied and have no type here.
        guard let type = field.type else { return true }
        return mayBe(type.kind == .optional ? type.genericArgument(0) : type, depth: depth)
    }

    private static func mayBe(_ type: TypeMetadata, depth: Int) -> Bool {
        guard type.isCopyable else { return true }
        switch type.kind {
        case .class where SystemTypes.declares(type): return true
        case .other: return !SystemTypes.isValue(type)
        case .class, .struct: break
        default: return false
        }
        if type.kind == .struct, SystemTypes.contains(type) || type.module == "__C" {
            let shape = ShapeMaker.shape(of: type).shape
            // The address of one, or one of C's.
            return shape.isOpaque && (type.module == "__C" || shape.kind == .bytes || shape.kind == .doubtful)
        }
        guard depth > 0, let fields = type.fields else { return type.kind == .class }
        // A lock of the program's own has nothing beside it but numbers. What has more guards that.
        let others = fields.filter { !mayBe($0, depth: depth - 1) }
        return others.count < fields.count && others.allSatisfy { $0.type?.isTrivial == true }
    }
}

/// Where the content of a wrapper keeps who read it: an array of objects, some of them nil, each with an instance's number.
///
/// The thread that evaluates alone writes the array, as whoever describes the wrapper says.
struct ContentReaders: Sendable {
    /// The way to the array, from the beginning of the wrapper or of what holds it.
    var place: Place
    /// Where the number lies in an object of the array.
    let number: Int
    /// The bits of an instance's number that it is compared with.
    let mask: UInt64

    /// More are not looked at: then it counts as not read.
    private static let limit = 4096

    /// The same, where the wrapper is reached from something else.
    func behind(_ outer: Place) -> ContentReaders {
        var moved = self
        moved.place = outer.followed(by: place)
        return moved
    }

    /// Whether an instance is among the readers.
    func contain(_ instance: UInt64, in value: Address) -> Bool {
        var base = value
        for hop in place.hops {
            base = Address(bits: base.word(hop.offset))
            guard base.bits != 0, base.type() == hop.type else { return false }
        }
        // An array is a reference to its count, two words on, and its elements, two words further on.
        let list = Address(bits: base.word(place.offset))
        let count = min(Int(bitPattern: list.word(16)), Self.limit)
        for index in 0..<max(0, count) {
            let reader = list.word(32 + index * 8)
            if reader != 0, UInt64(Address(bits: reader).word(number)) == instance & mask { return true }
        }
        return false
    }
}
