// SPDX-License-Identifier: MIT
// What the stacks of one hang have in common.

import RerenderModel

/// The path that all stacks of a hang share: one late stack would blame whatever ran at its moment.
///
/// It is the app's own functions, after the one of the runtime that the innermost of them called: between those and around
/// them run Swift, the loop and our probes, in every stack alike.
struct StackSummary: Sendable {
    let samples: Int
    /// The functions that are in all of them, innermost first.
    let common: [String]
    /// The function that was innermost most often where they part, and in how many; nil where they never do.
    let inner: (function: String, samples: Int)?

    /// nil without stacks.
    init?(_ stacks: [Hang.Stack]) {
        let stacks = stacks.map { StackFrameText.folded($0.frames) }.filter { !$0.isEmpty }
        guard let first = stacks.first else { return nil }
        samples = stacks.count
        // From the outside in: where the first one parts from any other.
        let outside = Array(first.reversed())
        let shared = outside.indices.prefix { depth in
            stacks.allSatisfy { $0.count > depth && $0[$0.count - 1 - depth] == outside[depth] }
        }.count
        common = Array(outside.prefix(shared).reversed())
        let parted = stacks.filter { $0.count > shared }.map { $0[$0.count - 1 - shared] }
        let counts = Dictionary(grouping: parted, by: \.self).mapValues(\.count)
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        inner = most.map { ($0.key, $0.value) }
    }
}
