// SPDX-License-Identifier: MIT
// A document of this repository as its readers see it: headings, links, blocks of code.

import Foundation
import Testing
import TestSupport

/// A Markdown file.
struct Document: Sendable, CustomTestStringConvertible {
    /// Relative to the repository.
    let path: String
    let lines: [String]

    static let root = Checkout.root

    /// All documents that users and contributors read.
    static let all: [Document] = {
        let top = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
        let files = FileManager.default.enumerator(atPath: root.appending(path: "docs").path)
        let below = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        return (top + below.sorted()).compactMap { try? Document(path: $0) }
    }()

    static func named(_ path: String) throws -> Document { try Document(path: path) }

    init(path: String, text: String) {
        self.path = path
        lines = text.components(separatedBy: "\n")
    }

    private init(path: String) throws {
        try self.init(path: path, text: String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
    }

    var testDescription: String { path }

    /// Everything outside of blocks of code, with the number of each line.
    var prose: [(number: Int, text: String)] {
        let code = blocks.reduce(into: IndexSet()) { $0.insert(integersIn: $1.fences) }
        return lines.indices.filter { !code.contains($0) }.map { ($0 + 1, lines[$0]) }
    }

    /// The anchors that GitHub makes of the headings.
    var anchors: Set<String> {
        var anchors: Set<String> = []
        for (_, line) in prose where line.wholeMatch(of: /#{1,6} .*/) != nil {
            let title = line.drop { $0 == "#" }.dropFirst().lowercased()
            let kept = title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            var anchor = kept.replacing(" ", with: "-")
            var copies = 0
            while !anchors.insert(anchor).inserted {
                copies += 1
                anchor = "\(kept.replacing(" ", with: "-"))-\(copies)"
            }
        }
        return anchors
    }

    /// Where links and pictures lead.
    var links: [(line: Int, target: String)] {
        prose.flatMap { number, text in
            let spans = text.replacing(/`[^`]*`/, with: "")
            return spans.matches(of: /\]\(([^)\s]+)\)/).map { (number, String($0.1)) }
                + spans.matches(of: /^\[[^\]]+\]: (\S+)/).map { (number, String($0.1)) }
        }
    }

    /// What stands between backticks in the prose.
    var codeSpans: [(line: Int, text: String)] {
        prose.flatMap { number, text in text.matches(of: /`([^`]+)`/).map { (number, String($0.1)) } }
    }
}

/// A fenced block of code, with the directives in comments right before it.
struct Block: Sendable {
    /// Indices of the lines of the fences and what is between them.
    let fences: ClosedRange<Int>
    let language: String
    let directives: [Directive]
    let content: [String]

    /// What a comment before a block says: `<!-- NAME: VALUE -->`.
    struct Directive: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// Whether it holds commands that can run here.
    var isCommand: Bool { ["sh", "console"].contains(language) && directive("not run") == nil }

    /// The value of a directive; nil if it is not there.
    func directive(_ name: String) -> String? { directives.first { $0.name == name }?.value }
}

extension Document {
    var blocks: [Block] {
        var blocks: [Block] = []
        var index = 0
        while index < lines.count {
            defer { index += 1 }
            guard let fence = lines[index].wholeMatch(of: /```(\w*)/) else { continue }
            let start = index
            index += 1
            while index < lines.count, lines[index] != "```" { index += 1 }
            blocks.append(
                Block(
                    fences: start...min(index, lines.count - 1), language: String(fence.1),
                    directives: directives(before: start), content: Array(lines[(start + 1)..<index])))
        }
        return blocks
    }

    private func directives(before index: Int) -> [Block.Directive] {
        var found: [Block.Directive] = []
        var index = index - 1
        while index >= 0, let match = lines[index].wholeMatch(of: /<!-- ([a-z ]+?)(?:: (.*))? -->/) {
            found.insert(Block.Directive(name: String(match.1), value: String(match.2 ?? "")), at: 0)
            index -= 1
        }
        return found
    }
}
