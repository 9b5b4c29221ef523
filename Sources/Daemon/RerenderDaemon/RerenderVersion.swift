// SPDX-License-Identifier: MIT
// The version of the daemon and the command line.

/// The release that this code belongs to.
package enum RerenderVersion {
    /// Its number, as `--version` prints it.
    package static let current = "0.1.0"
}
