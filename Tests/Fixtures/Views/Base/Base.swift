// SPDX-License-Identifier: MIT
// Values of another module, which the app makes views.

public struct Price {
    public let cents: Int
    public init(cents: Int) { self.cents = cents }
}
