// SPDX-License-Identifier: MIT
// What processes of interpreters are called, by their arguments.

import RerenderModel
import Testing

@Suite("Names of scripts")
struct ScriptNameTests {
    private struct Case: Sendable {
        let program: String
        let arguments: [String]
        let name: String?

        init(_ program: String, _ arguments: [String], _ name: String?) {
            (self.program, self.arguments, self.name) = (program, arguments, name)
        }
    }

    private static let cases = [
        Case("python3.11", ["python3", "clock.py"], "clock.py"),
        Case("python3.11", ["/usr/bin/python3", "/usr/bin/dialect", "--gapplication-service"], "dialect"),
        Case("python3", ["python3", "-u", "-W", "ignore", "-X", "dev", "a/clock.py", "-c"], "clock.py"),
        Case("python3.14", ["python3", "-Wignore", "-Xdev", "-BE", "clock.py"], "clock.py"),
        Case("python3.11", ["python3", "--check-hash-based-pycs", "never", "app/"], "app"),
        Case("python3.11", ["python3", "-m", "http.server", "8000"], "http.server"),
        Case("python3.11", ["python3", "-um", "clock"], "clock"),
        Case("python3.11", ["python3", "-mclock"], "clock"),
        Case("python3.11", ["python3", "--", "-clock.py"], "-clock.py"),
        // What has no file is called by its interpreter.
        Case("python3.11", ["python3", "-c", "import clock", "clock.py"], nil),
        Case("python3.11", ["python3", "-Bc", "import clock"], nil),
        Case("python3.11", ["python3", "-", "clock.py"], nil),
        Case("python3.11", ["python3"], nil),
        Case("python3.11", ["python3", "-m"], nil),
        Case("python3.11", ["python3", "-W"], nil),
        Case("python3.11", ["python3", "--"], nil),
        Case("python3.11", [], nil),
        Case("python3.11", ["python3", ""], nil),
        Case("python3.11", ["python3", String(repeating: "a", count: 129)], nil),
        Case("gjs-console", ["/usr/bin/gjs", "/usr/share/org.gnome.Weather/org.gnome.Weather"], "org.gnome.Weather"),
        Case("gjs-console", ["gjs", "-m", "clock.js"], "clock.js"),
        Case("gjs", ["gjs", "-I", "lib", "--include-path=more", "-d", "clock.js", "-c", "1"], "clock.js"),
        Case("gjs", ["gjs", "--coverage-prefix", "a", "--profile=b", "clock.js"], "clock.js"),
        Case("gjs", ["gjs", "-c", "1"], nil),
        Case("gjs", ["gjs", "--command=1"], nil),
        // Programs are called by their own names.
        Case("gnome-calendar", ["gnome-calendar", "day.ics"], nil),
        Case("bash", ["bash", "clock.sh"], nil),
        Case("python-config", ["python-config", "clock.py"], nil),
        Case("pythonic", ["pythonic", "clock.py"], nil),
    ]

    @Test("the script's file, or the module, and not the interpreter")
    func names() {
        for one in Self.cases {
            let name = ScriptName.of(program: one.program, arguments: one.arguments)
            #expect(name == one.name, "\(one.program) with \(one.arguments)")
        }
    }

    @Test("nothing is read of a program that is no interpreter")
    func interpreters() {
        #expect(["python3", "python3.11", "python", "gjs", "gjs-console"].allSatisfy(ScriptName.isInterpreter))
        #expect(!["gnome-maps", "node", "pythonic", "", "gjs-1"].contains(where: ScriptName.isInterpreter))
    }
}
