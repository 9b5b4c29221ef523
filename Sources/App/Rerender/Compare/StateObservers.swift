// SPDX-License-Identifier: MIT
// Adds an observer of ours to those that a framework keeps for its state: closures in a dictionary, which it calls after each write.

/// Where the values of a type keep the observers of their state, as descriptions of their wrappers say.
///
/// Proof of the unsafe parts: the way leads through objects, each of the class that the metadata of what holds it names, to a stored property
/// of exactly the type that is written here. Who calls ``observe(_:_:)`` says that the value lives, and that no other thread has its state.
@safe
package struct StateObservers: Sendable {
    private typealias Closures = [Int: () -> Void]

    /// The framework counts the numbers of its own up from 0.
    private static let ownNumber = Int.min
    private static let known = BoundedCache<TypeMetadata, StateObservers>(limit: StoreLimits.comparedTypes)

    private let properties: [(name: String, place: Place)]

    /// - Parameter type: The metadata of a type.
    package static func of(_ type: UnsafeRawPointer) -> StateObservers {
        // Metadata is what a metatype points to.
        let type = TypeMetadata(unsafe unsafeBitCast(type, to: Any.Type.self))
        return known.value(for: type) { StateObservers(type) }
    }

    private init(_ type: TypeMetadata) {
        properties = (type.fields ?? []).compactMap { field -> (name: String, place: Place)? in
            guard let name = DeclaredName.wrapped(field), let wrapper = field.type,
                let place = Self.place(in: wrapper)
            else { return nil }
            return (name, Place().advanced(by: field.offset).followed(by: place))
        }
    }

    private static func place(in wrapper: TypeMetadata) -> Place? {
        guard let description = wrapper.declaration.flatMap(WrapperAdapters.description(of:)),
            let observers = description.observers, case .object(let content) = description.content
        else { return nil }
        func find(_ names: [String]) -> PropertyWrapper.Content? {
            ContentSearch(wrapper: wrapper).content(at: names, isWhole: false, isOfOneThread: true)
        }
        // An object tells of its own writes, on whatever thread: that one has the observers, too.
        guard let wrapped = find(content)?.type, !mayBeObject(wrapped),
            find(observers.path + [observers.later]) != nil,
            let found = find(observers.path + [observers.name]), found.type == TypeMetadata(Closures.self)
        else { return nil }
        return found.place.hops.isEmpty ? nil : found.place
    }

    private static func mayBeObject(_ type: TypeMetadata) -> Bool {
        switch type.kind {
        case .class, .existential: true
        case .optional: mayBeObject(type.genericArgument(0))
        default: false
        }
    }

    /// Has each write of a property's state call a closure, where nothing observes it yet: then no other thread has it either.
    package func observe(_ value: UnsafeRawPointer, _ observer: (_ property: String) -> () -> Void) {
        for (name, place) in properties {
            guard let observers = unsafe Self.observers(in: Address(value), at: place),
                unsafe observers.pointee.isEmpty
            else { continue }
            unsafe observers.pointee[Self.ownNumber] = observer(name)
        }
    }

    private static func observers(in value: Address, at place: Place) -> UnsafeMutablePointer<Closures>? {
        var base = value
        for hop in place.hops {
            base = Address(bits: base.word(hop.offset))
            guard base.bits != 0, base.type() == hop.type else { return nil }
        }
        return unsafe (base + place.offset).mutable.assumingMemoryBound(to: Closures.self)
    }
}
