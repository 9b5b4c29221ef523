// SPDX-License-Identifier: MIT
// The versions of the daemon, the command line and their push protocol.

import RerenderWire

/// The release that this code belongs to.
package enum RerenderVersion {
    /// Its number, as `--version` prints it.
    package static let current = "0.1.0"
    /// The version of the push protocol that this release's daemon and apps speak.
    package static let pushProtocol = Int(WireProtocol.version)
}
