// SPDX-License-Identifier: MIT
// The version of the protocol between apps and the daemon.

package import RerenderModel
import RerenderWire

extension RerenderVersion {
    /// The version of the push protocol that this release's daemon and apps speak.
    package static let pushProtocol = Int(WireProtocol.version)
}
