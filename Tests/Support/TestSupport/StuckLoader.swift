// SPDX-License-Identifier: MIT
// A library in LTTng's place that loads for ever, so that one thread of a process holds the loader's lock.

import Foundation

/// What a process needs so that the thread which loads LTTng never comes back.
package struct StuckLoader {
    private let library: String
    private let directory: TemporaryDirectory
    private let home: [String: String]
    private var notice: String { directory.path + "/loading" }

    /// Makes the library. Needs a C compiler.
    package init() async throws {
        library = try await Fixture.made("c/stuck/liblttng-ust.so.1")
        directory = try TemporaryDirectory()
        home = try LTTngSocket.alone(in: directory.path)
    }

    /// Has a process load the library.
    package var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment.merging(home) { $1 }
        environment["LD_LIBRARY_PATH"] = URL(filePath: library).deletingLastPathComponent().path
        environment["STUCK_LIBRARY_NOTICE"] = notice
        return environment
    }

    /// Returns once a thread of the process is in the library's constructor.
    package func waitUntilLoading() async throws {
        try await eventually("the library being loaded", in: directory.path) {
            FileManager.default.fileExists(atPath: notice) ? () : nil
        }
    }
}
