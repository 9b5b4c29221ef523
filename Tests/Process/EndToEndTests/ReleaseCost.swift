// SPDX-License-Identifier: MIT
// The fixture package of the release tests: an app that depends on this package, built as a user would build it.

import Foundation
import TestSupport
import Testing

/// A release build of `Tests/Fixtures/ReleaseCost`.
struct ReleaseCost: Sendable {
    /// What the tests need besides the toolchain.
    static let isMeasurable = ["valgrind", "nm", "strip"].allSatisfy { ChildProcess.path(of: $0) != nil }

    /// Without a trait: what an app ships.
    static let plain = Task { try await build(traits: []) }
    /// With the probes kept in, which every check must be able to tell from the other.
    static let alwaysOn = Task { try await build(traits: ["--traits", "AlwaysOn"]) }

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
        let stripped = scratch.appendingPathComponent("stripped").path
        let output = scratch.appendingPathComponent("callgrind.out").path
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

    private static func build(traits: [String]) async throws -> ReleaseCost {
        let package = Checkout.url("Tests/Fixtures/ReleaseCost")
        let name = traits.last ?? "plain"
        // Kept between runs: the second takes seconds.
        let scratch = Checkout.url(".build/release-cost/\(name)")
        // The plan of the last build does not know of files that this package has got since.
        for stale in [
            package.appendingPathComponent("Package.resolved"), scratch.appendingPathComponent("release.yaml"),
        ] {
            try? FileManager.default.removeItem(at: stale)
        }
        try await succeed(
            [
                try path("swift"), "build", "--configuration", "release", "--package-path", package.path,
                "--scratch-path", scratch.path,
            ] + traits)
        return ReleaseCost(scratch: scratch)
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
