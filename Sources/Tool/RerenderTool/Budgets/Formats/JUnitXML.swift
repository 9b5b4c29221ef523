// SPDX-License-Identifier: MIT
// Writes JUnit XML as GitHub Actions, GitLab and Jenkins read it.

package import RerenderModel

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
    package var markup: Markup {
        let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
        let counts: Markup =
            #"tests="\#(cases.count)" failures="\#(failures)" errors="0" skipped="\#(skipped)""#
        var lines: [Markup] = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(#"<testsuites \#(counts)>"#)
        lines.append(#"  <testsuite name="\#(suite)" \#(counts)>"#)
        for one in cases { lines += Self.lines(one) }
        if !output.isEmpty {
            lines.append("    <system-out>\(Self.lines(output))</system-out>")
        }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return lines.joined(separator: "\n")
    }

    private static func lines(_ one: Case) -> [Markup] {
        let start: Markup = #"    <testcase classname="\#(one.group)" name="\#(one.name)""#
        switch one.outcome {
        case .passed: return [start + "/>"]
        case .skipped(let message):
            return [start + ">", #"      <skipped message="\#(message)"/>"#, "    </testcase>"]
        case .failed(let message, let details):
            return [
                start + ">",
                #"      <failure message="\#(message)" type="rerender">\#(lines([message] + details))</failure>"#,
                "    </testcase>",
            ]
        }
    }

    private static func lines(_ texts: [String]) -> Markup { texts.map { Markup($0) }.joined(separator: "\n") }
}
