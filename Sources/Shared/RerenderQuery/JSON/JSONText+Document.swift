// SPDX-License-Identifier: MIT
// The documents that hold one long list, written element by element and never held as a whole.

package import RerenderModel

/// Take the bytes whenever there are enough: all pieces in order are the document, byte for byte as
/// ``StatsExport/encoder()`` gives it for the same values; a number of matching views comes on top.
extension JSONText {
    /// Begins a document that holds one list; its elements follow, each after ``separate()`` or in ``beginProcess(_:)``.
    package mutating func openList(_ name: String, generatedAt: Timestamp? = nil, matchingViews: Int? = nil) {
        open(UInt8(ascii: "{"))
        if let generatedAt { member("generatedAt", generatedAt.iso8601) }
        if let matchingViews { member("matchingViews", matchingViews) }
        key(name)
        open(UInt8(ascii: "["))
    }

    /// Begins a ``ConfigurationList``; its entries follow, each by ``settings(_:)``.
    package mutating func openSettings(notify: Bool) {
        open(UInt8(ascii: "{"))
        member("notify", notify)
        key("stores")
        open(UInt8(ascii: "["))
    }

    /// Begins an entry of an export, whose views follow; the `views` of `process` are not looked at.
    package mutating func beginProcess(_ process: ProcessStats) {
        separate()
        open(UInt8(ascii: "{"))
        membersBeforeViews(of: process)
        open(UInt8(ascii: "["))
    }

    /// Ends the list of views and the entry.
    package mutating func endProcess() {
        close(UInt8(ascii: "]"))
        close(UInt8(ascii: "}"))
    }

    /// Ends the list and the document, of an export with its verdict.
    package mutating func closeList(verdict: Verdict? = nil) {
        close(UInt8(ascii: "]"))
        if let verdict {
            key("verdict")
            self.verdict(verdict)
        }
        member("version", StatsExport.currentVersion)
        close(UInt8(ascii: "}"))
    }
}
