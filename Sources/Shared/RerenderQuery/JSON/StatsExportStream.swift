// SPDX-License-Identifier: MIT
// The export as a stream: the bytes of `StatsExport.json()` without ever holding the document.

package import RerenderModel

/// Writes a ``StatsExport`` view by view.
///
/// Call in this order: ``begin(generatedAt:matchingViews:)``; for each process ``beginProcess(_:)``, ``view(_:)`` for each of its
/// views and ``endProcess()``; ``end()``. Take the bytes whenever there are enough: all pieces in order are the
/// document, byte for byte as ``StatsExport/json()`` gives it for the same values; a number of matching views comes on top.
package struct StatsExportStream: Sendable {
    private var text = JSONText(.pretty)

    package init() {}

    /// Bytes written and not yet taken.
    package var count: Int { text.bytes.count }

    package mutating func take() -> [UInt8] {
        text.take()
    }

    package mutating func begin(generatedAt: Timestamp, matchingViews: Int? = nil) {
        text.openList("processes", generatedAt: generatedAt, matchingViews: matchingViews)
    }

    /// Begins an entry; the `views` of `process` are not looked at.
    package mutating func beginProcess(_ process: ProcessStats) {
        text.separate()
        text.open(UInt8(ascii: "{"))
        text.membersBeforeViews(of: process)
        text.open(UInt8(ascii: "["))
    }

    package mutating func view(_ view: Stats) {
        text.separate()
        text.stats(view)
    }

    package mutating func endProcess() {
        text.close(UInt8(ascii: "]"))
        text.close(UInt8(ascii: "}"))
    }

    package mutating func end() {
        text.closeList()
    }
}
