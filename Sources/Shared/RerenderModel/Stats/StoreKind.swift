// SPDX-License-Identifier: MIT
// What the views of a store are.

/// What the views of a store are, and so what can be told of them. A store's name is the program's own choice and says nothing.
public enum StoreKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// Views in whose bodies the program calls the library, or a framework does.
    case views
    /// Views of a program that does not call the library: a hook is in each body.
    case injectedViews
    /// Kinds of widgets of GTK.
    case widgets
}
