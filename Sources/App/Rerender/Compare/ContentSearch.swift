// SPDX-License-Identifier: MIT
// Finds where a property wrapper keeps what it wraps, from the stored properties of the wrapper and of its boxes.

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

    /// What lies at the end of a path of stored properties, through objects; nil if there is no such path.
    func content(at names: [String], isWhole: Bool) -> Content? {
        var place = Place(), holder = wrapper
        for name in names {
            guard let inside = Self.enter(holder, place) else { return nil }
            guard let field = inside.fields.first(where: { $0.name == name }), field.ownership == .strong,
                let type = field.type
            else { return nil }
            if !inside.place.hops.isEmpty, Locks.mayBe(among: inside.fields.filter { $0.name != name }) { return nil }
            (place, holder) = (inside.place.advanced(by: field.offset), type)
        }
        return Content(place: place, type: holder, isWhole: isWhole)
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
