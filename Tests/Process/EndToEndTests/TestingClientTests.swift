// SPDX-License-Identifier: MIT
// A user's package with failing expectations, built and run as a user does, in both test libraries.

import Foundation
import TestSupport
import Testing

@Suite("RerenderTesting in a user's tests", .serialized)
struct TestingClientTests {
    /// The package's tests in debug, built once.
    private static let debug = Task { try await run([]) }

    @Test("a failure in Swift Testing has its text at the line of the expectation, also on a task of no test")
    func swiftTesting() async throws {
        let text = try await Self.debug.value
        #expect(text.contains("Test swiftTestingHolds() passed"))
        #expect(text.contains("Test swiftTestingFails() recorded an issue at CartTests.swift:15"), "\(text)")
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("↳ Cart: 2 evaluations, expected exactly 1"))
        for part in ["expected  exactly 1 in this block", "counted   2 evaluations, none wasted", "why       2 tick"] {
            #expect(lines.contains(part), "\(lines)")
        }
        #expect(lines.contains { $0.hasPrefix("view      Cart at WithSwiftTesting/CartTests.swift:1") })
        #expect(lines.contains("store     swift-testing") && lines.contains("store     another-task"))
        #expect(text.contains("Test run with 3 tests in 0 suites failed"))
    }

    @Test("a failure in XCTest too, also on a task of its own")
    func xctest() async throws {
        let text = try await Self.debug.value
        #expect(text.contains("Test Case 'CartTests.testHolds' passed"))
        let failure =
            "CartTests.swift:16: error: CartTests.testFails : failed - Cart: 2 evaluations, expected exactly 1\n"
        #expect(text.contains(failure), "\(text)")
        #expect(text.contains("CartTests.testFailsWhileItWaits : failed - Waiting: 1 evaluation, expected at most 0\n"))
        #expect(text.contains("Executed 3 tests, with 2 failures (0 unexpected)"))
        #expect(text.contains("\n  store     xctest\n"))
    }

    @Test("where RERENDER=0 is set every expectation fails and says so")
    func switchedOff() async throws {
        _ = try await Self.debug.value
        let text = try await Self.run(["--skip-build"], environment: ["RERENDER": "0"])
        let said = text.components(separatedBy: "Rerender counts nothing here, so no expectation can hold: RERENDER=0")
        #expect(said.count == 1 + 6, "\(text)")
        #expect(text.contains("Test swiftTestingHolds() failed") && text.contains("'CartTests.testHolds' failed"))
    }

    @Test("where the user switched Rerender off every expectation fails and says so")
    func switchedOffByUser() async throws {
        _ = try await Self.debug.value
        let directory = try TemporaryDirectory()
        try Data().write(to: URL(filePath: directory.path + "/off"))
        let text = try await Self.run(["--skip-build"], environment: ["RERENDER_RUNTIME_DIR": directory.path])
        let said = text.components(separatedBy: "so no expectation can hold: rerenderctl off switched Rerender off.")
        #expect(said.count == 1 + 6, "\(text)")
    }

    @Test("in a release build, which has no probes, every expectation fails and says so")
    func release() async throws {
        let text = try await Self.run(["--configuration", "release"])
        let said = text.components(separatedBy: "so no expectation can hold: the probes are not in this build.")
        #expect(said.count == 1 + 6, "\(text)")
        #expect(text.contains("Test swiftTestingHolds() failed") && text.contains("'CartTests.testHolds' failed"))
    }

    /// Runs the package's tests, which must fail, and returns all that they say.
    private static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> String {
        let package = Checkout.path("Tests/Fixtures/TestingClient"), scratch = Checkout.path(".build/testing-client")
        // The plan of the last build does not know of files that this package has got since.
        let plans = [package + "/Package.resolved", scratch + "/debug.yaml", scratch + "/release.yaml"]
        for stale in plans where !arguments.contains("--skip-build") {
            try? FileManager.default.removeItem(atPath: stale)
        }
        // Of the test run that we are in: the inner one has events and settings of its own.
        let ours = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWT_") }
        let output = try await ChildProcess.run(
            [
                try ReleaseCost.path("swift"), "test", "--package-path", package, "--scratch-path", scratch,
                "--no-parallel",
            ] + arguments,
            environment: ours.merging(["NO_COLOR": "1"].merging(environment) { $1 }) { $1 }, seconds: 900)
        #expect(output.exit == .status(1), "\(output.exit)")
        return output.standardOutput + output.standardError
    }
}
