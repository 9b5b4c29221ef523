// SPDX-License-Identifier: MIT
// Where the source files are that counts name by module and file: `Shop/Cart.swift`.

import FoundationEssentials
import RerenderModel

/// The source files below a directory, by their names.
package struct SourceFiles: Sendable {
    /// Their paths below the root, by the last part.
    private var paths: [String: [String]] = [:]
    private let root: String
    /// Whether the directory has more than was looked at.
    package private(set) var isCut = false

    /// Finds files that end in `.swift` below a directory; nothing where it cannot be read.
    ///
    /// Neither hidden directories nor links are followed. At most `limit` entries are looked at.
    package init(below root: String, limit: Int = 200_000) {
        self.root = PathName.trimmed(root) == "/" ? "" : PathName.trimmed(root)
        var left = limit
        var folders = [""]
        while let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: self.root + folder)) ?? []
            for name in names.sorted() where !name.hasPrefix(".") {
                guard left > 0 else {
                    isCut = true
                    return
                }
                left -= 1
                let path = folder + "/" + name
                if name.hasSuffix(".swift") {
                    paths[name, default: []].append(path)
                } else if isFolder(path) {
                    folders.append(path)
                }
            }
        }
    }

    private func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: root + path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    /// The path below the root of a file that a module names; nil where ``path(of:)`` is.
    package func relativePath(of file: String) -> String? { found(file).map { String($0.dropFirst()) } }

    /// The path of a file that a module names; nil if there is none, or if it is not certain which one is meant.
    ///
    /// The folder of a module has its name, with `-` for `_`. A file in no such folder has to be the only one of its name.
    package func path(of file: String) -> String? { found(file).map { root + $0 } }

    private func found(_ file: String) -> String? {
        let parts = PathName.parts(of: file)
        guard parts.count >= 2, let name = parts.last, let found = paths[name] else { return nil }
        let ofModule = found.filter { path in
            PathName.parts(of: path).dropLast().contains { $0.replacing("-", with: "_") == parts[0] }
        }
        let fitting = ofModule.isEmpty ? found : ofModule
        return fitting.count == 1 ? fitting[0] : nil
    }
}
