// SPDX-License-Identifier: MIT
// Reads an export, as it comes from a daemon or from a file, which may hold anything at all.

import FoundationEssentials
package import RerenderModel

/// An export as it comes in: the JSON lines of a daemon, each read as soon as it is there, or one document.
///
/// Unknown names are skipped, because a later version may write them. Known members must exist with their types.
package struct ExportText: Sendable {
    /// What stands beside the processes.
    package struct Head: Decodable, Sendable {
        let version: Int
        package let generatedAt: Timestamp
        package let verdict: Verdict?
        /// What a run left beside its counts; nil in any other export.
        package let run: RunRecord?
    }

    /// The largest text: twice what a full daemon exports. What is read of it takes some times as much memory.
    private static let mostBytes = 512 << 20

    private let decoder = JSONDecoder()
    private let refuse: @Sendable (_ reason: String) -> ToolFailure
    /// What is not read yet.
    private var text: [UInt8] = []
    /// So much of it has no newline.
    private var searched = 0
    /// What the lines say; nil before the first one.
    private var export: StatsExport?
    private var isDocument = false

    /// - Parameter refuse: What to throw, with status 65, where the text cannot be read.
    package init(refuse: @escaping @Sendable (_ reason: String) -> ToolFailure = ToolFailure.unreadable) {
        self.refuse = refuse
    }

    /// Takes the next bytes.
    package mutating func add(_ bytes: [UInt8]) throws(ToolFailure) {
        text += bytes
        if export == nil, let first = text.first, !Self.mayBegin(first) {
            throw refuse("it is not an export of Rerender")
        }
        guard text.count <= Self.mostBytes else { throw refuse("it is larger than \(Self.mostBytes >> 20) MiB") }
        var start = 0
        while !isDocument, let end = text[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
            try take(line: text[start..<end])
            if !isDocument { start = end + 1 }
        }
        text.removeFirst(start)
        searched = text.count
    }

    private static func mayBegin(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// The first line is an export without processes, or a part of a document.
    private mutating func take(line: ArraySlice<UInt8>) throws(ToolFailure) {
        guard export == nil else {
            let line: ExportLine = try decode(line)
            export?.add(line)
            return
        }
        export = (try? decoder.decode(ExportLine.self, from: Data(line)))?.export
        isDocument = export == nil
    }

    /// Says that the text is complete, and returns what it says.
    package func end() throws(ToolFailure) -> StatsExport {
        guard let export else { return try checked(document()) }
        guard text.isEmpty else { throw refuse("it is incomplete") }
        return try checked(export)
    }

    /// What stands beside the processes; those of a document are not looked at.
    package func head() throws(ToolFailure) -> Head {
        guard let export else { return try decode(text[...]) }
        return Head(
            version: export.version, generatedAt: export.generatedAt, verdict: export.verdict, run: export.run)
    }

    private func document() throws(ToolFailure) -> StatsExport {
        do throws(ToolFailure) {
            return try decode(text[...])
        } catch {
            // A later version may have other members.
            if let version = try? head().version { try check(version) }
            throw error
        }
    }

    private func checked(_ export: StatsExport) throws(ToolFailure) -> StatsExport {
        try check(export.version)
        return export
    }

    private func check(_ version: Int) throws(ToolFailure) {
        let ours = StatsExport.currentVersion
        guard version == ours else {
            throw refuse("it is an export of version \(version), and this rerenderctl reads version \(ours)")
        }
    }

    private func decode<T: Decodable>(_ text: ArraySlice<UInt8>) throws(ToolFailure) -> T {
        do {
            return try decoder.decode(T.self, from: Data(text))
        } catch {
            throw refuse(text.isEmpty ? "it is incomplete" : DecodingText.of(error))
        }
    }
}

/// An export in a file, which may hold anything at all; a store may list a view once.
package struct ExportFile: Sendable {
    let path: String

    package init(path: String) { self.path = path }

    /// Reads the file; throws status 65.
    package func read() throws(ToolFailure) -> StatsExport {
        var export = try text().end()
        for store in export.processes { try check(store) }
        // No daemon can say more about it.
        export.verdict = VerdictBuilder.verdict(of: export.processes, .ended, now: export.generatedAt)
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
