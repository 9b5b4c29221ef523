// SPDX-License-Identifier: MIT
// The version of everything that is released together.

/// The release that this code belongs to.
package enum RerenderVersion {
    /// Its number, as `--version` prints it: that of the newest release in CHANGELOG.md. A test compares them.
    package static let current = "0.1.0"
}
