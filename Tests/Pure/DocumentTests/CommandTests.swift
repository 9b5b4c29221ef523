// SPDX-License-Identifier: MIT
// Every command of the documents runs, and every sample of output looks like what the tool prints.

import Foundation
import TestSupport
import Testing
@testable import DocumentSupport

/// What may stand in comments before a block.
private let directives: Set<String> = [
    "not run", "beside", "wait", "needs", "show", "status", "terminal", "varies", "example", "folder graph",
    "builds",
]

@Suite("Commands in the documents", .serialized)
struct CommandTests {
    private static func documents(_ isWanted: (Block) -> Bool) -> [Document] {
        Document.all.filter { $0.blocks.contains { isWanted($0) && $0.isCommand && $0.directive("example") == nil } }
    }

    private static let known = ["sh", "console", "swift", "c", "python", "json", "toml", "yaml", "text", "mermaid"]

    @Test("a block of code has a language, and commands stand in blocks that run", arguments: Document.all)
    func languages(document: Document) {
        for block in document.blocks {
            let place = "\(document.path):\(block.fences.lowerBound + 1)"
            #expect(Self.known.contains(block.language), "\(place)")
            #expect(block.directives.allSatisfy { directives.contains($0.name) }, "\(place): \(block.directives)")
            #expect(block.directive("not run") != "", "\(place): say why it is not run")
            guard block.language == "text" else { continue }
            let commands = block.content.filter {
                $0.contains(#/^(\$ |rerenderctl [a-z]+ -|sudo |swift (build|test)|lttng )/#)
            }
            #expect(commands == [] || document.path == "docs/reference/commands.md", "\(place)")
        }
        let indented = document.prose.filter {
            $0.text.contains(#/^    (rerenderctl|rerender-demo|swift|Scripts|\$) /#)
        }
        #expect(indented.map(\.number) == [], "\(document.path): commands outside of blocks of code")
    }
}

extension Block {
    /// Whether it holds commands that can run here.
    var isCommand: Bool { ["sh", "console"].contains(language) && directive("not run") == nil }
}

extension Document {
    /// Runs the blocks in their order; in recording mode the samples are then written into the document.
    fileprivate func run(on stage: Stage, in place: String? = nil, where isWanted: (Block) -> Bool) async throws {
        var samples: [(block: Block, lines: [String])] = []
        for block in blocks where block.isCommand && isWanted(block) {
            let line = "\(path):\(block.fences.lowerBound + 1)"
            try await stage.beside(block.directive("beside"), until: block.directive("wait")) {
                if let key = block.directive("terminal") {
                    try await stage.runInTerminal(block.content.joined(separator: "\n"), key: key)
                } else if block.language == "sh" {
                    let output = try await run(block, on: stage, in: place)
                    #expect(block.allows(output.exit), "\(line): \(output.exit): \(output.standardError)")
                } else {
                    let lines = try await sample(block, on: stage, in: place, line)
                    if let lines { samples.append((block, lines)) }
                }
            }
        }
        try write(samples)
    }

    /// Runs a block; again, where hangs alone are over a budget: a machine that is busy with other tests stops any program for so long.
    private func run(_ block: Block, on stage: Stage, in place: String?) async throws -> ChildProcess.Output {
        var output = try await stage.run(block.content.joined(separator: "\n"), in: place)
        for _ in 0..<2 where !block.allows(output.exit) {
            let over = (output.standardOutput + output.standardError).split(separator: "\n").filter {
                $0.hasPrefix("OVER ")
            }
            guard !over.isEmpty, over.allSatisfy({ $0.contains(#/: \d+ hangs?, at most/#) }) else { break }
            output = try await stage.run(block.content.joined(separator: "\n"), in: place)
        }
        return output
    }

    private func sample(_ block: Block, on stage: Stage, in place: String?, _ line: String) async throws -> [String]? {
        let command = try #require(block.content.first).dropFirst(2)
        #expect(block.content.first?.hasPrefix("$ ") == true, "\(line): a sample begins with its command")
        let output = try await stage.run("{ \(command)\n} 2>&1", in: place)
        #expect(block.allows(output.exit), "\(line): \(output.exit): \(output.standardOutput)")
        let printed = stage.withoutPlaces(output.standardOutput)
        if Recording.isOn { return [block.content[0]] + block.shown(printed) }
        let varying = block.directives.filter { $0.name == "varies" }.map(\.value)
        let lines = block.content.dropFirst().filter { line in !varying.contains { line.contains($0) } }
        #expect(lines.contains { !$0.isEmpty && $0 != "…" }, "\(line): run Scripts/samples")
        let missing = SampleShape(printed).missing(from: Array(lines))
        #expect(missing == [], "\(line) is not what is printed (Scripts/samples writes it anew):\n\(printed)")
        return nil
    }

    private func write(_ samples: [(block: Block, lines: [String])]) throws {
        guard !samples.isEmpty else { return }
        var text = lines
        for (block, lines) in samples.reversed() {
            text.replaceSubrange((block.fences.lowerBound + 1)..<block.fences.upperBound, with: lines)
        }
        try Recording.replace(path, with: text.joined(separator: "\n"))
    }
}

extension Block {
    fileprivate func allows(_ exit: ChildProcess.Exit) -> Bool {
        let status = directive("status") ?? "0"
        return status == "any" || exit == .status(Int32(status) ?? 0)
    }

    /// The part of the output that the document shows: `from TEXT`, `N lines`.
    fileprivate func shown(_ output: String) -> [String] {
        var lines = output.components(separatedBy: "\n").map { $0.replacing(/\s+$/, with: "") }
        while lines.last?.isEmpty == true { lines.removeLast() }
        for show in directives where show.name == "show" {
            if show.value.hasPrefix("from ") {
                let start = lines.firstIndex { $0.contains(show.value.dropFirst(5)) } ?? 0
                lines = (start > 0 ? ["…"] : []) + lines[start...]
            } else if let count = Int(show.value.prefix { $0 != " " }), count < lines.count {
                lines = lines.prefix(count) + ["…"]
            }
        }
        return lines
    }
}

extension Stage {
    /// Runs a command of the live screen in a terminal, presses the key that ends it, and expects a clean end.
    fileprivate func runInTerminal(_ command: String, key: String) async throws {
        let screen = scratch.path + "/screen"
        let terminal = try shell("script -qfec 'stty rows 40 cols 120; TERM=xterm \(command)' '\(screen)'")
        try await eventually(within: 60, "rows on the screen of \(command)") {
            let text = (try? Data(contentsOf: URL(filePath: screen))).map { String(decoding: $0, as: UTF8.self) }
            return text?.contains("WHY") == true ? () : nil
        }
        try terminal.send(key)
        let output = await terminal.finish()
        #expect(output.succeeded, "\(command): \(output.exit)")
    }
}
