// SPDX-License-Identifier: MIT
// Headers of a GLib or GTK that makes macros of its functions: g_free is one since GLib 2.78, where the C library has free_sized.

import Foundation
import TestSupport
import Testing

@Suite(
    "The headers of a newer GTK",
    .enabled(if: PartProgram.obstacle == nil, Comment(rawValue: PartProgram.obstacle ?? "")))
struct HeaderTests {
    /// A directory whose `gtk/gtk.h` makes a macro of each function that is called through a pointer: no direct call of it compiles.
    private func macros() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let names = try PartProgram.names().sorted()
        #expect(names.count > 200 && names.contains("g_free") && names.contains("gtk_widget_queue_draw"))
        let lines =
            ["#pragma GCC system_header", "#include_next <gtk/gtk.h>"] + names.map { "#define \($0)(...) ! \($0)" }
        try FileManager.default.createDirectory(
            at: directory.url.appending(path: "gtk"), withIntermediateDirectories: false)
        try (lines.joined(separator: "\n") + "\n")
            .write(to: directory.url.appending(path: "gtk/gtk.h"), atomically: true, encoding: .utf8)
        return directory
    }

    @Test(
        "Each file compiles where each function that it calls through a pointer is a macro",
        arguments: ["clang", "cc"])
    func functionMacros(compiler: String) async throws {
        guard let path = ChildProcess.path(of: compiler) else { try Test.cancel("\(compiler) is not installed") }
        let directory = try macros(), files = try PartProgram.files()
        let flags = try await ChildProcess.run([try ChildProcess.installed("pkg-config"), "--cflags", "gtk4"])
        let words = flags.standardOutput.split { $0.isWhitespace }.map(String.init)
        #expect(flags.succeeded && files.count > 30)
        let output = try await ChildProcess.run(
            [path, "-fsyntax-only", "-I\(directory.path)"] + PartProgram.options + words + files)
        #expect(output.succeeded, "\(output.standardError)")
        withExtendedLifetime(directory) {}
    }
}
