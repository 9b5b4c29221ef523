// SPDX-License-Identifier: MIT
// Finds the files of the checkout.

package import Foundation

/// The checkout that the tests were built from.
package enum Checkout {
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The place of a file, by its path in the checkout.
    package static func url(_ path: String) -> URL { root.appending(path: path) }

    /// The path of a file, by its path in the checkout.
    package static func path(_ path: String) -> String { url(path).path }
}
