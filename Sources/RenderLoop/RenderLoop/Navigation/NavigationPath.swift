// SPDX-License-Identifier: MIT
// The values whose pages lie over a navigation stack's root.

/// Values of any type whose pages lie over the root of a ``NavigationStack``, the last in front.
@MainActor
public struct NavigationPath: @MainActor Equatable {
    var values: [AnyHashable]

    /// The root alone is shown.
    public init() { values = [] }
    /// The pages of these values are shown over the root.
    public init<Values: Sequence>(_ values: Values) where Values.Element: Hashable {
        self.values = values.map { AnyHashable($0) }
    }

    /// How many pages are over the root.
    public var count: Int { values.count }
    /// Whether the root is shown.
    public var isEmpty: Bool { values.isEmpty }

    /// Shows the page of a value.
    public mutating func append<Value: Hashable>(_ value: Value) { values.append(AnyHashable(value)) }

    /// Goes back so many pages, as far as there are any.
    public mutating func removeLast(_ count: Int = 1) { values.removeLast(min(max(0, count), values.count)) }

    /// Whether the same pages are shown.
    public static func == (lhs: NavigationPath, rhs: NavigationPath) -> Bool { lhs.values == rhs.values }
}
