// SPDX-License-Identifier: MIT
// Looks whether the user switched Rerender off.

import RerenderModel

/// Looks for the file that `rerenderctl off` makes, in each directory in which this process would look for a daemon: a program that
/// was given a directory of its own is the user's, too.
///
/// A look takes no descriptor. Nothing is watched beside the daemon's socket: a user has 128 instances of inotify(7), and one
/// for each connected program would leave none to the user's other programs. Instead, `rerenderctl off` has the daemon send a
/// message to each, which wakes the uplink's thread.
struct UserSwitch {
    private let directories = RuntimeDirectory.candidates()
    /// When the next look is due.
    private(set) var nextAt: UInt64 = 0

    /// Whether it is off now.
    var isOff: Bool { directories.contains { $0.isSwitchedOff } }

    /// Whether to look now: once in ``StoreLimits/switchLookNanoseconds``, and after ``hurry()``.
    mutating func isDue(at now: UInt64) -> Bool {
        guard now >= nextAt else { return false }
        nextAt = now + StoreLimits.switchLookNanoseconds
        return true
    }

    /// Something came from the daemon, or happened in the directory: the next look is due.
    mutating func hurry() { nextAt = 0 }
}
