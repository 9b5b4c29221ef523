// SPDX-License-Identifier: MIT
// The bridges that are told of pulses, beside the app's own handler.

import RerenderModel

/// Who is called with the keys of pulses.
struct PulseFollowers: Sendable {
    private var followers: [(id: UInt64, body: @Sendable (ViewKey) -> Void)] = []
    private var serial: UInt64 = 0

    var all: [@Sendable (ViewKey) -> Void] { followers.map(\.body) }

    mutating func add(_ body: @escaping @Sendable (ViewKey) -> Void) -> UInt64 {
        serial += 1
        followers.append((serial, body))
        return serial
    }

    mutating func remove(_ id: UInt64) { followers.removeAll { $0.id == id } }
}
