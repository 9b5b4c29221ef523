// SPDX-License-Identifier: MIT
// Scripts/package, and what apt makes of its packages.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite("Scripts/package", .serialized)
struct PackageTests {
    private static let script = SystemdHarness.checkout.appending(path: "Scripts/package").path

    /// Where Scripts/demo and Scripts/install leave the tools: an installation needs them with the Swift runtime in them.
    private static let tools = SystemdHarness.checkout.appending(path: ".build/tools/release")

    /// Why packages cannot be made and tried here; nil if they can.
    private static let obstacle: String? = {
        for tool in ["dh", "lintian"] where ChildProcess.path(of: tool) == nil { return "\(tool) is not installed" }
        for name in ["rerenderd", "rerenderctl"]
        where !FileManager.default.isExecutableFile(atPath: tools.appending(path: name).path) {
            return "there is no release of \(name) to package: run Scripts/demo or Scripts/install"
        }
        return SystemdHarness.obstacle
    }()

    @Test(
        "lintian finds no error, and apt installs, upgrades, removes and purges the packages",
        .enabled(if: obstacle == nil, Comment(rawValue: obstacle ?? "")))
    func packages() async throws {
        let inject = SystemdHarness.checkout.appending(path: "Scripts/lib/inject").path
        let made = try await ChildProcess.run([inject, SystemdHarness.binaries.path])
        try #require(made.succeeded, "\(made)")
        let work = try TestFile.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: work) }
        let (binaries, packages) = (work + "/binaries", work + "/packages")
        try FileManager.default.createDirectory(atPath: binaries, withIntermediateDirectories: true)
        let injected = [
            "librerender-preload.so", "librerender-inject.so", "librerender-gtk.so", "rerender-gio", "rerender-attach",
        ]
        for (names, directory) in [(["rerenderd", "rerenderctl"], Self.tools), (injected, SystemdHarness.binaries)] {
            for name in names {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(binaries)/\(name)", withDestinationPath: directory.appending(path: name).path)
            }
        }
        // Compressing well takes most of a minute, and is no matter here.
        var environment = ProcessInfo.processInfo.environment
        environment["DPKG_DEB_COMPRESSOR_TYPE"] = "gzip"
        environment["DPKG_DEB_COMPRESSOR_LEVEL"] = "1"
        let package = try await ChildProcess.run(
            [Self.script, "--from", binaries, "--output", packages], environment: environment, seconds: 600)
        try #require(package.succeeded, "\(package)")
        let files = package.standardOutput.split(separator: "\n").map(String.init)
        let names = Set(files.compactMap { URL(filePath: $0).lastPathComponent.split(separator: "_").first })
        #expect(
            names == [
                "librerender-gtk-dev", "rerender", "rerender-dbgsym", "rerender-inject", "rerender-inject-dbgsym",
            ])
        let ours = files.allSatisfy { $0.contains("_\(RerenderVersion.current)") }
        #expect(ours, "\(files)")
        let lintian = try await ChildProcess.run(
            [ChildProcess.installed("lintian"), "--allow-root", "--fail-on", "error", "--tag-display-limit", "0"]
                + files, seconds: 600)
        #expect(lintian.succeeded, "\(lintian)")
        try await SystemdHarness.expectSuccess(of: "packages.sh", packages, binding: [packages])
    }
}
