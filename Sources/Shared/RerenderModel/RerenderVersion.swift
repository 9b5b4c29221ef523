// SPDX-License-Identifier: MIT
// The version of everything that is released together.

/// The release that this code belongs to.
public enum RerenderVersion: Sendable {
    /// Its number, as `--version` prints it: that of the newest release in CHANGELOG.md. A test compares them.
    public static let current = "0.1.0"
}
