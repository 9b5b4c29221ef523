// SPDX-License-Identifier: MIT
// Writes sizes of files.

import RerenderModel

/// Bytes as a person reads them.
package enum ByteText {
    /// `812 bytes`, `24.5 KiB`, `1.4 MiB`, `3.0 GiB`; cut and not rounded.
    package static func short(_ bytes: UInt64) -> String {
        guard bytes >= 1 << 10 else { return Counted.text(bytes, "byte") }
        let (unit, shift) = bytes >> 30 > 0 ? ("GiB", 30) : bytes >> 20 > 0 ? ("MiB", 20) : ("KiB", 10)
        let tenths = ((bytes >> UInt64(shift - 10)) * 10) >> 10
        return "\(Counted.grouped(tenths / 10)).\(tenths % 10) \(unit)"
    }
}
