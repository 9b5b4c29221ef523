// SPDX-License-Identifier: MIT
// Where daemons of tests live, and what their unit allows them.

import Foundation
import Glibc
import RerenderModel
import TestSupport

/// A process that there is not.
enum DeadProcess {
    /// A number over the largest that the kernel gives.
    static let pid: Int32 = 2_000_000_000
}

/// What the daemon's unit for systemd says.
enum DaemonUnit {
    /// The bytes of memory that it allows; 0 if it does not say.
    static func memoryMax() throws -> Int {
        let text = try String(contentsOf: Checkout.url("systemd/rerenderd.service"), encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemoryMax=") }
        return (Int(line?.filter(\.isNumber) ?? "") ?? 0) << 20
    }
}
