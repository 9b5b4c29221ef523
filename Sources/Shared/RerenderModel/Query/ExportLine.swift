// SPDX-License-Identifier: MIT
// An export in parts: as lines, and as the document that they make.

/// One line of an export that is sent as JSON lines: all but the processes, then each store, with each of its views behind it.
///
/// Exactly one member is there.
package struct ExportLine: Codable, Sendable {
    /// All but the processes.
    package var export: StatsExport?
    /// A store without its views.
    package var process: ProcessStats?
    /// A view of the store before.
    package var view: Stats?

    package init(export: StatsExport? = nil, process: ProcessStats? = nil, view: Stats? = nil) {
        (self.export, self.process, self.view) = (export, process, view)
    }
}

/// Writes the document of an export from its lines.
package struct ExportWriter: Sendable {
    private var document: ListText?
    private var store: ListText?

    package init() {}

    /// What the line adds to the document.
    package mutating func add(_ line: ExportLine) throws -> [UInt8] {
        if let export = line.export {
            document = try ListText(export, list: "processes")
            return document?.beginning ?? []
        }
        if let process = line.process {
            let before = endStore() + (document?.separator() ?? [])
            store = try ListText(process, list: "views", depth: 2)
            return before + (store?.beginning ?? [])
        }
        return try line.view.flatMap { try store?.add($0) } ?? []
    }

    /// The end of the document, without a newline; nil where that was asked for before.
    package mutating func end() -> [UInt8]? {
        guard let end = document?.end() else { return nil }
        return endStore() + end
    }

    private mutating func endStore() -> [UInt8] { store?.end() ?? [] }
}

extension StatsExport {
    /// Takes in a line behind the first one, which is the export itself.
    package mutating func add(_ line: ExportLine) {
        if let process = line.process { processes.append(process) }
        if let view = line.view, !processes.isEmpty { processes[processes.count - 1].views.append(view) }
    }

    /// Hands over the text of ``json()`` in pieces, so that no text of all is held.
    package func write(_ take: (_ bytes: [UInt8]) throws -> Void) throws {
        var (writer, text) = (ExportWriter(), [UInt8]())
        func add(_ line: ExportLine) throws {
            text += try writer.add(line)
            guard text.count >= 1 << 16 else { return }
            try take(text)
            text = []
        }
        var beside = self
        beside.processes = []
        try add(ExportLine(export: beside))
        for process in processes {
            var store = process
            store.views = []
            try add(ExportLine(process: store))
            for view in process.views { try add(ExportLine(view: view)) }
        }
        try take(text + (writer.end() ?? []))
    }
}
