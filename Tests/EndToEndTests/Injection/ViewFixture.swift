// SPDX-License-Identifier: MIT
// Programs with views that know nothing of Rerender, compiled in several ways, and what is preloaded into them.

import Foundation
import TestSupport

/// The sources in Tests/Fixtures/Views, compiled without this package.
actor ViewFixture {
    static let shared = ViewFixture()

    /// How a program is compiled.
    struct Build: Hashable, Sendable, CustomStringConvertible {
        /// Whether the framework is of the app's own module: the optimiser may then resolve calls of a body.
        var isOneModule = false
        var options: [String]

        var description: String {
            (options + (isOneModule ? ["one module"] : [])).joined(separator: " ")
        }
    }

    private var builds: [Build: Task<String, any Error>] = [:]
    private var crossUI: [[String]: Task<String, any Error>] = [:]
    private var preload: Task<String, any Error>?

    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let sources = tests.appendingPathComponent("Fixtures/Views").path

    /// A file of the sources.
    static func source(_ path: String) -> String { "\(sources)/\(path)" }

    /// The directory with the programs `App` and `loader` and with `libLate.so`; of one module, with `App` alone.
    func programs(_ build: Build) async throws -> String {
        if let known = builds[build] { return try await known.value }
        let task = Task { try await Self.compile(build) }
        builds[build] = task
        return try await task.value
    }

    /// The program on a framework with SwiftCrossUI's requirements.
    func crossUI(_ options: [String]) async throws -> String {
        if let known = crossUI[options] { return try await known.value }
        let task = Task { try await Self.compileCrossUI(options) }
        crossUI[options] = task
        return try await task.value
    }

    private static func compileCrossUI(_ options: [String]) async throws -> String {
        let directory = try TestFile.makeDirectory()
        let sources = tests.appendingPathComponent("Fixtures/CrossUI").path
        let swiftc = ["swiftc", "-swift-version", "6"] + options
        try await run(
            swiftc + [
                "-emit-library", "-emit-module", "-module-name", "SwiftCrossUI",
                "-o", "\(directory)/libSwiftCrossUI.so", "-emit-module-path", "\(directory)/SwiftCrossUI.swiftmodule",
                "-Xlinker", "-soname=libSwiftCrossUI.so",
            ] + ["View", "Views", "Node"].map { "\(sources)/SwiftCrossUI/\($0).swift" })
        try await run(
            swiftc + [
                "-module-name", "App", "-o", "\(directory)/App", "-I", directory, "-L", directory, "-lSwiftCrossUI",
                "-Xlinker", "-rpath=$ORIGIN", "\(sources)/App/main.swift",
            ])
        return directory + "/App"
    }

    /// The library that is preloaded, made of what this package built.
    func library() async throws -> String {
        if let preload { return try await preload.value }
        let task = Task {
            let directory = URL(fileURLWithPath: ChildProcess.product("rerenderctl")).deletingLastPathComponent().path
            let script = Self.tests.deletingLastPathComponent().appendingPathComponent("Scripts/lib/inject").path
            try await Self.run([script, directory])
            return directory + "/librerender-preload.so"
        }
        preload = task
        return try await task.value
    }

    private static func compile(_ build: Build) async throws -> String {
        let directory = try TestFile.makeDirectory()
        func files(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(folder)").filter {
                $0.hasSuffix(".swift")
            }
            .sorted().map { "\(sources)/\(folder)/\($0)" }
        }
        func swiftc(_ arguments: [String]) async throws {
            try await run(["swiftc"] + build.options + arguments)
        }
        if build.isOneModule {
            try await swiftc(
                ["-DOWN", "-module-name", "App", "-o", "\(directory)/App"] + files("Kit") + files("Base")
                    + files("App"))
            return directory
        }
        for module in ["Kit", "Base"] {
            try await swiftc(
                [
                    "-emit-library", "-emit-module", "-module-name", module, "-o", "\(directory)/lib\(module).so",
                    "-emit-module-path", "\(directory)/\(module).swiftmodule", "-Xlinker", "-soname=lib\(module).so",
                ] + files(module))
        }
        let linked = ["-I", directory, "-L", directory, "-lKit", "-lBase", "-Xlinker", "-rpath=$ORIGIN"]
        try await swiftc(["-module-name", "App", "-o", "\(directory)/App"] + linked + files("App"))
        try await swiftc(
            ["-emit-library", "-module-name", "Late", "-o", "\(directory)/libLate.so"] + linked + files("Late"))
        try await run(["cc", "\(sources)/Loader/loader.c", "-o", "\(directory)/loader"])
        return directory
    }

    private static func run(_ command: [String]) async throws {
        let isPath = command[0].contains("/")
        guard let program = isPath ? command[0] : ChildProcess.path(of: command[0]) else {
            throw ChildProcess.Failure("there is no \(command[0])")
        }
        let output = try await ChildProcess.run([program] + command.dropFirst())
        guard output.succeeded else {
            throw ChildProcess.Failure("\(command.joined(separator: " ")): \(output.standardError)")
        }
    }
}
