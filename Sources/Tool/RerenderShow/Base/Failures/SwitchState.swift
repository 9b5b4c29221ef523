// SPDX-License-Identifier: MIT
// Whether the user switched Rerender off, and what to do about it.

package import RerenderModel

/// The user's switch, as commands see it: the file `off` in a runtime directory.
package enum SwitchState {
    /// The first directory in which programs that are started from here would find Rerender switched off; nil if they count.
    package static var place: RuntimeDirectory? { place(among: RuntimeDirectory.candidates()) }

    /// The first of these directories that keeps programs off.
    static func place(among directories: [RuntimeDirectory]) -> RuntimeDirectory? {
        directories.first { $0.isSwitchedOff }
    }

    /// Throws status 69 where a command that is started from here would count nothing.
    package static func mustBeOn() throws(ToolFailure) {
        guard let place else { return }
        throw ToolFailure(ExitStatus.switchedOff, notice(place).joined(separator: "\n"))
    }

    /// What is the case and what to do, a line for each.
    package static func notice(_ place: RuntimeDirectory, inUse: RuntimeDirectory = .current()) -> [String] {
        [
            "Rerender is switched off for this user, by \(Printable.text(place.path))/\(RuntimeDirectory.switchName).",
            "Run: \(wayOn(place, inUse: inUse))",
        ]
    }

    /// The command that switches it on again.
    package static func wayOn(_ place: RuntimeDirectory, inUse: RuntimeDirectory) -> ShellCommand {
        place.path == inUse.path
            ? "rerenderctl on" : "RERENDER_RUNTIME_DIR=\(.path(place.path)) rerenderctl on"
    }
}
