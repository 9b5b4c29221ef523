// SPDX-License-Identifier: MIT
// What formats of a recording write, kept.

@testable import RerenderTrace

/// What a format wrote.
final class Written {
    var bytes: [UInt8] = []
    var output: TraceOutput { TraceOutput { self.bytes += $0 } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
