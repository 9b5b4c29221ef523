// SPDX-License-Identifier: MIT
// The sources of this package, read once for all tests.

import Foundation
import TestSupport

/// A target below `Sources/GROUP/`.
struct SourceTarget {
    let group: String
    let name: String
    /// Swift files.
    let files: [SourceFile]
    /// C files and headers.
    let cFiles: [CFile]
    /// Files of each folder, by its path in the target; the root is the empty path.
    let fileCounts: [String: Int]

    var codeLines: Int { files.reduce(0) { $0 + $1.codeLines } + cFiles.reduce(0) { $0 + $1.codeLines } }
    var place: String { "\(group)/\(name)" }

    init(group: String, name: String, files: [SourceFile] = [], cFiles: [CFile] = []) {
        self.group = group
        self.name = name
        self.files = files
        self.cFiles = cFiles
        fileCounts = Self.fileCounts(files.map(\.path) + cFiles.map(\.path))
    }

    fileprivate init(group: String, name: String, folder: URL) throws {
        self.group = group
        self.name = name
        var files: [SourceFile] = []
        var cFiles: [CFile] = []
        let paths = Self.paths(in: folder)
        for path in paths where [".swift", ".c", ".h"].contains(where: path.hasSuffix) {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            if path.hasSuffix(".swift") {
                files.append(SourceFile(path: path, source: text))
            } else {
                cFiles.append(CFile(path: path, source: text))
            }
        }
        self.files = files
        self.cFiles = cFiles
        fileCounts = Self.fileCounts(paths)
    }

    private static func paths(in folder: URL) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            let isFolder = (try? folder.appending(path: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
            return isFolder == false && !path.contains(".docc/")
        }
    }

    private static func fileCounts(_ paths: [String]) -> [String: Int] {
        Dictionary(grouping: paths) { $0.split(separator: "/").dropLast().joined(separator: "/") }.mapValues(\.count)
    }
}

extension Checkout {
    /// All targets below `Sources`, by group and name.
    static let targets: [SourceTarget] = {
        let sources = root.appending(path: "Sources")
        return folders(in: sources).flatMap { group in
            folders(in: sources.appending(path: group)).compactMap { name in
                try? SourceTarget(group: group, name: name, folder: sources.appending(path: "\(group)/\(name)"))
            }
        }
    }()

    private static func folders(in folder: URL) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") && !$0.contains(".") }.sorted()
    }
}
