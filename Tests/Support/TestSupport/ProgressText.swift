// SPDX-License-Identifier: MIT
// What `rerenderctl` says of work that takes longer than a second, as it may on a busy machine.

extension String {
    /// The text without the lines that say so.
    package var withoutProgress: String {
        let verbs = ["reading", "writing", "starting", "ending", "waiting", "checking", "exporting"]
        let rest = split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            !verbs.contains { line.hasPrefix("rerenderctl: \($0) ") || line == "rerenderctl: \($0)" }
        }
        return rest.joined(separator: "\n")
    }
}
