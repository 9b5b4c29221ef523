// SPDX-License-Identifier: MIT
// What one check of `rerenderctl doctor` found.

import RerenderModel

/// One line of the doctor's report.
struct Finding: Hashable, Codable, Sendable {
    /// How it stands.
    enum Status: String, Hashable, Codable, Sendable {
        /// As it should be.
        case ok
        /// Something is missing that not everybody needs, or deserves a look.
        case warn
        /// Rerender cannot work like this.
        case fail

        var style: Style {
            switch self {
            case .ok: .good
            case .warn: .notice
            case .fail: .bad
            }
        }
    }

    /// What was looked at.
    var check: String
    var status: Status
    /// What was found; safe to print.
    var text: String
    /// What to do; nil where there is nothing to do.
    var advice: String?

    static func ok(_ check: String, _ text: String) -> Finding {
        Finding(check: check, status: .ok, text: text, advice: nil)
    }

    static func warn(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, status: .warn, text: text, advice: advice)
    }

    static func fail(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, status: .fail, text: text, advice: advice)
    }
}

extension Finding {
    /// What is said of commands under daemons of their own; nothing where there is none.
    static func commands(_ directories: [RuntimeDirectory]) -> [Finding] {
        guard let first = directories.first else { return [] }
        let one =
            "1 has a daemon of its own, in \(Printable.text(first.path)); top, stats and the others show it where no other answers"
        let several =
            "\(directories.count) have daemons of their own; name one by RERENDER_RUNTIME_DIR, such as "
            + Printable.text(first.path)
        return [.ok("commands", directories.count == 1 ? one : several)]
    }
}

/// The doctor's report: JSON version 1, `{"version": 1, "checks": [{"check", "status", "text", "advice"}]}`.
struct DoctorReport: Hashable, Codable, Sendable {
    var version = 1
    var checks: [Finding]

    /// Whether a check failed; warnings are none.
    var hasFailed: Bool { checks.contains { $0.status == .fail } }

    /// The report's lines, each at most `width` columns wide where no word is longer: a path or a command that is cut
    /// could not be copied.
    func lines(width: Int, colours: Bool) -> [String] {
        checks.enumerated().flatMap { index, finding -> [String] in
            let status = Fit.pad(finding.status.rawValue, 4, toTheRight: false)
            let text = Wrap.lines("\(finding.check): \(finding.text)", width: width - 6, indent: 2, cutting: false)
            let isRepeated = index > 0 && finding.advice == checks[index - 1].advice
            let shownAdvice = isRepeated ? finding.advice.map { _ in "as above" } : finding.advice
            let advice =
                shownAdvice.map { Wrap.lines("→ " + $0, width: width - 8, indent: 2, cutting: false) } ?? []
            let first = finding.status.style.apply(status, colours: colours) + "  " + (text.first ?? "")
            return [first] + text.dropFirst().map { "      " + $0 } + advice.map { "        " + $0 }
        } + [summary]
    }

    private var summary: String {
        let failed = checks.count { $0.status == .fail }
        let warned = checks.count { $0.status == .warn }
        if failed == 0, warned == 0 { return "All is well." }
        return "\(Counted.text(failed, "check")) failed, \(Counted.text(warned, "warning"))."
    }
}
