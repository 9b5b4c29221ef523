// SPDX-License-Identifier: MIT
// Programs with views that know nothing of Rerender, compiled in several ways, and what is preloaded into them.

import Foundation

/// The sources in Tests/Fixtures/Views, compiled without this package, each once for each way.
///
/// Each program prints what it counted itself: lines of a view, a tab, and a number.
package actor ViewFixture {
    package static let shared = ViewFixture()

    /// How a program is compiled.
    package struct Build: Hashable, Sendable, CustomStringConvertible {
        /// Whether the framework is of the app's own module: the optimiser may then resolve calls of a body.
        package var isOneModule: Bool
        package var options: [String]

        package init(isOneModule: Bool = false, options: [String]) {
            (self.isOneModule, self.options) = (isOneModule, options)
        }

        /// As a release build has it, with debug information.
        package static let release = Build(options: ["-O", "-g"])

        package var description: String {
            (options + (isOneModule ? ["one module"] : [])).joined(separator: " ")
        }
    }

    /// A folder of the sources that is a program.
    private struct Program: Hashable {
        let folder: String
        let build: Build
        let usesFramework: Bool
    }

    package static var canBeBuilt: Bool { ChildProcess.path(of: "swiftc") != nil }

    private var builds: [Build: Task<String, any Error>] = [:]
    private var others: [Program: Task<String, any Error>] = [:]
    private var frameworks: [[String]: Task<String, any Error>] = [:]
    private var preload: Task<String, any Error>?

    private static let sources = Checkout.path("Tests/Fixtures/Views")

    /// A file of the sources.
    package static func source(_ path: String) -> String { "\(sources)/\(path)" }

    /// The directory with the programs `App` and `loader` and with `libLate.so`; of one module, with `App` alone.
    ///
    /// The argument of `App` is how often its root is evaluated, 3 without one.
    package func programs(_ build: Build) async throws -> String {
        if let known = builds[build] { return try await known.value }
        let task = Task { try await Self.compile(build) }
        builds[build] = task
        return try await task.value
    }

    /// The program `Fixtures/FOLDER/App` on a framework of its own in `Fixtures/FOLDER/FRAMEWORK`: a shared library, or in the
    /// program's file.
    package func program(
        of folder: String, on framework: String, _ options: [String], isStatic: Bool = false
    ) async throws -> String {
        let key = [folder, framework, "\(isStatic)"] + options
        if let known = frameworks[key] { return try await known.value }
        let task = Task { try await Self.compile(folder, on: framework, options, isStatic) }
        frameworks[key] = task
        return try await task.value
    }

    private static func compile(
        _ folder: String, on framework: String, _ options: [String], _ isStatic: Bool
    ) async throws -> String {
        let directory = try TestFile.makeDirectory(), swiftc = ["swiftc"] + options
        let library =
            isStatic
            ? ["-static", "-o", "\(directory)/lib\(framework).a"]
            : ["-o", "\(directory)/lib\(framework).so", "-Xlinker", "-soname=lib\(framework).so"]
        try await run(
            swiftc + [
                "-emit-library", "-emit-module", "-module-name", framework, "-emit-module-path",
                "\(directory)/\(framework).swiftmodule",
            ] + library + files("../\(folder)/\(framework)"))
        try await run(
            swiftc + [
                "-module-name", "App", "-o", "\(directory)/App", "-I", directory, "-L", directory, "-l\(framework)",
                "-Xlinker", "-rpath=$ORIGIN",
            ] + files("../\(folder)/App"))
        return directory + "/App"
    }

    /// A program of another folder: it lies beside the framework of the same build, or has all in its own module.
    package func program(_ folder: String, _ build: Build, usesFramework: Bool = true) async throws -> String {
        let program = Program(folder: folder, build: build, usesFramework: usesFramework)
        if let known = others[program] { return try await known.value }
        let directory = Task { usesFramework ? try await programs(build) : try TestFile.makeDirectory() }
        let task = Task { try await Self.compile(program, in: directory.value) }
        others[program] = task
        return try await task.value
    }

    /// Has five evaluations of `Page`, which conforms to the protocol `Odd.Screen`.
    package func screens() async throws -> String {
        // Without optimisation, since a file of one module has no need of its witness tables.
        try await program("Odd", Build(options: ["-Onone"]), usesFramework: false)
    }

    /// The same with the Swift runtime linked statically.
    package func withStaticRuntime() async throws -> String {
        try await program("Odd", Build(options: ["-Onone", "-static-stdlib"]), usesFramework: false)
    }

    /// The library that is preloaded, made of what this package built.
    package func library() async throws -> String {
        if let preload { return try await preload.value }
        let task = Task {
            let directory = URL(fileURLWithPath: ChildProcess.product("rerenderctl")).deletingLastPathComponent().path
            let script = Checkout.path("Scripts/lib/inject")
            try await Self.run([script, directory])
            return directory + "/librerender-preload.so"
        }
        preload = task
        return try await task.value
    }

    private static func compile(_ build: Build) async throws -> String {
        let directory = try TestFile.makeDirectory()
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
        let linked = linked(with: directory)
        try await swiftc(["-module-name", "App", "-o", "\(directory)/App"] + linked + files("App"))
        try await swiftc(
            ["-emit-library", "-module-name", "Late", "-o", "\(directory)/libLate.so"] + linked + files("Late"))
        try await run(["cc", "\(sources)/Loader/loader.c", "-o", "\(directory)/loader"])
        return directory
    }

    private static func compile(_ program: Program, in directory: String) async throws -> String {
        let (build, path) = (program.build, "\(directory)/\(program.folder)")
        var sources = try files(program.folder)
        if program.usesFramework { sources += build.isOneModule ? try files("Kit") : linked(with: directory) }
        let own = build.isOneModule ? ["-DOWN"] : []
        try await run(["swiftc"] + build.options + own + ["-module-name", program.folder, "-o", path] + sources)
        return path
    }

    private static func linked(with directory: String) -> [String] {
        ["-I", directory, "-L", directory, "-lKit", "-lBase", "-Xlinker", "-rpath=$ORIGIN"]
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(folder)").filter { $0.hasSuffix(".swift") }
            .sorted().map { "\(sources)/\(folder)/\($0)" }
    }

    private static func run(_ command: [String]) async throws {
        let isPath = command[0].contains("/")
        guard let program = isPath ? command[0] : ChildProcess.path(of: command[0]) else {
            throw ChildProcess.Failure("there is no \(command[0])")
        }
        let output = try await ChildProcess.run([program] + command.dropFirst(), seconds: 600)
        guard output.succeeded else {
            throw ChildProcess.Failure("\(command.joined(separator: " ")): \(output.standardError)")
        }
    }
}
