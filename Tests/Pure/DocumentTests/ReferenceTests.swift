// SPDX-License-Identifier: MIT
// What documents name must be there: files, commands, options, and the help.

import Foundation
import RerenderModel
import RerenderWire
import Testing
@testable import DocumentSupport

@Suite("Names in the documents")
struct ReferenceTests {
    /// What a path of this repository begins with.
    private static let tops = ["Sources/", "Tests/", "Scripts/", "Benchmarks/", "docs/", "systemd/"]

    /// The names of all files in `Sources`.
    private static let sources: Set<String> = {
        let files = FileManager.default.enumerator(atPath: Document.root.appending(path: "Sources").path)
        return Set((files?.compactMap { $0 as? String } ?? []).map { URL(filePath: $0).lastPathComponent })
    }()

    static func missingPaths(_ document: Document) -> [String] {
        let readersFiles = document.readersFiles
        return document.codeSpans.compactMap { line, text in
            let path = String(text.prefix { $0 != " " })
            guard path.wholeMatch(of: #/[A-Za-z0-9_.+/-]+/#) != nil, !readersFiles.contains(path) else { return nil }
            let isSource = path.wholeMatch(of: #/[A-Z][A-Za-z0-9_+]*\.swift|[a-z_]+\.[ch]/#) != nil
            if isSource, path != "Package.swift" {
                return sources.contains(path) ? nil : "\(document.path):\(line): no \(path)"
            }
            guard tops.contains(where: path.hasPrefix) else { return nil }
            let isThere = FileManager.default.fileExists(atPath: Document.root.appending(path: path).path)
            return isThere ? nil : "\(document.path):\(line): no \(path)"
        }
    }

    @Test("paths of this repository are there", arguments: Document.all)
    func paths(document: Document) {
        #expect(Self.missingPaths(document) == [])
    }

    @Test("a path that is not there is found")
    func missingPath() {
        let document = Document(
            path: "x.md", text: "`Sources/No/Such.swift`, `NoSuch.swift`, `Package.swift`, `Scripts/test --filter X`")
        #expect(Self.missingPaths(document).count == 2)
    }

    @Test("only a file whose whole text the document shows right there is the reader's own")
    func readersFiles() {
        let shown = "`Sources/c/c.swift`. This is `Sources/a/a.swift`:\n\n```swift\nlet a = 1\n```\n"
        let unshown = "This is `Sources/b/b.swift`:\n\nText.\n"
        let document = Document(path: "x.md", text: shown + unshown)
        #expect(document.readersFiles == ["Sources/a/a.swift"])
        #expect(
            Self.missingPaths(document) == ["x.md:1: no Sources/c/c.swift", "x.md:6: no Sources/b/b.swift"])
    }

    @Test("commands and options of rerenderctl are in its help")
    func commands() throws {
        var helps: [String: String] = [:]
        for (name, help) in try CommandHelp.all() { helps[name] = help }
        var unknown: [String] = []
        for document in Document.all where document.path != "docs/reference/commands.md" {
            let commands = document.codeSpans.filter { $0.text.hasPrefix("rerenderctl ") }
            for (line, text) in commands {
                let words = text.prefix(upTo: text.range(of: " -- ")?.lowerBound ?? text.endIndex).split(separator: " ")
                guard let name = words.dropFirst().first.map(String.init), name.wholeMatch(of: /[a-z]+/) != nil,
                    name != "help"
                else { continue }
                let options = words.filter { $0.hasPrefix("--") && $0.count > 2 }.map {
                    String($0.prefix { $0 != "=" })
                }
                if helps[name] == nil { unknown.append("\(document.path):\(line): \(text)") }
                let missing = options.filter { helps[name]?.contains($0) == false }
                unknown += missing.map { "\(document.path):\(line): \(name) has no \($0)" }
            }
        }
        #expect(unknown == [])
    }

    @Test("the documents explain each reason with a text of its own", arguments: FixedReason.allCases)
    func reasons(reason: FixedReason) throws {
        let pages = try ["docs/guide/reasons-and-waste.md", "docs/reference/reasons.md"].map { try Document.named($0) }
        let hasRow = pages.flatMap(\.lines).contains { $0.hasPrefix("| `\(reason.text)` |") }
        #expect(hasRow, "no row for \(reason.text)")
    }

    @Test("the page of commands is the help as the tool prints it")
    func help() throws {
        let page = try CommandHelp.page()
        try Recording.replace("docs/reference/commands.md", with: page)
        #expect(try Document.named("docs/reference/commands.md").lines.joined(separator: "\n") == page)
    }

    @Test(
        "the default thresholds in the documents are the code's",
        arguments: [
            ("docs/guide/hangs.md", "A turn of \(HangThreshold.hangMilliseconds) ms or more is"),
            ("docs/guide/hangs.md", "A turn of \(HangThreshold.microHangMilliseconds) ms or more is"),
            ("docs/reference/recordings.md", "a hang is a turn of \(HangThreshold.hangMilliseconds) ms or more"),
            ("docs/guide/instrument.md", "| `hangThreshold` | \(HangThreshold.hangMilliseconds) ms |"),
            ("docs/guide/instrument.md", "| `microHangThreshold` | \(HangThreshold.microHangMilliseconds) ms |"),
            ("docs/glossary.md", "takes \(HangThreshold.hangMilliseconds) ms or more"),
        ])
    func thresholds(path: String, text: String) throws {
        #expect(try Document.named(path).lines.contains { $0.contains(text) })
    }

    @Test(
        "versions in the architecture are the code's",
        arguments: [
            ("push protocol", Int(WireProtocol.version)), ("flight page", Int(FlightPageLayout.version)),
            ("JSON of the export and of hangs", StatsExport.currentVersion),
        ])
    func versions(what: String, version: Int) throws {
        let architecture = try Document.named("docs/architecture.md")
        #expect(architecture.lines.contains { $0.hasPrefix("| \(what) | \(version) |") })
    }
}

/// The help of every command of `rerenderctl`.
enum CommandHelp {
    private static func text(_ path: [String]) throws -> String {
        try #require(OwnProgram.rerenderctl.help(path), "\(path)").trimmingCharacters(in: .newlines)
    }

