// SPDX-License-Identifier: MIT
// The targets of this module, which needs little else, so that `Scripts/fuzz --mutations` has a small program to build.

extension FuzzTarget {
    /// What an app and the daemon read of each other.
    package static let wire: [FuzzTarget] = [frames, pages]
}
