// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderRun
@testable import RerenderToolBase
import TestSupport
import Testing
@testable import ToolSupport

@Suite("The libraries of --inject")
struct InjectionLibrariesTests {
    private let scratch: TemporaryDirectory
    init() throws { scratch = try TemporaryDirectory() }

    private func make(_ path: String, _ text: String = "", at time: TimeInterval = 1_000) throws {
        let file = URL(fileURLWithPath: "\(scratch.path)/\(path)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time), .posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    private func place(_ executable: String) -> InjectionLibraries.Place {
        InjectionLibraries.place(executable: "\(scratch.path)/\(executable)")
    }

    private func libraries(_ directory: String) -> InjectionLibraries {
        InjectionLibraries(directory: "\(scratch.path)/\(directory)")
    }

    private func missing(_ place: InjectionLibraries.Place) -> String? {
        if case .missing(let what, let advice) = place { "\(what) → \(advice)" } else { nil }
    }

    @Test("are made by the checkout's script, whose errors are passed on")
    func making() async throws {
        let script = "\(scratch.path)/Scripts/lib/inject"
        let wanted = libraries("build")
        try make("build/other")
        try make("Scripts/lib/other")
        try await TestSupport.ChildProcess.makeScript(
            "#!/bin/sh\necho 'inject: has no probes' >&2\nexit 65\n", at: script)
        let failure = await #expect(throws: ToolFailure.self) {
            try await InjectionLibraries.need(.toBeMade(wanted, script: script))
        }
        #expect(failure?.status == 69 && failure?.message.contains("inject: has no probes") == true)
        try await TestSupport.ChildProcess.makeScript("#!/bin/sh\nexit 0\n", at: script)
        await #expect(throws: ToolFailure.self, "it made nothing") {
            try await InjectionLibraries.need(.toBeMade(wanted, script: script))
        }
        try await TestSupport.ChildProcess.makeScript(
            "#!/bin/sh\n: > \"$1/librerender-inject.so\"; : > \"$1/librerender-preload.so\"\n", at: script)
        #expect(try await InjectionLibraries.need(.toBeMade(wanted, script: script)) == wanted)
        let missing = await #expect(throws: ToolFailure.self) {
            try await InjectionLibraries.need(.missing("there is nothing", advice: "Do this"))
        }
        #expect(missing?.status == 69 && missing?.message == "--inject cannot work: there is nothing.\nDo this")
    }

    @Test(
        "cannot be made of a build without probes",
        .enabled(if: TestSupport.ChildProcess.path(of: "cc") != nil, "needs cc"))
    func probes() async throws {
        try make("none.c", "int rerender_inject_looked;\n")
        let made = try await TestSupport.ChildProcess.run([
            "/bin/sh", "-c", "cd \(scratch.path) && cc -c none.c && ar rc libRerenderInject.a none.o",
        ])
        #expect(made.succeeded, "\(made)")
        let script = Checkout.url("Scripts/lib/inject")
        let output = try await TestSupport.ChildProcess.run([script.path, scratch.path])
        #expect(output.exit == .status(65))
        #expect(
            output.standardError.contains(
                "has no probes; build it with: swift build -c release --traits AlwaysOn --product RerenderInject"))
        #expect(libraries(".").areThere == false)
    }
}
