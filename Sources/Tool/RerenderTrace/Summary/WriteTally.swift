// SPDX-License-Identifier: MIT
// Writes that invalidated views, by property and writer.

/// How often one piece of code wrote one property.
package struct WriteCount: Hashable, Sendable {
    /// The process.
    package let pid: Int32
    /// The property: `Gauge.level`.
    package let property: String
    /// Function, file and line of what wrote.
    package let writer: String
    /// Its writes.
    package var count: UInt64
    /// The views that they invalidated, each as often as it was.
    package var views: UInt64
}

/// Counts writes; bounded by ``TraceLimits/writes``.
struct WriteTally: Sendable {
    private struct Key: Hashable {
        let pid: Int32
        let name: TextID
        let writer: TextID
    }

    private var counts: [Key: (count: UInt64, views: UInt64)] = [:]
    private(set) var total: UInt64 = 0

    mutating func record(_ write: Write, pid: Int32) {
        total += 1
        let key = Key(pid: pid, name: write.name, writer: write.writer)
        guard counts.count < TraceLimits.writes || counts[key] != nil else { return }
        counts[key, default: (0, 0)].count += 1
        counts[key, default: (0, 0)].views &+= UInt64(write.views)
    }

    func writes(_ texts: TraceTexts) -> [WriteCount] {
        counts.map {
            WriteCount(
                pid: $0.key.pid, property: texts[$0.key.name], writer: texts[$0.key.writer], count: $0.value.count,
                views: $0.value.views)
        }.sorted {
            $0.count != $1.count ? $0.count > $1.count : ($0.property, $0.writer) < ($1.property, $1.writer)
        }
    }
}
