// SPDX-License-Identifier: MIT
// What code that knows a framework says of the framework's property wrappers.

import Synchronization

/// What is said of one type, whatever its generic arguments.
package struct WrapperDescription: Sendable {
    package enum Content: Sendable {
        /// The type is no property wrapper.
        case noWrapper
        /// It is one, and what it wraps cannot be read.
        case closed
        /// The names of stored properties from the wrapper to what it wraps, through objects and optional ones.
        case path([String])
        /// The same way to an object. Beside its identity, its properties in described wrappers are compared, each by its name.
        case object([String])
        /// The same way to a value. Each write of it is announced to the view, and other threads may write: its bits are compared, and
        /// no address in them is followed. Other bits prove a write.
        case bits([String])
        /// The same way to an enum, and from the payload of each case on to what is wrapped, by the names of all its cases. Its
        /// bits are compared, as those of `bits` are.
        case cases([String], [String: [String]])
    }

    /// Whose bodies read the content: one that did not read it in its last evaluation is not evaluated because it changed.
    package struct Readers: Sendable {
        /// The names of stored properties from the wrapper to an array of objects, some of them nil.
        package let list: [String]
        /// The stored property of such an object that has an instance's number, and the bits of it that this is compared with.
        package let number: String
        package let mask: UInt64

        package init(list: [String], number: String, mask: UInt64) {
            (self.list, self.number, self.mask) = (list, number, mask)
        }
    }

    /// What hears of each write of the content: closures by number in a dictionary.
    package struct Observers: Sendable {
        /// The names of stored properties from the wrapper to the object that has the dictionary, and that of the dictionary.
        package let path: [String]
        package let name: String
        /// Another stored property of that object, without which it is not known that views are updated only when all were told.
        package let later: String

        package init(path: [String], name: String, later: String) {
            (self.path, self.name, self.later) = (path, name, later)
        }
    }

    package let content: Content
    /// Whether the wrapped value is the content alone, so that waste may be inferred where that is equal.
    package let isWhole: Bool
    /// Whether only the thread that evaluates writes the content: then a lock beside it is for others, who read.
    package let isOfOneThread: Bool
    package let readers: Readers?
    package let observers: Observers?

    package init(
        _ content: Content, isWhole: Bool = false, isOfOneThread: Bool = false, readers: Readers? = nil,
        observers: Observers? = nil
    ) {
        self.content = content
        self.isWhole = isWhole
        self.isOfOneThread = isOfOneThread
        self.readers = readers
        self.observers = observers
    }
}

/// The descriptions by types. They come before what the types' metadata and symbols tell.
package enum WrapperAdapters {
    private static let known = Mutex<[UInt: WrapperDescription]>([:])

    /// Describes a type. Of use before a value that holds one is first compared: what was found of a type is kept.
    ///
    /// - Parameter declaration: The address of the type's descriptor, which all its specialisations share.
    package static func describe(_ declaration: UInt, as description: WrapperDescription) {
        known.withLock { known in
            guard known.count < StoreLimits.comparedTypes || known[declaration] != nil else { return }
            known[declaration] = description
        }
    }

    /// The address of a type's descriptor; nil for types without a declaration.
    package static func declaration(of type: Any.Type) -> UInt? { TypeMetadata(type).declaration }

    /// The names of a declared type's stored properties; nil in a program without reflection metadata.
    ///
    /// - Parameter declaration: The address of the descriptor of a struct, a class or an enum.
    package static func storedProperties(of declaration: UInt) -> [String]? {
        // Proof: the address is that of a descriptor, which lives for ever.
        unsafe TypeDescriptor(UnsafeRawPointer(bitPattern: declaration))?.fieldRecords?.map(\.name)
    }

    static func description(of declaration: UInt) -> WrapperDescription? { known.withLock { $0[declaration] } }
}
