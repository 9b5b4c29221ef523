// SPDX-License-Identifier: MIT
// A library in LTTng's place that loads for ever, so that one thread of a process holds the loader's lock.

import Foundation

/// What a process needs so that the thread which loads LTTng never comes back.
package struct StuckLoader {
    private static let compiler = ChildProcess.path(of: "cc") ?? ChildProcess.path(of: "clang")

    /// Whether it can be made here.
    package static var isPossible: Bool { compiler != nil }

    private let directory: TemporaryDirectory
    private var notice: String { directory.url.path + "/loading" }

    /// Compiles the library. Needs a C compiler.
    package init() async throws {
        guard let compiler = Self.compiler else { throw ChildProcess.Failure("there is no C compiler") }
        directory = try TemporaryDirectory()
        let source = Checkout.path("Tests/Fixtures/stuck_library.c")
        let output = try await ChildProcess.run([
            compiler, "-shared", "-fPIC", "-pthread", "-o",
            directory.url.path + "/liblttng-ust.so.1", source,
        ])
        guard output.succeeded else { throw ChildProcess.Failure("the library: \(output.standardError)") }
    }

    /// Has a process load the library.
    package var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["LD_LIBRARY_PATH"] = directory.url.path
        environment["STUCK_LIBRARY_NOTICE"] = notice
        return environment
    }

    /// Returns once a thread of the process is in the library's constructor.
    package func waitUntilLoading() async throws {
        try await eventually("the library being loaded") { FileManager.default.fileExists(atPath: notice) ? () : nil }
    }
}
