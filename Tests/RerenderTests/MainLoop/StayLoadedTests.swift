// SPDX-License-Identifier: MIT
// A plugin that holds Rerender and is closed by its host.

import Foundation
import TestSupport
import Testing

@Suite("A plugin with Rerender in it")
struct StayLoadedTests {
    /// The library's C is in Clang's dialect.
    private static let compiler = ChildProcess.path(of: "clang")

    /// Closes the plugin, and then asks whether it is still there. Exports a function of the name of the plugin's.
    private static let host = """
        #include <dlfcn.h>
        #include <stdio.h>
        #include <string.h>
        void crerender_stay_loaded(void) {}
        int main(int count, char **arguments) {
            void *plugin = dlopen(arguments[1], RTLD_LAZY);
            if (!plugin) return puts(dlerror()), 2;
            void (*stay)(void) = (void (*)(void))dlsym(plugin, "plugin_stay");
            if (!strcmp(arguments[2], "stay")) stay();
            dlclose(plugin);
            puts(dlopen(arguments[1], RTLD_LAZY | RTLD_NOLOAD) ? "there" : "gone");
            return 0;
        }
        """

    /// Hosts find none of the library's own functions.
    private static let plugin = """
        void crerender_stay_loaded(void);
        void plugin_stay(void) { crerender_stay_loaded(); }
        """

    @Test(
        "stays in the process when its host closes it, because loops call it for ever",
        .enabled(if: compiler != nil, "needs clang in PATH"))
    func closed() async throws {
        let compiler = try #require(Self.compiler)
        let directory = try TemporaryDirectory()
        let (source, host) = (directory.url.appending(path: "host.c"), directory.url.appending(path: "host"))
        let plugin = directory.url.appending(path: "plugin.so").path
        let pluginSource = directory.url.appending(path: "plugin.c")
        try Self.host.write(to: source, atomically: true, encoding: .utf8)
        try Self.plugin.write(to: pluginSource, atomically: true, encoding: .utf8)
        let app = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/App")
            .standardized.path
        let roots = ["\(app)/CRerender", "\(app)/CSymbols"]
        let files = try roots.flatMap { root in
            try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".c") }.map {
                "\(root)/\($0)"
            }
        }
        // What its Swift code has to define is not called here.
        let built = try await ChildProcess.run(
            [compiler, "-shared", "-fPIC", "-w", "-o", plugin] + roots.map { "-I\($0)/include" } + files
                + [pluginSource.path])
        try #require(built.succeeded, "\(built.standardError)")
        let linked = try await ChildProcess.run([compiler, "-w", "-rdynamic", "-o", host.path, source.path, "-ldl"])
        try #require(linked.succeeded, "\(linked.standardError)")
        for (word, outcome) in [("close", "gone\n"), ("stay", "there\n")] {
            #expect(try await ChildProcess.run([host.path, plugin, word]).standardOutput == outcome)
        }
    }
}
