// SPDX-License-Identifier: MIT
// Every command of the documents runs, and every sample of output looks like what the tool prints.

import Foundation
import TestSupport
import TestTraits
import Testing
@testable import DocumentSupport

@Suite("Commands in the documents", .serialized)
struct CommandTests {
    private static func documents(_ isWanted: (Block) -> Bool) -> [Document] {
        Document.all.filter { $0.blocks.contains { isWanted($0) && $0.isCommand && $0.directive("example") == nil } }
    }

    @Test("run", arguments: documents { $0.directive("needs") == nil })
    func run(document: Document) async throws {
        let stage = try Stage()
        try await document.run(on: stage) { $0.directive("needs") == nil && $0.directive("example") == nil }
    }

    @Test(
        "run where they record", .exclusive, .enabled(if: LTTngDaemon.isInstalled, "LTTng is not installed"),
        arguments: documents { $0.directive("needs") == "lttng" })
    func record(document: Document) async throws {
        try await LTTngDaemon.with(LTTngDaemon.isRoot ? .root : .ordinary) { daemon in
            let stage = try Stage(home: daemon.home)
            try await document.run(on: stage) { $0.directive("needs") == "lttng" }
        }
    }

    @Test("the README's example is built as it stands, and runs")
    func example() async throws {
        let readme = try Document.named("README.md")
        let package = try await Example.build(readme)
        let stage = try Stage()
        try await readme.run(on: stage, in: package) { $0.directive("example") != nil }
    }
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
                    let output = try await stage.run(block.content.joined(separator: "\n"), in: place)
                    #expect(block.allows(output.exit), "\(line): \(output.exit): \(output.standardError)")
                } else {
                    let lines = try await sample(block, on: stage, in: place, line)
                    if let lines { samples.append((block, lines)) }
                }
            }
        }
        try write(samples)
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
        try await eventually("rows on the screen of \(command)", in: scratch.path) {
            let text = (try? Data(contentsOf: URL(filePath: screen))).map { String(decoding: $0, as: UTF8.self) }
            return text?.contains("WHY") == true ? () : nil
        }
        try terminal.send(key)
        let output = await terminal.finish()
        #expect(output.succeeded, "\(command): \(output.exit)")
    }
}

/// The README's package, made of its blocks of Swift.
private enum Example {
    /// Builds it and returns its directory, in which it is known by the path that the README names.
    static func build(_ readme: Document) async throws -> String {
        let blocks = readme.blocks.filter { $0.language == "swift" }.map { $0.content.joined(separator: "\n") + "\n" }
        try #require(blocks.count == 2)
        let package = Document.root.appending(path: ".build/readme-example/shop")
        try FileManager.default.createDirectory(
            at: package.appending(path: "Sources/shop"), withIntermediateDirectories: true)
        try blocks[0].write(to: package.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        try blocks[1].write(to: package.appending(path: "Sources/shop/main.swift"), atomically: true, encoding: .utf8)
        let link = package.deletingLastPathComponent().appending(path: "rerender").path
        try? FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Document.root.path)
        // The plan of the last build does not know of files that this package has got since.
        for stale in ["Package.resolved", ".build/debug.yaml"] {
            try? FileManager.default.removeItem(at: package.appending(path: stale))
        }
        let swift = try #require(ChildProcess.path(of: "swift"))
        let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWT_") }
        let output = try await ChildProcess.run(
            [swift, "build", "--package-path", package.path], environment: variables, seconds: 1_200)
        try #require(output.succeeded, "\(output.standardOutput)\(output.standardError)")
        return package.path
    }
}
