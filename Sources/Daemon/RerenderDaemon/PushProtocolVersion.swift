// SPDX-License-Identifier: MIT
// The push protocol's version, for those who must not know the protocol.

import RerenderWire

extension RerenderVersion {
    /// The version of the push protocol that this package's daemon and apps speak.
    package static let pushProtocol = Int(WireProtocol.version)
}
