// SPDX-License-Identifier: MIT
// How long a test waits for what must come.

/// The time after which a wait fails: long enough for any machine, because a wait ends when what it waits for comes.
package enum WaitLimit {
    package static let seconds = 300.0
}
