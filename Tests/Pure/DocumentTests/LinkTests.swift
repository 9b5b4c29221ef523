// SPDX-License-Identifier: MIT
import Foundation
import Testing
@testable import DocumentSupport

/// What is wrong with the links of a document.
private func deadLinks(_ document: Document) -> [String] {
    document.links.compactMap { line, target in
        guard !target.hasPrefix("https://") else { return nil }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let folder = URL(fileURLWithPath: document.path, relativeTo: Document.root).deletingLastPathComponent()
        let file = parts[0].isEmpty ? document.path : parts[0]
        let base = parts[0].isEmpty ? Document.root : folder
        let url = URL(fileURLWithPath: file, relativeTo: base).standardizedFileURL
        guard FileManager.default.fileExists(atPath: url.path) else { return "\(document.path):\(line): no \(target)" }
        guard parts.count == 2 else { return nil }
        let isItself = parts[0].isEmpty
        let linked =
            isItself ? document : (try? String(contentsOf: url, encoding: .utf8)).map { Document(path: "", text: $0) }
        return linked?.anchors.contains(parts[1]) == true ? nil : "\(document.path):\(line): no heading for \(target)"
    }
}

@Suite("Links in the documents")
struct LinkTests {
    @Test("lead to a file and a heading", arguments: Document.all)
    func lead(document: Document) {
        #expect(deadLinks(document) == [])
    }

    @Test("every document is reached from the README")
    func reached() throws {
        var reached: Set<String> = [], waiting = ["README.md"]
        while let path = waiting.popLast() {
            guard reached.insert(path).inserted, let document = try? Document.named(path) else { continue }
            for (_, target) in document.links where !target.hasPrefix("https://") && !target.hasPrefix("#") {
                let file = String(target.prefix { $0 != "#" })
                let url = URL(fileURLWithPath: path, relativeTo: Document.root).deletingLastPathComponent()
                    .appending(path: file).standardizedFileURL
                waiting.append(String(url.path.dropFirst(Document.root.standardizedFileURL.path.count + 1)))
            }
        }
        #expect(Document.all.map(\.path).filter { !reached.contains($0) } == [])
    }

    @Test(
        "a dead one is found",
        arguments: [
            "[a](missing.md)", "[a](#no-such-heading)", "[a](docs/glossary.md#no-such-heading)",
            "![a](docs/images/no.png)",
        ])
    func dead(link: String) {
        #expect(deadLinks(Document(path: "README.md", text: "# Title\n\n\(link)")).count == 1)
        #expect(deadLinks(Document(path: "README.md", text: "# My title\n\n[a](#my-title), `[a](b)`")) == [])
    }
}
