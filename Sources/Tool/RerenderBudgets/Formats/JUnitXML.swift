// SPDX-License-Identifier: MIT
// Writes JUnit XML as GitHub Actions, GitLab and Jenkins read it.

import RerenderModel

/// Writes one suite of test cases.
package struct JUnitXML: Sendable {
    /// What became of a case.
    enum Outcome: Hashable, Sendable {
        case passed
        case skipped(String)
        case failed(message: String, details: [String])
    }

    /// A test case.
    struct Case: Hashable, Sendable {
        var group: String
        var name: String
        var outcome: Outcome
    }

    let suite: String
    var cases: [Case] = []
    /// What the suite says beside its cases: lines of its standard output.
    var output: [String] = []

    /// The document, a line end last.
    package var text: String {
        let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
        let counts =
            #"tests="\#(cases.count)" failures="\#(failures)" errors="0" skipped="\#(skipped)""#
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(#"<testsuites \#(counts)>"#)
        lines.append(#"  <testsuite name="\#(Self.escaped(suite))" \#(counts)>"#)
        for one in cases { lines += Self.lines(one) }
        if !output.isEmpty {
            lines.append("    <system-out>" + output.map(Self.escaped).joined(separator: "\n") + "</system-out>")
        }
        lines += ["  </testsuite>", "</testsuites>"]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(_ one: Case) -> [String] {
        let start = #"    <testcase classname="\#(escaped(one.group))" name="\#(escaped(one.name))""#
        switch one.outcome {
        case .passed: return [start + "/>"]
        case .skipped(let message):
            return [start + ">", #"      <skipped message="\#(escaped(message))"/>"#, "    </testcase>"]
        case .failed(let message, let details):
            let body = ([message] + details).map(escaped).joined(separator: "\n")
            return [
                start + ">", #"      <failure message="\#(escaped(message))" type="rerender">\#(body)</failure>"#,
                "    </testcase>",
            ]
        }
    }

    /// Text of an attribute or an element. What XML has no way to write (most control characters, U+FFFE, U+FFFF) is
    /// written as `\u{…}`.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in Printable.text(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\u{FFFE}", "\u{FFFF}": escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
