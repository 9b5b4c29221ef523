// SPDX-License-Identifier: MIT
// Reads an export that was saved.

package import RerenderModel

/// An export in a file, which may hold anything at all; a store may list a view once.
package struct ExportFile: Sendable {
    let path: String

    /// The export at a path.
    package init(path: String) { self.path = path }

    /// Reads the file; throws status 65.
    package func read() throws(ToolFailure) -> StatsExport {
        var export = try text().end()
        for store in export.processes { try check(store) }
        // Nobody can be asked about it any more.
        export.verdict = VerdictBuilder.verdict(of: export.processes, .ended)
        return export
    }

    /// What stands beside the processes, which are not looked at; throws status 65.
    package func head() throws(ToolFailure) -> ExportText.Head { try text().head() }

    private func text() throws(ToolFailure) -> ExportText {
        var text = ExportText(refuse: unreadable)
        try InputFile.read(path, fault: { unreadable(SystemText.of($0)) }) { piece throws(ToolFailure) in
            try text.add(piece)
        }
        return text
    }

    private func check(_ store: ProcessStats) throws(ToolFailure) {
        var keys: Set<ViewKey> = []
        for view in store.views {
            guard keys.insert(view.key).inserted else {
                throw unreadable("the view \"\(view.key.rawValue)\" is twice in one store")
            }
            guard view.wasted.count <= view.count else {
                throw unreadable("the view \"\(view.key.rawValue)\" has more wasted evaluations than evaluations")
            }
        }
    }

    private func unreadable(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.unreadable,
            "cannot read \(Printable.text(path)): \(Printable.text(reason))\(reason.hasSuffix(".") ? "" : ".")\n"
                + "It must be an export: rerenderctl export -o FILE, or rerenderctl run --json -o FILE -- CMD")
    }
}
