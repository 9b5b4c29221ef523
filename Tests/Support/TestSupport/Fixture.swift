// SPDX-License-Identifier: MIT
// What Tests/Fixtures/Makefile makes.

import Foundation

/// Programs and libraries that SwiftPM does not build beside the tests: each is made once, and anew where its sources,
/// the Makefile or the compilers changed.
///
/// `Scripts/test` makes those of the tests that every change is checked for before it starts them, and sets a variable: then nothing
/// is made here, and a fixture that is missing in the Makefile's list fails its test.
package enum Fixture {
    /// Whether programs in Swift can be made here, and libraries of `--inject`; some have parts in C.
    package static var hasSwift: Bool { ChildProcess.path(of: "swiftc") != nil && hasC }
    /// Whether programs in C can be made here.
    package static var hasC: Bool { ChildProcess.path(of: "cc") != nil && ChildProcess.path(of: "make") != nil }

    private static let directory = Checkout.path(".build/fixtures")
    private static let products = URL(filePath: ChildProcess.product("rerenderctl")).deletingLastPathComponent().path
    private static let maker = Maker()

    /// The path of what the Makefile calls by this name, such as `c/widgets`.
    package static func made(_ name: String) async throws -> String {
        let path = "\(directory)/\(name)"
        try await maker.make(path)
        return path
    }

    /// The library that is preloaded; the others of `--inject` lie beside it, where the tool looks for them.
    @discardableResult
    package static func preload() async throws -> String {
        let path = "\(products)/librerender-preload.so"
        try await maker.make(path)
        return path
    }

    /// A file of Tests/Fixtures.
    package static func source(_ path: String) -> String { Checkout.path("Tests/Fixtures/\(path)") }

    /// Makes one after the other: what several need is made once.
    private actor Maker {
        private var tasks: [String: Task<Void, any Error>] = [:]
        private var last: Task<Void, any Error>?

        func make(_ path: String) async throws {
            if let known = tasks[path] { return try await known.value }
            let before = last
            let task = Task {
                _ = await before?.result
                try await Self.run(path)
            }
            (tasks[path], last) = (task, task)
            try await task.value
        }

        private static func run(_ path: String) async throws {
            let areMade = ProcessInfo.processInfo.environment["RERENDER_FIXTURES_ARE_MADE"] == "1"
            let output = try await ChildProcess.run(
                [
                    try ChildProcess.installed("make"), areMade ? "--question" : "--silent", "-C",
                    Checkout.path("Tests/Fixtures"), "OUT=\(directory)", "PRODUCTS=\(products)", path,
                ], seconds: 900)
            guard !output.succeeded else { return }
            throw ChildProcess.Failure(
                areMade && output.exit == .status(1)
                    ? "\(path) is not made: enter it in the list `gate` of Tests/Fixtures/Makefile"
                    : "\(path): \(output.standardOutput)\(output.standardError)")
        }
    }
}
