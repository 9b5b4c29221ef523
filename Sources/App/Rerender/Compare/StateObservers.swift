// SPDX-License-Identifier: MIT
// Adds an observer of ours to those that a framework keeps for its state: closures in a dictionary, which it calls after each write.

/// Where the values of a type keep the observers of their state, as descriptions of their wrappers say.
///
/// Proof of the unsafe parts: the way leads through objects, each of the class that the metadata of what holds it names, to a stored property
/// of exactly the type that is written here. Who calls ``observe(_:if:_:)`` says that the value lives. Only the storage that all empty dictionaries
/// share is replaced, in one store, by one with room for the framework's own: so for another thread that reads meanwhile, no memory goes.
@safe
package struct StateObservers: Sendable {
    private typealias Closures = [Int: () -> Void]

    /// The framework counts the numbers of its own up from 0.
    private static let ownNumber = Int.min
    private static let known = BoundedCache<TypeMetadata, StateObservers>(limit: StoreLimits.comparedTypes)
    /// What an empty dictionary is: where none was ever filled, the same for all.
    private static let empty = unsafe unsafeBitCast([:] as Closures, to: UInt.self)

    private let properties: [(name: String, place: Place)]

    /// - Parameter type: The metadata of a type.
    package static func of(_ type: UnsafeRawPointer) -> StateObservers {
        // Metadata is what a metatype points to.
        let type = TypeMetadata(unsafe unsafeBitCast(type, to: Any.Type.self))
        return known.value(for: type) { StateObservers(type) }
    }

    private init(_ type: TypeMetadata) {
        let fields = type.fields ?? []
        properties = fields.compactMap { field -> (name: String, place: Place)? in
            guard let place = field.type.flatMap(Self.place(in:)),
                let wrapper = PropertyWrapper.of(field, among: fields)
            else { return nil }
            return (wrapper.name, Place().advanced(by: field.offset).followed(by: place))
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

    /// Has each write of a property's state call a closure, where nothing ever observed it.
    ///
    /// - Parameters:
    ///   - isMeant: Whether a write is on the thread of the views.
    ///   - observer: Makes the closure. Of a write on another thread, it is not known before which update it is called.
    package func observe(
        _ value: UnsafeRawPointer, if isMeant: @escaping () -> Bool,
        _ observer: (_ property: String) -> (_ isMeant: Bool) -> Void
    ) {
        for (name, place) in properties {
            guard let observers = unsafe Self.observers(in: Address(value), at: place) else { continue }
            let heard = observer(name)
            var closures = Closures(minimumCapacity: 3)
            closures[Self.ownNumber] = {
                guard isMeant() else { return heard(false) }
                // Alone, it is of a view without a node, or whose node is gone. The publisher, which calls it, has the dictionary.
                if unsafe observers.pointee.count > 1 { heard(true) }
            }
            unsafe observers.pointee = closures
        }
    }

    private static func observers(in value: Address, at place: Place) -> UnsafeMutablePointer<Closures>? {
        var base = value
        for hop in place.hops {
            base = Address(bits: base.word(hop.offset))
            guard base.bits != 0, base.type() == hop.type else { return nil }
        }
        guard base.word(place.offset) == empty else { return nil }
        return unsafe (base + place.offset).mutable.assumingMemoryBound(to: Closures.self)
    }
}
