// SPDX-License-Identifier: MIT
// Stored properties of a view that are more than a value: found once per type, updated before each evaluation.

@_spi(Bridge) import Rerender

/// What a dynamic property is connected with.
@MainActor
struct DynamicPropertyContext {
    /// The node whose view has the property.
    let node: Node
    var storage: [AnyObject?]
    /// The property's name.
    var name = ""
    var slot = 0

    /// What the property keeps from one evaluation to the next. An object that is an ``UnmountedStorage`` is told when
    /// the view disappears.
    var stored: AnyObject? {
        get { storage[slot] }
        set { storage[slot] = newValue }
    }
}

/// Something that a dynamic property keeps and that has to end with the view.
@MainActor
protocol UnmountedStorage: AnyObject {
    /// The view is gone.
    func unmount()
}

/// A dynamic property of the library, which the graph connects to the view's node. Its own parts are not searched.
@MainActor
protocol BuiltInProperty: DynamicProperty, InputComparable {
    /// Connects the property to the node: takes up what was stored in the evaluation before.
    mutating func update(in context: inout DynamicPropertyContext)
}

/// Where the dynamic properties of a type are.
@MainActor
final class PropertyLayout {
    @safe private struct Entry {
        let name: String
        let offset: Int
        let update: @MainActor (UnsafeMutableRawPointer, inout DynamicPropertyContext) -> Void
    }

    private var entries: [Entry] = []
    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    private static var layouts: [ObjectIdentifier: PropertyLayout] = [:]

    /// The layout of a type, made once.
    static func layout(of type: Any.Type) -> PropertyLayout {
        if let known = layouts[ObjectIdentifier(type)] { return known }
        let made = PropertyLayout()
        made.search(type, prefix: "", offset: 0)
        layouts[ObjectIdentifier(type)] = made
        return made
    }

    /// Updates the properties of a node's view, the inner ones first.
    ///
    /// Proof of the unsafe parts: the layout is of the value's type, and the value is ours while it is updated.
    func update<Value>(_ value: inout Value, of node: Node, _ storage: inout [AnyObject?]) {
        var context = DynamicPropertyContext(node: node, storage: storage)
        defer { storage = context.storage }
        unsafe withUnsafeMutablePointer(to: &value) { pointer in
            let base = UnsafeMutableRawPointer(pointer)
            for (index, entry) in entries.enumerated() {
                context.slot = index
                context.name = entry.name
                unsafe entry.update(base + entry.offset, &context)
            }
        }
    }

    private func search(_ type: Any.Type, prefix: String, offset: Int) {
        for field in StoredProperty.all(of: type) ?? [] where field.isStrong {
            let name = prefix.isEmpty ? plainName(field.name) : "\(prefix).\(plainName(field.name))"
            if let property = field.type as? any BuiltInProperty.Type {
                append(name, offset + field.offset, property)
            } else if let property = field.type as? any DynamicProperty.Type {
                search(field.type, prefix: name, offset: offset + field.offset)
                append(name, offset + field.offset, property)
            } else if field.type is any ViewModifier.Type {
                search(field.type, prefix: prefix, offset: offset + field.offset)
            }
        }
    }

    private func append<Property: BuiltInProperty>(_ name: String, _ offset: Int, _: Property.Type) {
        unsafe entries.append(
            Entry(name: name, offset: offset) { pointer, context in
                unsafe pointer.assumingMemoryBound(to: Property.self).pointee.update(in: &context)
            })
    }

    @_disfavoredOverload
    private func append<Property: DynamicProperty>(_ name: String, _ offset: Int, _: Property.Type) {
        unsafe entries.append(
            Entry(name: name, offset: offset) { pointer, _ in
                unsafe pointer.assumingMemoryBound(to: Property.self).pointee.update()
            })
    }
}
