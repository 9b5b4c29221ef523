// SPDX-License-Identifier: MIT
// What `rerenderctl run` knows of a command beside its counts.

/// The rest of what a command's run left: its name, its hangs, and what may be missing.
///
/// Only the export that `rerenderctl run` writes has one, so that everything can be looked at afterwards.
package struct RunRecord: Hashable, Codable, Sendable {
    /// The most hangs that are kept.
    package static let mostHangs = 200

    /// The name of the program that was run.
    package var program: String
    /// The build ID of its file, in hexadecimal digits; nil where the file has none, or where the program was started by another one.
    package var buildID: String?
    /// The newest hangs, newest first.
    package var hangs: [Hang]
    /// How many more there were.
    package var hangsForgotten: UInt64
    /// Long turns that nobody could watch: what of them was a hang is not known.
    package var unwatchedTurns: UInt64
    /// What else may be missing, as sentences.
    package var gaps: [String]

    /// - Parameter hangs: All of them, newest first; ``mostHangs`` are kept.
    package init(
        program: String, buildID: String?, hangs: [Hang], hangsForgotten: UInt64, unwatchedTurns: UInt64, gaps: [String]
    ) {
        (self.program, self.buildID, self.unwatchedTurns, self.gaps) = (program, buildID, unwatchedTurns, gaps)
        self.hangs = Array(hangs.prefix(Self.mostHangs))
        self.hangsForgotten = hangsForgotten.clampedSum(UInt64(max(0, hangs.count - Self.mostHangs)))
    }
}