    /// Commands in the order of the help, subcommands as `config set`.
    static func all(_ path: [String] = []) throws -> [(name: String, help: String)] {
        let help = try text(path)
        var found = path.isEmpty ? [] : [(path.joined(separator: " "), help)]
        let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first ?? ""
        for line in list.split(separator: "\n", omittingEmptySubsequences: false).prefix(while: { !$0.isEmpty }) {
            guard let name = line.prefixMatch(of: #/  ([a-z]+)(?: |$)/#)?.1, name != "help" else { continue }
            found += try all(path + [String(name)])
        }
        return found
    }

    /// The reference of commands.
    static func page() throws -> String {
        var page = """
            # Commands

            `Scripts/samples` writes this page from `rerenderctl help`. The manual pages that `Scripts/install` adds say the same.
            [Exit statuses](exit-statuses.md) and [environment](environment.md) are pages of their own.

            ```text
            \(try text([]))
            ```

            """
        for (name, help) in try all() {
            page += "\n## rerenderctl \(name)\n\n```text\n\(help)\n```\n"
        }
        return page
    }
}

extension Document {
    /// The files that the reader makes from the document: `This is PATH:` stands right before the text of each.
    fileprivate var readersFiles: Set<String> {
        Set(
            blocks.compactMap { block in
                let above = block.fences.lowerBound - 2
                guard block.language == "swift", above >= 0, lines[above + 1].isEmpty else { return nil }
                return lines[above].firstMatch(of: #/(?:^|\. )This is `([^` ]+)`:$/#).map { String($0.1) }
            })
    }
}
