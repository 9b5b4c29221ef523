// SPDX-License-Identifier: MIT
// Programs and libraries of one file in C that tests compile.

import Foundation

/// Compiles each file once.
package actor CProgram {
    private static let shared = CProgram()
    private var made: [[String]: Task<String, any Error>] = [:]

    /// The path of what a source file was made into.
    ///
    /// - Parameters:
    ///   - packages: What pkg-config is asked for flags of.
    ///   - options: Further options of the compiler.
    package static func made(
        of source: String, packages: [String], options: [String] = []
    ) async throws -> String {
        try await shared.file(source, packages, options)
    }

    private func file(_ source: String, _ packages: [String], _ options: [String]) async throws -> String {
        let key = [source] + packages + options
        if let known = made[key] { return try await known.value }
        let task = Task { try await Self.compile(source, packages, options) }
        made[key] = task
        return try await task.value
    }

    private static func compile(_ source: String, _ packages: [String], _ options: [String]) async throws -> String {
        let name = URL(filePath: source).deletingPathExtension().lastPathComponent
        let program = try TestFile.makeDirectory() + "/\(name)"
        let flags = try await ChildProcess.run(
            [try ChildProcess.installed("pkg-config"), "--cflags", "--libs"] + packages)
        let words = flags.standardOutput.split { $0.isWhitespace }.map(String.init)
        let output = try await ChildProcess.run(
            [try ChildProcess.installed("cc"), "-g", "-o", program, source] + options + words)
        guard flags.succeeded, output.succeeded else {
            throw ChildProcess.Failure("\(source): \(flags.standardError) \(output.standardError)")
        }
        return program
    }
}
