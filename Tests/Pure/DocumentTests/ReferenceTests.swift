// SPDX-License-Identifier: MIT
// What documents name must be there: files, commands, options, and the help.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import Testing
@testable import DocumentSupport

@Suite("Names in the documents")
struct ReferenceTests {
    private static let rerenderctl = ChildProcess.product("rerenderctl")

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
