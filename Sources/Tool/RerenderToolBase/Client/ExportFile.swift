// SPDX-License-Identifier: MIT
// Reads an export that was saved.

package import RerenderModel

/// An export in a file, which may hold anything at all.
///
/// Unknown names are skipped, because a later version may write them. Known members must exist
/// with their types, and a store may list a view once.
package struct ExportFile: Sendable {
    let path: String

    /// The export at a path.
    package init(path: String) { self.path = path }

    /// The most views of a file: fifteen processes with as many as one may have. They take about a gigabyte of memory.
    static let mostViews = 1_000_000

    /// Reads the file piece by piece; throws status 65.
    package func read() throws(ToolFailure) -> StatsExport {
        var reader = ExportReader(refuse: unreadable)
        var (processes, keys, views): ([ProcessStats], Set<ViewKey>, Int) = ([], [], 0)
        try InputFile.read(path, fault: { unreadable(SystemText.of($0)) }) { piece throws(ToolFailure) in
            for element in try reader.read(piece) {
                switch element {
                case .process(let process):
                    processes.append(process)
                    keys.removeAll(keepingCapacity: true)
                case .view(let view):
                    views += 1
                    try check(view, isNew: keys.insert(view.key).inserted, number: views)
                    processes[processes.count - 1].views.append(view)
                }
            }
        }
        let end = try reader.end()
        // Nobody can be asked about it any more.
        return StatsExport(
            generatedAt: end.generatedAt, processes: processes,
            verdict: VerdictBuilder.verdict(of: processes, .ended), run: end.run)
    }

    /// What stands beside the processes, which are not looked at; throws status 65.
    package func envelope() throws(ToolFailure) -> ExportReader.Envelope {
        var reader = ExportReader(skipsProcesses: true, refuse: unreadable)
        try InputFile.read(path, fault: { unreadable(SystemText.of($0)) }) { piece throws(ToolFailure) in
            _ = try reader.read(piece)
        }
        return try reader.end()
    }

    private func check(_ view: Stats, isNew: Bool, number: Int) throws(ToolFailure) {
        guard isNew else { throw unreadable("the view \"\(view.key.rawValue)\" is twice in one store") }
        guard view.wasted.count <= view.count else {
            throw unreadable("the view \"\(view.key.rawValue)\" has more wasted evaluations than evaluations")
        }
        guard number <= Self.mostViews else { throw unreadable("it has more than \(Self.mostViews) views") }
    }

    private func unreadable(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.unreadable,
            "cannot read \(Printable.text(path)): \(Printable.text(reason))\(reason.hasSuffix(".") ? "" : ".")\n"
                + "It must be an export: rerenderctl export -o FILE, or rerenderctl run --json -o FILE -- CMD")
    }
}
