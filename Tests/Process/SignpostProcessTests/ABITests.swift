// SPDX-License-Identifier: MIT
// Our mirror of LTTng's structs against the real headers.

import Foundation
import TestSupport
import Testing
@testable import SignpostSupport

private let compiler = ChildProcess.path(of: "cc") ?? ChildProcess.path(of: "clang")
private let hasHeaders =
    ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"].contains {
        FileManager.default.fileExists(atPath: "\($0)/lttng/ust-ringbuffer-context.h")
    }

@Suite(
    "LTTng's binary interface",
    .enabled(if: compiler != nil && hasHeaders, "needs a C compiler and liblttng-ust-dev"))
struct ABITests {
    private let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private func check(_ more: [String] = []) async throws -> ChildProcess.Output {
        let sources = Checkout.path("Sources/Shared/CShared/Signpost/lttng")
        return try await ChildProcess.run(
            [try #require(compiler), "-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I\(sources)"]
                + more
                + [here.appendingPathComponent("ABI/abi_check.c").path])
    }

    @Test("the mirrored structs have the sizes, offsets and constants of the installed headers")
    func mirrorsAreRight() async throws {
        let output = try await check()
        #expect(output.succeeded, "\(output.standardError)")
    }

    @Test("the check notices a wrong offset")
    func checkCanFail() async throws {
        let output = try await check(["-DCS_CHECK_THE_CHECK"])
        #expect(!output.succeeded)
        #expect(output.standardError.contains("eval_filter"))
    }
}
