// SPDX-License-Identifier: MIT
// The parts of a program that Rerender does not count: by its file and this build before the start, and of commands that run now.

import FoundationEssentials
package import RerenderShow

/// Something that is not counted of a command, and what to do.
package struct ProgramShortfall: Hashable, Sendable {
    /// What is not counted.
    package enum Part: Hashable, Sendable {
        /// The program, since nothing can be injected into it.
        case program
        /// Its widgets of GTK, or, where it names none, those of any program that it starts.
        case widgets
        /// What only symbols tell.
        case symbols
    }

    package let part: Part
    /// What is not counted, and why; without a full stop.
    package let text: String
    /// What to do; without a full stop.
    package let advice: String
    /// Whether the command is not started: nothing of what was asked for would come.
    package let isRefused: Bool
    /// Why, in the words of a process that says it later.
    let reason: String

    /// All that a command's file tells, most important first.
    ///
    /// - Parameters:
    ///   - name: The program as the user named it; safe to print.
    ///   - file: The file that the command runs; nil where none can be read.
    ///   - gtk: Whether this build has the part for GTK.
    ///   - showsHUD: Whether the user wants the HUD, and not counts alone.
    package static func all(
        of name: String, file: ProgramFile?, gtk: GTKPart, showsHUD: Bool = false
    ) -> [ProgramShortfall] {
        if let file, let program = program(name, file, showsHUD) { return [program] }
        return [widgets(name, file, gtk, showsHUD), symbols(name, file)].compactMap(\.self)
    }

    private static func program(_ name: String, _ file: ProgramFile, _ showsHUD: Bool) -> ProgramShortfall? {
        func shortfall(_ why: String, _ advice: String, isRefused: Bool) -> ProgramShortfall {
            ProgramShortfall(
                part: .program, text: "nothing can be injected into \(name): \(why)", advice: advice,
                isRefused: isRefused, reason: why)
        }
        return switch InjectionVerdict.on(file) {
        case .possible: nil
        case .pointless(let why, let advice): shortfall(why, advice, isRefused: showsHUD)
        case .refused(let why, let advice): shortfall(why, advice, isRefused: true)
        case .harmful(let why, let advice):
            ProgramShortfall(
                part: .program, text: "\(name) is not counted as it is: \(why)", advice: advice, isRefused: showsHUD,
                reason: why)
        }
    }

    private static func widgets(
        _ name: String, _ file: ProgramFile?, _ gtk: GTKPart, _ showsHUD: Bool
    ) -> ProgramShortfall? {
        func shortfall(_ what: String, _ why: String, _ advice: String, isRefused: Bool) -> ProgramShortfall {
            ProgramShortfall(
                part: .widgets, text: "\(what): \(why)", advice: advice, isRefused: isRefused, reason: why)
        }
        let image = file?.elf, hud = "the HUD cannot be shown"
        let what = (showsHUD ? "\(hud), and " : "") + "the widgets of \(name) cannot be counted"
        switch (file.flatMap { WidgetVerdict.on($0) }, gtk) {
        case (.older(let version), _):
            return shortfall(
                what, "its GTK is version \(version), and rerender counts the widgets of GTK 4",
                showsHUD
                    ? "Run it without --hud"
                    : "Its main loop, its Swift views, and programs that it starts, are looked at",
                isRefused: showsHUD)
        // A program that links the part counts its widgets itself.
        case (.counted, .missing(let advice)) where image?.needsRerender != true:
            let hasViews = image?.hasSwiftCode == true || image?.needsSwiftRuntime == true
            return shortfall(what, GTKPart.isMissing, advice, isRefused: showsHUD || !hasViews)
        case (_, .missing(let advice)) where showsHUD:
            return shortfall(hud, GTKPart.isMissing, advice, isRefused: true)
        default: return nil
        }
    }

    private static func symbols(_ name: String, _ file: ProgramFile?) -> ProgramShortfall? {
        guard let file, file.script == nil, let image = file.elf, image.hasSwiftCode, !image.hasSymbols else {
            return nil
        }
        return ProgramShortfall(
            part: .symbols,
            text:
                "\(name) is stripped: views that were not seen are not named, and the first property of its own protocol "
                + "View is taken for the body",
            advice: "Run a build that keeps its symbols: link it without -s, and do not strip it", isRefused: false,
            reason: "stripped")
    }
}

/// The processes of this user's commands with `--inject` that have not ended.
package enum RunningInjections {
    /// Sentences that say what is not counted of them, and why; empty where all is.
    ///
    /// - Parameter directory: Only processes that meet their daemon there count. A directory that `$RERENDER_RUNTIME_DIR` does not
    ///   name stands for those of private daemons, too.
    package static func notes(beside directory: RuntimeDirectory = .current()) -> [String] {
        Injection.reports(beside: directory).flatMap { path -> [String] in
            var known: [Int32: Bool] = [:]
            let report = InjectionReport(Injection.bytes(of: path)) { process in
                if let isMeant = known[process] { return isMeant }
                let isMeant = Self.isMeant(process, path, directory)
                known[process] = isMeant
                return isMeant
            }
            return InjectionOutcome(report, protocols: [], gtk: InjectionLibraries.ofThisProgram.gtkPart).shortfalls
        }
    }

    /// Whether a process was started with this report, and for this directory: its number may be another one's now.
    private static func isMeant(_ process: Int32, _ report: String, _ directory: RuntimeDirectory) -> Bool {
        let environment = ProcFile.read("/proc/\(process)/environ").split(separator: "\0")
        guard environment.contains("\(Injection.reportVariable)=\(report)"[...]) else { return false }
        let name = "\(RuntimeDirectory.Origin.environment.rawValue)="
        let own = environment.last { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
        guard directory.origin != .environment else { return own == directory.path }
        return own.map { $0 == directory.path || RunDirectories.isPrivate($0, beside: directory) } ?? true
    }
}
