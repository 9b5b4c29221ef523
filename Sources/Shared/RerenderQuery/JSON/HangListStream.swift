// SPDX-License-Identifier: MIT
// The list of hangs as a stream: the bytes of `HangList` without ever holding the document.

package import RerenderModel

/// Writes a ``HangList`` hang by hang: ``begin(generatedAt:)``, ``hang(_:)`` for each, ``end()``.
///
/// Take the bytes whenever there are enough: all pieces in order are the document, byte for byte as
/// ``StatsExport/encoder()`` gives it for the same values.
package struct HangListStream: Sendable {
    private var text = JSONText(.pretty)

    package init() {}

    /// Bytes written and not yet taken.
    package var count: Int { text.bytes.count }

    package mutating func take() -> [UInt8] {
        text.take()
    }

    package mutating func begin(generatedAt: Timestamp) {
        text.openList("hangs", generatedAt: generatedAt)
    }

    package mutating func hang(_ hang: Hang) {
        text.separate()
        text.hang(hang)
    }

    package mutating func end() {
        text.closeList()
    }
}
