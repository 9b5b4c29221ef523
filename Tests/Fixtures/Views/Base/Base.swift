// SPDX-License-Identifier: MIT
// Values of another module, which the app makes views.

/// A value that is no view here.
public struct Price {
    /// What it is.
    public let cents: Int
    /// Makes a price.
    public init(cents: Int) { self.cents = cents }
}
