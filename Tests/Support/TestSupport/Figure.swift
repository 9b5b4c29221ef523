// SPDX-License-Identifier: MIT
// What a test measured of this machine.

/// A line that `Scripts/proof` keeps, and shows beside the last one of the same name.
package enum Figure {
    package static func note(_ name: String, _ value: some Numeric, _ unit: String) {
        print("figure: \(name): \(value) \(unit)")
    }
}
