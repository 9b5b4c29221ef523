// SPDX-License-Identifier: MIT
// The first line of the doctor: whether `run` works, and what it counts.

import RerenderShow

/// Looks whether `run` can count a program. No daemon is needed for that.
struct ReadyCheck: Sendable {
    let system: any DoctorSystem
    let libraries: InjectionLibraries.Place
    /// The directory in which the daemon of a command makes its own.
    let parent: String

    static let name = "set-up"
    private static let isReady = "ready for `run`"

    /// - Parameter checks: What else was found.
    func finding(beside checks: [Finding]) -> Finding {
        fault(checks) ?? counted
    }

    /// What keeps programs from being counted at all; nil where nothing does.
    private func fault(_ checks: [Finding]) -> Finding? {
        let name = Self.name
        if system.environment("RERENDER") == "0" {
            return .warn(name, "not \(Self.isReady): RERENDER=0 is set", "Run: unset RERENDER")
        }
        if let off = checks.first(where: { $0.check == DirectoryChecks.switchName }) {
            return .warn(name, "not \(Self.isReady): Rerender is switched off", off.advice ?? "Run: rerenderctl on")
        }
        if let settings = checks.first(where: { $0.check == "settings" && $0.status == .fail }) {
            return .fail(name, "not \(Self.isReady): the settings file cannot be used", settings.advice ?? "Repair it")
        }
        guard system.canMakeFiles(in: parent) else {
            return .fail(
                name, "not \(Self.isReady): no directory can be made in \(Printable.text(parent))",
                "Give yourself the right to write to it")
        }
        return nil
    }

    /// Which programs are counted.
    private var counted: Finding {
        let name = Self.name
        let linked = "\(Self.isReady) of programs that link the library"
        switch libraries {
        case .found(let found):
            if let fault = found.pathFault { return .warn(name, "\(linked): \(fault.what)", fault.advice) }
            guard case .missing(let advice) = found.gtkPart else {
                return .ok(
                    name, "\(Self.isReady): Swift programs, GTK 4, GLib, Python and gjs are counted as they are")
            }
            return .warn(
                name, "\(Self.isReady): all but the widgets of GTK 4 are counted as they are", advice)
        case .toBeMade:
            return .warn(
                name, "\(linked): the libraries that count others are to be made first",
                "To make them: rerenderctl run --inject -- true")
        case .missing(let what, let advice): return .warn(name, "\(linked): \(what)", advice)
        }
    }
}
