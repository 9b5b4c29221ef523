// SPDX-License-Identifier: MIT
// Release builds of a program that has views with probes, and the same without.

import Foundation
import TestSupport
import Testing

/// A release build of `Tests/Fixtures/ReleaseCost`, which is also a package of its own, as a user has one.
struct ReleaseCost: Sendable {
    /// What the tests need besides the toolchain.
    static let isMeasurable =
        Fixture.hasSwift && ["valgrind", "nm", "strip"].allSatisfy { ChildProcess.path(of: $0) != nil }

    /// Without a trait: what an app ships.
    static func plain() async throws -> ReleaseCost {
        let made = try await Fixture.made("release/plain.made")
        return ReleaseCost(scratch: URL(filePath: made).deletingPathExtension())
    }

    /// With the probes kept in, which every check must be able to tell from the other. This package has the same targets.
    static func alwaysOn() async throws -> ReleaseCost {
        _ = try await Fixture.made("release/AlwaysOn.made")
        return ReleaseCost(scratch: Checkout.url(".build/corpus-release"))
    }

    /// A program of this package as it is shipped: optimised, and without probes.
    static func product(_ name: String) async throws -> String {
        let made = try await Fixture.made("release/programs.made")
        return URL(filePath: made).deletingPathExtension().path + "/release/\(name)"
    }

    let scratch: URL

    var program: String { scratch.appendingPathComponent("release/ReleaseCost").path }

    /// The object code of the module with the probes, as the compiler wrote it.
    var objects: [String] {
        let directory = scratch.appendingPathComponent("release/Probed.build")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".o") }.map { directory.appendingPathComponent($0).path }
    }

    /// Runs the program under callgrind.
    ///
    /// - Parameters:
    ///   - arguments: Those of the program.
    ///   - function: The name of the function to look at, with what it calls; nil for all.
    func profile(_ arguments: [String] = [], within function: String? = nil) async throws -> CallgrindProfile {
        // Valgrind of Debian 12 stops at the debug information that Swift writes; the symbols stay.
        let directory = try TemporaryDirectory()
        let (stripped, output) = (directory.path + "/stripped", directory.path + "/callgrind.out")
        try await Self.succeed([try Self.path("strip"), "--strip-debug", "-o", stripped, program])
        var environment = ProcessInfo.processInfo.environment
        environment["LD_BIND_NOW"] = "1"  // or the first caller of a runtime function pays for finding it
        try await Self.succeed(
            [
                try Self.path("valgrind"), "--tool=callgrind", "--callgrind-out-file=\(output)",
                "--compress-strings=no", "--compress-pos=no", "--dump-line=no",
            ] + (function.map { ["--toggle-collect=\($0)"] } ?? []) + [stripped] + arguments, environment: environment)
        return CallgrindProfile(try String(contentsOfFile: output, encoding: .utf8))
    }

    static func path(_ command: String) throws -> String {
        try #require(ChildProcess.path(of: command), "\(command) is not installed")
    }

    /// Runs a command to its end, which must be a good one.
    @discardableResult
    static func succeed(_ command: [String], environment: [String: String]? = nil) async throws -> ChildProcess.Output {
        let output = try await ChildProcess.run(command, environment: environment, seconds: 900)
        guard output.succeeded else {
            throw ChildProcess.Failure(
                "\(command.joined(separator: " ")): \(output.exit)\n\(output.standardOutput)\(output.standardError)")
        }
        return output
    }
}
