// SPDX-License-Identifier: MIT
// Programs with views that know nothing of Rerender, compiled once.

import Foundation

/// The fixture of views: an app, its UI framework in a shared library, and a library that only has values.
///
/// Each program prints what it counted itself: `NAME<tab>COUNT`.
package struct ViewsFixture: Sendable {
    /// Where everything lies. The libraries are found beside the programs.
    package let directory: String

    /// The app. Its argument is how often its root is evaluated, 3 without one.
    package var app: String { directory + "/App.program" }
    /// Has five evaluations of `Page`, which conforms to the protocol `Odd.Screen`.
    package var screens: String { directory + "/Odd.program" }
    /// Has a view, and the Swift runtime linked statically.
    package var withStaticRuntime: String { directory + "/Static.program" }

    private static let compiler = ChildProcess.path(of: "swiftc")
    package static var canBeBuilt: Bool { compiler != nil }
    private static let made = Task { try await make() }

    /// The fixture, which the first one who asks compiles.
    package static func built() async throws -> ViewsFixture { try await made.value }

    private static func make() async throws -> ViewsFixture {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let fixture = ViewsFixture(directory: root.path + "/.build/views-fixture")
        let sources = root.path + "/Tests/Fixtures/Views"
        try? FileManager.default.removeItem(atPath: fixture.directory)
        try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: true)
        for module in ["Kit", "Base"] {
            try await compile(
                ["-O", "-g", "-emit-library", "-emit-module", "-module-name", module, "-o", "lib\(module).so"]
                    + ["-Xlinker", "-soname=lib\(module).so"] + files(in: "\(sources)/\(module)"), in: fixture.directory
            )
        }
        try await compile(
            ["-O", "-g", "-module-name", "App", "-I.", "-L.", "-lKit", "-lBase", "-Xlinker", "-rpath=$ORIGIN"]
                + ["-o", fixture.app] + files(in: "\(sources)/App"), in: fixture.directory)
        // Without optimisation, since a file of one module has no need of its witness tables.
        try await compile(
            ["-Onone", "-module-name", "Odd", "-o", fixture.screens] + files(in: "\(sources)/Odd"),
            in: fixture.directory)
        try await compile(
            ["-Onone", "-static-stdlib", "-module-name", "Static", "-o", fixture.withStaticRuntime]
                + files(in: "\(sources)/Odd"), in: fixture.directory)
        return fixture
    }

    private static func files(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".swift") }.sorted()
            .map { "\(directory)/\($0)" }
    }

    private static func compile(_ arguments: [String], in directory: String) async throws {
        guard let compiler else { throw ChildProcess.Failure("there is no swiftc") }
        let command = ["/usr/bin/env", "-C", directory, compiler] + arguments
        let output = try await ChildProcess.run(command, seconds: 600)
        guard output.succeeded else {
            throw ChildProcess.Failure("\(command.joined(separator: " ")): \(output.standardError)")
        }
    }
}
