// SPDX-License-Identifier: MIT
// Which Debian packages the scripts find missing, by the system's own dpkg-query over a database of ours.

import Foundation
import TestSupport
import Testing

@Suite(
    "The packages that scripts need",
    .enabled(if: ChildProcess.path(of: "dpkg-query") != nil, "dpkg-query is not installed"))
struct NeededPackagesTests {
    private static let helpers = ["say.sh", "packages.sh"]
        .map { ". " + SystemdHarness.checkout.appending(path: "Scripts/lib/\($0)").path + "; " }.joined()

    /// As Debian 13 has them: the library's name says the size of its times, and the package provides the old name.
    private static let status = """
        Package: liblttng-ust1t64
        Status: install ok installed
        Maintainer: Debian <debian@example.org>
        Architecture: amd64
        Version: 2.13.9-1
        Provides: liblttng-ust1 (= 2.13.9-1), lttng-library, lttng-of-any:any
        Description: a library

        Package: babeltrace2
        Status: install ok installed
        Maintainer: Debian <debian@example.org>
        Architecture: amd64
        Version: 2.1.1-1
        Description: a program

        Package: removed
        Status: deinstall ok config-files
        Maintainer: Debian <debian@example.org>
        Architecture: amd64
        Version: 1
        Provides: of-removed
        Description: its settings are left

        """

    /// Runs a script with the functions, as an ordinary user whom apt-get does not answer.
    private static func bash(_ script: String, status: String = status) async throws -> ChildProcess.Output {
        let database = try TestFile.makeDirectory()
        try TestFile.write(Array(status.utf8), to: database + "/status")
        let ordinary = "id() { echo 1000; }; apt-get() { echo 'apt-get was asked' >&2; return 100; }; "
        return try await ChildProcess.run(
            ["/bin/bash", "-c", "set -uo pipefail; " + helpers + ordinary + script],
            environment: ["PATH": "/usr/bin:/bin", "DPKG_ADMINDIR": database])
    }

    @Test("A package is there by its own name, and by each name that an installed one provides")
    func provided() async throws {
        let names = "liblttng-ust1t64 liblttng-ust1 lttng-library lttng-of-any babeltrace2"
        let output = try await Self.bash("missing_packages \(names); need_packages \(names)")
        #expect(output.succeeded && output.standardOutput.isEmpty && output.standardError.isEmpty, "\(output)")
    }

    @Test("What no installed package is called or provides is missing, in the order in which it is needed")
    func missing() async throws {
        let output = try await Self.bash(
            "missing_packages of-removed liblttng-ust removed babeltrace2 liblttng.ust1 debian 2.1.1-1")
        #expect(output.standardOutput == "of-removed\nliblttng-ust\nremoved\nliblttng.ust1\ndebian\n2.1.1-1\n")
    }

    @Test("Without any package, all are missing, and an ordinary user sees which command installs them")
    func ordinaryUser() async throws {
        let output = try await Self.bash("need_packages liblttng-ust1 babeltrace2", status: "")
        #expect(output.exit == .status(1), "\(output)")
        let command = "sudo apt-get install --no-install-recommends liblttng-ust1 babeltrace2"
        #expect(output.standardError == "    missing: liblttng-ust1 babeltrace2. Run: \(command)\n")
    }

    @Test("On the machine itself, dpkg is there, and a name of no package is missing")
    func ofThisMachine() async throws {
        let output = try await ChildProcess.run(
            ["/bin/bash", "-c", Self.helpers + "missing_packages dpkg no-such-package-of-debian"])
        #expect(output.standardOutput == "no-such-package-of-debian\n")
    }
}
