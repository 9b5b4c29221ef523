// SPDX-License-Identifier: MIT
// Functions of another module that call a bridge.

package import WriterKit

/// What a toolkit above the bridge does.
package enum Toolkit {
    /// Returns the line of the write.
    package static func press(_ bridge: Bridge) -> Int { bridge.write("pressed"); return #line }
}
