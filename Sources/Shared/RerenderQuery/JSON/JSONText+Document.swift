// SPDX-License-Identifier: MIT
// What stands around the one list of each document of ours.

import RerenderModel

extension JSONText {
    /// Begins a document that holds one list; its elements follow.
    mutating func openList(_ name: String, generatedAt: Timestamp, matchingViews: Int? = nil) {
        open(UInt8(ascii: "{"))
        member("generatedAt", generatedAt.iso8601)
        if let matchingViews { member("matchingViews", matchingViews) }
        key(name)
        open(UInt8(ascii: "["))
    }

    /// Ends the list and the document.
    mutating func closeList() {
        close(UInt8(ascii: "]"))
        member("version", StatsExport.currentVersion)
        close(UInt8(ascii: "}"))
    }
}
