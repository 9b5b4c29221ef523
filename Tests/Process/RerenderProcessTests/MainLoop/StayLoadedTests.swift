// SPDX-License-Identifier: MIT
// A plugin that holds Rerender and is closed by its host.

import Foundation
import TestSupport
import Testing

@Suite("A plugin with Rerender in it")
struct StayLoadedTests {
    /// The library's C is in Clang's dialect.
    private static let compiler = ChildProcess.path(of: "clang")

    /// Closes the plugin, and then asks whether it is still there.
    private static let host = """
        #include <dlfcn.h>
        #include <stdio.h>
        int main(int count, char **arguments) {
            void *plugin = dlopen(arguments[1], RTLD_LAZY);
            if (!plugin) return puts(dlerror()), 2;
            dlclose(plugin);
            puts(dlopen(arguments[1], RTLD_LAZY | RTLD_NOLOAD) ? "there" : "gone");
            return 0;
        }
        """

    @Test(
        "stays in the process when its host closes it, because loops call it for ever",
        .enabled(if: compiler != nil, "needs clang in PATH"))
    func closed() async throws {
        let compiler = try #require(Self.compiler)
        let directory = try TemporaryDirectory()
        let (source, host) = (directory.url.appending(path: "host.c"), directory.url.appending(path: "host"))
        let plugin = directory.url.appending(path: "plugin.so").path
        try Self.host.write(to: source, atomically: true, encoding: .utf8)
        let (app, shared) = (Checkout.path("Sources/App/CRerender"), Checkout.path("Sources/Shared/CShared"))
        let files = try [app, "\(shared)/Descriptors", "\(shared)/Imports"].flatMap { root in
            try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".c") }.map {
                "\(root)/\($0)"
            }
        }
        // What its Swift code has to define is not called here.
        let built = try await ChildProcess.run(
            [compiler, "-shared", "-fPIC", "-w", "-o", plugin] + [app, shared].map { "-I\($0)/include" } + files)
        try #require(built.succeeded, "\(built.standardError)")
        let linked = try await ChildProcess.run([compiler, "-w", "-rdynamic", "-o", host.path, source.path, "-ldl"])
        try #require(linked.succeeded, "\(linked.standardError)")
        #expect(try await ChildProcess.run([host.path, plugin]).standardOutput == "there\n")
    }
}
