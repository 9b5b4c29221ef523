// SPDX-License-Identifier: MIT
// What `run` and `look` say at the end of a command that had nothing to count: one line, and only advice that is possible.

import RerenderModel
import RerenderShow

/// What is known before a command starts, for the line at its end.
struct RunSilence: Hashable, Sendable {
    /// As the user named it.
    let program: String
    /// Whether `run --inject` could count what the command starts.
    var mayInject = false
    /// Whether a line before the start said why nothing can be counted.
    var isExplained = false

    init(_ program: String, mayInject: Bool = false, isExplained: Bool = false) {
        (self.program, self.mayInject, self.isExplained) = (program, mayInject, isExplained)
    }

    /// The program, safe to print.
    private var name: String { Printable.text(program) }

    /// Of a command on this machine, before it starts.
    ///
    /// - Parameters:
    ///   - isInjected: Whether something is injected into it.
    ///   - isLeft: Whether the user asked to inject nothing.
    init(before command: [String], isInjected: Bool, isLeft: Bool) {
        self.init(command.first ?? "")
        guard !isInjected, !isLeft, let program = command.first else { return }
        isExplained = InjectionOffer.here(for: command)?.line != nil
        mayInject =
            !isExplained
            && InjectionOffer.canBeAsked(of: .started(by: program), place: InjectionLibraries.ofThisProgram)
    }

    /// The line; none where one said it before the start, or a note of the injection says it.
    ///
    /// - Parameter injected: What became of the injection, if there was one.
    func lines(_ harvest: RunHost.Harvest, _ injected: InjectionOutcome?) -> [String] {
        if environmentVariable("RERENDER") == "0" {
            return ["rerenderctl: \(name) counted nothing because RERENDER=0 is set. Run: unset RERENDER"]
        }
        // The notes below say what is missing; whether a process had connected is unknown.
        guard harvest.gaps.isEmpty else {
            return ["rerenderctl: \(name) exited, and the daemon knows no instrumented process of it."]
        }
        if isExplained || injected?.notes(isCounted: false).isEmpty == false { return [] }
        if !harvest.export.processes.isEmpty { return ["rerenderctl: \(name) exited, and nothing was evaluated."] }
        let inject: ShellCommand = "rerenderctl run --inject -- \(.path(program))"
        let advice = mayInject ? " To count what it loads or starts, run: \(inject)" : ""
        return ["rerenderctl: \(name) exited, and no instrumented process connected.\(advice)"]
    }

    /// Says why nothing is shown: a failure, also one of the daemon's own, and that Rerender was switched off meanwhile.
    func show(_ error: any Error) {
        FailureText.show(
            error as? ToolFailure
                ?? ToolFailure(ExitStatus.software, "what \(name) did cannot be shown: \(Printable.text("\(error)"))"))
        if SwitchState.place != nil { FailureText.note("rerenderctl: \(RunHost.Harvest.offMeanwhile)") }
    }

    /// Whether there is nothing to show: no process, or, of those for which the user did not ask, none that did anything.
    static func isMeant(for harvest: RunHost.Harvest, _ injected: InjectionOutcome?) -> Bool {
        let stores = harvest.export.processes
        if stores.isEmpty { return true }
        guard injected?.isAsked == false, harvest.hangs.isEmpty, harvest.gaps.isEmpty else { return false }
        return stores.allSatisfy { store in
            store.evaluations == 0 && store.views.isEmpty && store.lost == 0 && store.dropped == 0 && store.loop == nil
                && store.frames == nil && store.gaps?.isEmpty != false
        }
    }
}
