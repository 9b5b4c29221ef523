// SPDX-License-Identifier: MIT
// The result of one check.

package import RerenderShow

/// One line of the doctor's report.
package struct Finding: Hashable, Codable, Sendable {
    /// The result.
    package enum Status: String, Hashable, Codable, Sendable {
        /// As it should be.
        case ok
        /// Something optional is missing, or needs a look.
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
    package var check: String
    package var status: Status
    /// What was found; safe to print.
    package var text: String
    /// The next step; nil if there is none.
    package var advice: String?

    package static func ok(_ check: String, _ text: String) -> Finding {
        Finding(check: check, status: .ok, text: text, advice: nil)
    }

    package static func warn(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, status: .warn, text: text, advice: advice)
    }

    package static func fail(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, status: .fail, text: text, advice: advice)
    }
}

extension Finding {
    /// What is not counted of processes that run; none where all is.
    package static func shortfalls(_ texts: [String]) -> [Finding] {
        texts.map {
            .warn(
                "running programs", $0, "\"Count a program as it is\" (docs/guide/inject.md) says what can be counted")
        }
    }

    /// A finding about commands under private daemons; none if there are no such commands.
    package static func commands(_ directories: [RuntimeDirectory]) -> [Finding] {
        guard let first = directories.first else { return [] }
        let one =
            "1 command has a private daemon, in \(Printable.text(first.path)); top, stats and other commands use it if no other daemon answers"
        let several =
            "\(directories.count) commands have private daemons; choose one with RERENDER_RUNTIME_DIR, such as "
            + Printable.text(first.path)
        return [.ok("commands", directories.count == 1 ? one : several)]
    }
}
