// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import TestSupport
import Testing

@Suite("The libraries of --inject")
struct InjectionLibrariesTests {
    @Test(
        "cannot be made of a build without probes",
        .enabled(if: ChildProcess.path(of: "cc") != nil, "needs cc"))
    func probes() async throws {
        let scratch = try TemporaryDirectory()
        try Data("int rerender_inject_looked;\n".utf8).write(to: scratch.url.appending(path: "none.c"))
        let made = try await ChildProcess.run([
            "/bin/sh", "-c", "cd \(scratch.path) && cc -c none.c && ar rc libRerenderInject.a none.o",
        ])
        #expect(made.succeeded, "\(made)")
        let script = Checkout.url("Scripts/lib/inject")
        let output = try await ChildProcess.run([script.path, scratch.path])
        #expect(output.exit == .status(65))
        #expect(
            output.standardError.contains(
                "has no probes; build it with: swift build -c release --traits AlwaysOn --product RerenderInject"))
        #expect(!InjectionLibraries(directory: scratch.path).areThere)
    }
}
