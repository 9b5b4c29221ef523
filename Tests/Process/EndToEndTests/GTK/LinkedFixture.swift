// SPDX-License-Identifier: MIT
// An installation of this build, and programs that are compiled against it.

import Foundation
import TestSupport

enum LinkedFixture {
    /// The prefix of the installation, which Scripts/install made of this build.
    static func prefix() async throws -> String {
        try await Fixture.made("linked/prefix.made").replacing(".made", with: "")
    }

    /// What pkg-config says of the installed library.
    private static func packageConfig(_ arguments: String...) async throws -> [String] {
        var environment = ProcessInfo.processInfo.environment
        environment["PKG_CONFIG_PATH"] = try await prefix() + "/lib/pkgconfig"
        let output = try await run([try ReleaseCost.path("pkg-config")] + arguments, environment)
        return output.split { $0.isWhitespace }.map(String.init)
    }

    /// The shared library.
    static func library() async throws -> String {
        try await packageConfig("--variable=library", "rerender-gtk").joined()
    }

    /// A program of the block in C in docs/guide/gtk-link.md.
    static func sample() async throws -> String {
        let source = try sample("c", "counter.c"), program = try TestFile.makeDirectory() + "/program"
        let flags = try await packageConfig("--cflags", "--libs", "rerender-gtk", "gtk4")
        let options = ["-std=c17", "-Wall", "-Wextra", "-g", "-o", program, source]
        try await run([try ReleaseCost.path("cc")] + options + flags, ProcessInfo.processInfo.environment)
        return program
    }

    /// The block of a language in docs/guide/gtk-link.md, as a file of its own.
    static func sample(_ language: String, _ name: String) throws -> String {
        let page = try String(contentsOfFile: Checkout.path("docs/guide/gtk-link.md"), encoding: .utf8)
        guard let block = page.split(separator: "```\(language)\n").dropFirst().first?.split(separator: "\n```").first
        else { throw ChildProcess.Failure("docs/guide/gtk-link.md has no sample in \(language)") }
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
        let output = try await ChildProcess.run(command, environment: environment)
        guard output.succeeded else {
            throw ChildProcess.Failure("\(command.joined(separator: " ")): \(output.standardError)")
        }
        return output.standardOutput
    }
}
