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
    }

    package let content: Content
    /// Whether the wrapped value is the content alone, so that waste may be inferred where that is equal.
    package let isWhole: Bool

    package init(_ content: Content, isWhole: Bool = false) {
        self.content = content
        self.isWhole = isWhole
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

    static func description(of declaration: UInt) -> WrapperDescription? { known.withLock { $0[declaration] } }
}
