// SPDX-License-Identifier: MIT
// Examples in Swift that stand alone are checked by the compiler.

import Foundation
import TestSupport
import Testing
@testable import DocumentSupport

@Suite("Examples in Swift")
struct SwiftExampleTests {
    @Test("those that are said to build as they stand are what the compiler takes")
    func built() async throws {
        let examples = Document.all.flatMap { document in
            document.blocks.filter { $0.directive("builds") != nil }.map { (document.path, $0) }
        }
        try #require(!examples.isEmpty)
        for (path, block) in examples {
            let place = "\(path):\(block.fences.lowerBound + 1)"
            #expect(block.language == "swift", "\(place)")
            let output = try await Self.check(block.content.joined(separator: "\n") + "\n")
            #expect(output.succeeded, "\(place): \(output.standardError)")
        }
    }

    @Test("an argument that the library does not know is an error")
    func control() async throws {
        let text = "import Rerender\nRerenderStore(name: \"main\").evaluate(\"A\", outputs: [(\"a\", 1)]) {}\n"
        let output = try await Self.check(text)
        #expect(!output.succeeded && output.standardError.contains("outputs"), "\(output.standardError)")
    }

    /// Has the compiler check a file against the library that was built with these tests.
    private static func check(_ text: String) async throws -> ChildProcess.Output {
        let file = FileManager.default.temporaryDirectory.appending(path: "rerender-example-\(UUID().uuidString).swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let products = URL(filePath: ChildProcess.product("counting")).deletingLastPathComponent()
        let maps = try FileManager.default.contentsOfDirectory(atPath: products.path)
            .map { products.appending(path: $0).appending(path: "module.modulemap").path }
            .filter { FileManager.default.fileExists(atPath: $0) }
        let swift = try #require(ChildProcess.path(of: "swiftc"))
        let flags = ["-typecheck", "-swift-version", "6", "-I", products.appending(path: "Modules").path]
        return try await ChildProcess.run(
            [swift] + flags + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + [file.path])
    }
}
