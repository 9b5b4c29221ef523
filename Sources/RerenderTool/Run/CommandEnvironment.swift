// SPDX-License-Identifier: MIT
// The environment of a command that we start.

import FoundationEssentials

/// Builds environments.
enum CommandEnvironment {
    /// Our own environment with some variables set to other values, as `NAME=value` texts.
    static func ours(with changes: [String: String] = [:]) -> [String] {
        ProcessInfo.processInfo.environment.merging(changes) { $1 }.map { "\($0)=\($1)" }.sorted()
    }
}
