// SPDX-License-Identifier: MIT
// Which file a place means.

import Foundation
import RerenderShow
import TestSupport
import Testing

@Suite("Source files")
struct SourceFilesTests {
    @Test("a file is that of its module's folder, or the only one of its name; where several may be meant it is none")
    func resolving() throws {
        let directory = try SourceSamples.directory([
            "Sources/rerender-demo/Shop.swift", "Sources/Other/Shop.swift", "Sources/Other/Deep/Only.swift",
            "Sources/One/Twice.swift", "Sources/Two/Twice.swift", "Tests/Twin/A/Same.swift", "Tests/Twin/B/Same.swift",
            ".build/Hidden/Hidden.swift", "Sources/Other/Readme.md",
        ])
        let files = SourceFiles(below: directory.path + "/")
        let found = { (file: String) in files.path(of: file).map { $0.replacing(directory.path, with: "") } }
        #expect(found("rerender_demo/Shop.swift") == "/Sources/rerender-demo/Shop.swift")
        #expect(found("Other/Shop.swift") == "/Sources/Other/Shop.swift")
        #expect(found("App/Only.swift") == "/Sources/Other/Deep/Only.swift")
        for unknown in [
            "App/Shop.swift", "App/Twice.swift", "Twin/Same.swift", "Hidden/Hidden.swift", "Only.swift", "",
            "Other/Readme.md",
        ] {
            #expect(found(unknown) == nil, "\(unknown)")
        }
        #expect(!files.isCut)
    }

    @Test("looks at so many entries, says so, and follows no link")
    func bounded() throws {
        let directory = try SourceSamples.directory((0..<20).map { "Sources/App/View\($0).swift" })
        #expect(SourceFiles(below: directory.path, limit: 10).isCut)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/Sources/loop", withDestinationPath: directory.path)
        let files = SourceFiles(below: directory.path)
        #expect(!files.isCut && files.path(of: "App/View3.swift") == directory.path + "/Sources/App/View3.swift")
        #expect(SourceFiles(below: directory.path + "/none").path(of: "App/View3.swift") == nil)
    }
}

/// Makes source files.
enum SourceSamples {
    /// A directory with these files.
    static func directory(_ files: [String]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for file in files {
            let url = directory.url.appendingPathComponent(file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
        return directory
    }
}
