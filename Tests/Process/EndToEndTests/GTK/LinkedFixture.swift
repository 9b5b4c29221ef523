// SPDX-License-Identifier: MIT
// An installation of this build, and programs that are compiled against it.

import Foundation
import TestSupport

/// Installs once, and compiles each program once.
actor LinkedFixture {
    static let shared = LinkedFixture()
    private var installed: Task<String, any Error>?
    private var programs: [String: Task<String, any Error>] = [:]

    private static let checkout = Checkout.root.path

    /// A file of Tests/Fixtures/Linked.
    static func source(_ name: String) -> String { "\(checkout)/Tests/Fixtures/Linked/\(name)" }

    /// The prefix of the installation, which Scripts/install made of this build.
    func prefix() async throws -> String {
        if let installed { return try await installed.value }
        let task = Task {
            _ = try await ViewFixture.shared.library()
            let prefix = try TestFile.makeDirectory() + "/prefix"
            let products = URL(filePath: ChildProcess.product("rerenderctl")).deletingLastPathComponent().path
            var environment = ProcessInfo.processInfo.environment
            // The units of this user's manager are not to be read anew.
            environment["XDG_RUNTIME_DIR"] = nil
            let script = "\(Self.checkout)/Scripts/install"
            try await Self.run([script, "--prefix", prefix, "--from", products], environment)
            return prefix
        }
        installed = task
        return try await task.value
    }

    /// What pkg-config says of the installed library.
    func packageConfig(_ arguments: String...) async throws -> [String] {
        var environment = ProcessInfo.processInfo.environment
        environment["PKG_CONFIG_PATH"] = try await prefix() + "/lib/pkgconfig"
        let output = try await Self.run([try ReleaseCost.path("pkg-config")] + arguments, environment)
        return output.split { $0.isWhitespace }.map(String.init)
    }

    /// The shared library.
    func library() async throws -> String { try await packageConfig("--variable=library", "rerender-gtk").joined() }

    /// A program in C that links the library and, unless it is to be without it, GTK.
    func program(_ source: String, withGTK: Bool = true) async throws -> String {
        if let known = programs[source] { return try await known.value }
        let task = Task {
            let flags =
                withGTK
                ? try await packageConfig("--cflags", "--libs", "rerender-gtk", "gtk4")
                : try await packageConfig("--cflags", "--libs", "rerender-gtk")
            let program = try TestFile.makeDirectory() + "/program"
            let options = ["-std=c17", "-Wall", "-Wextra", "-g", "-o", program, source]
            try await Self.run([try ReleaseCost.path("cc")] + options + flags, ProcessInfo.processInfo.environment)
            return program
        }
        programs[source] = task
        return try await task.value
    }

    /// The block of a language in docs/guide/gtk.md, as a file of its own.
    static func sample(_ language: String, _ name: String) throws -> String {
        let page = try String(contentsOfFile: "\(checkout)/docs/guide/gtk.md", encoding: .utf8)
        guard let block = page.split(separator: "```\(language)\n").dropFirst().first?.split(separator: "\n```").first
        else { throw ChildProcess.Failure("docs/guide/gtk.md has no sample in \(language)") }
        let file = try TestFile.makeDirectory() + "/\(name)"
        try (block + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    /// A library that does nothing and has the name of another one.
    static func stub(_ name: String) async throws -> String {
        let directory = try TestFile.makeDirectory(), source = directory + "/stub.c", library = "\(directory)/\(name)"
        try "int rerender_test_stub;\n".write(toFile: source, atomically: true, encoding: .utf8)
        let options = ["-shared", "-fPIC", "-Wl,-soname,\(name)", "-o", library, source]
        try await run([try ReleaseCost.path("cc")] + options, ProcessInfo.processInfo.environment)
        return library
    }

    @discardableResult
    private static func run(_ command: [String], _ environment: [String: String]) async throws -> String {
        let output = try await ChildProcess.run(command, environment: environment, seconds: 300)
        guard output.succeeded else {
            throw ChildProcess.Failure("\(command.joined(separator: " ")): \(output.standardError)")
        }
        return output.standardOutput
    }
}
