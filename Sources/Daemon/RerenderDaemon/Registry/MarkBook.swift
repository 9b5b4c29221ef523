// SPDX-License-Identifier: MIT
// What programs had counted when somebody marked a moment.

internal import NIOCore
import RerenderModel

/// The counts of programs at their latest marks. Bounded.
struct MarkBook {
    /// What one process had counted at a mark.
    struct Snapshot {
        let name: String
        let at: Timestamp
        let pid: Int32
        /// Each store without its views, and its views behind it.
        let lines: [ExportLine]
        /// Views that are not among them, for want of room.
        let left: Int
    }

    private let limits: DaemonLimits
    /// Oldest first.
    private var snapshots: [Snapshot] = []
    private var lines = 0

    init(limits: DaemonLimits) { self.limits = limits }

    /// Keeps a snapshot. The oldest of the process goes where it has too many, and the oldest of all where all have too many lines.
    mutating func add(_ snapshot: Snapshot) {
        snapshots.append(snapshot)
        lines += snapshot.lines.count
        let own = snapshots.indices.filter { snapshots[$0].pid == snapshot.pid }
        if own.count > limits.marks, let oldest = own.first { remove(at: oldest) }
        while lines > limits.markedLines, snapshots.count > 1 { remove(at: 0) }
    }

    /// Gives the latest snapshot of a process one more name, if it was taken so short before that its counts are as good as those of now.
    ///
    /// - Returns: Whether there is such a one.
    mutating func repeatLatest(of pid: Int32, as name: String, at time: Timestamp) -> Bool {
        guard let latest = snapshots.last(where: { $0.pid == pid }),
            (0..<limits.markPause.nanoseconds).contains(time.nanoseconds(since: latest.at))
        else { return false }
        add(Snapshot(name: name, at: latest.at, pid: pid, lines: latest.lines, left: latest.left))
        return true
    }

    /// The latest snapshot of a mark in one of these processes.
    func latest(_ name: String, of pids: Set<Int32>) -> Snapshot? {
        snapshots.last { pids.contains($0.pid) && $0.name.isSame(as: name) }
    }

    /// The names of the marks of these processes, newest first, each once.
    func names(of pids: Set<Int32>) -> [String] {
        var names: [String] = []
        for snapshot in snapshots.reversed() where pids.contains(snapshot.pid) && !names.contains(snapshot.name) {
            names.append(snapshot.name)
        }
        return names
    }

    private mutating func remove(at place: Int) { lines -= snapshots.remove(at: place).lines.count }
}
