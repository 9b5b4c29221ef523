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

// What the injected libraries told of their processes.

/// The lines that the libraries of each process wrote: `PID KIND TEXT`.
///
/// Every process of the command may write to the file: nothing of it is trusted.
struct InjectionReport: Sendable {
    /// What a number is told of: the largest one of a process counts.
    enum Number: String {
        /// Kinds of views that are counted.
        case views
        /// Views without room, with a body of their protocol's, and with tables that could not be changed.
        case full, resilient, locked
    }

    /// What names are told of, by process.
    enum Names: String {
        /// Views that the process instruments itself.
        case own
        /// Frameworks whose protocol is not the one that their adapter knows.
        case unknown
        /// Frameworks of whose protocol no symbols tell whether their adapter knows it.
        case stripped
        /// Protocols of several getters of which the first was taken for the body, and those whose bodies' outputs cannot be looked at.
        case guessed, outputs
        /// Protocols of views that were found, where the user named some.
        case `protocol`
        /// Protocols of views whose types are not counted, each with words that say why.
        case shape
    }

    /// What is told of a process, once.
    enum Mark: String {
        /// Some calls were not counted, for want of stack.
        case stack
        /// A forked child that evaluated something.
        case forked
        /// Some outputs were not searched for views.
        case searched
        /// Widgets are counted, and the HUD is shown. Told as a text of `widgets`.
        case widgets, hud
        /// A main loop is looked at in a process without views and widgets.
        case loop
    }

    /// Why something is not there.
    struct Refusal: Hashable {
        let text: String
        var processes: [Int32]
    }

    private(set) var numbers: [Number: [Int32: Int]] = [:]
    private(set) var names: [Names: [Int32: Set<String>]] = [:]
    private(set) var marks: [Mark: Set<Int32>] = [:]
    /// Why processes were refused, in the order of the file.
    private(set) var refusals: [Refusal] = []
    /// Why widgets of processes are not counted, and what is wrong with the HUD of others.
    private(set) var noWidgets: [Int32: String] = [:]
    private(set) var hudFaults: [Int32: String] = [:]
    /// Which processes handed over to a running instance, and to which process; 0 where that is not known.
    private(set) var handedOver: [Int32: Int32] = [:]

    /// The most that is read.
    static let longest = 1 << 20

    /// - Parameter isMeant: Whether a process counts.
    init(_ bytes: [UInt8], of isMeant: (Int32) -> Bool = { _ in true }) {
        for line in String(decoding: bytes.prefix(Self.longest), as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count == 3, let process = Int32(parts[0]), isMeant(process) else { continue }
            note(parts[1], parts[2], of: process)
        }
    }

    /// Whether any view is counted.
    var hasViews: Bool { numbers[.views, default: [:]].values.contains { $0 > 0 } }

    /// What was told of any process, in order.
    func names(_ kind: Names) -> [String] {
        names[kind, default: [:]].values.reduce(into: Set()) { $0.formUnion($1) }.sorted()
    }

    private mutating func note(_ kind: String, _ text: String, of process: Int32) {
        if let kind = Number(rawValue: kind) {
            numbers[kind, default: [:]][process] = max(numbers[kind]?[process] ?? 0, Int(text) ?? 0)
        } else if let kind = Names(rawValue: kind) {
            names[kind, default: [:]][process, default: []].insert(Printable.text(text))
        } else if kind == "refused" {
            refuse(process, Printable.text(text))
        } else if kind == "widgets" {
            noteWidgets(process, text)
        } else if let kind = Mark(rawValue: kind), [.stack, .forked, .searched, .loop].contains(kind) {
            marks[kind, default: []].insert(process)
        }
    }

    /// `begun`, `hud` where the HUD is shown, `hud TEXT` with what is wrong with it, `handed PROCESS` where the windows are in another
    /// one, and else why none are counted.
    private mutating func noteWidgets(_ process: Int32, _ text: String) {
        switch text {
        case "begun": marks[.widgets, default: []].insert(process)
        case "hud": marks[.hud, default: []].insert(process)
        case _ where text.hasPrefix("handed "): handedOver[process] = Int32(text.dropFirst(7)) ?? 0
        case _ where text.hasPrefix("hud "): hudFaults[process] = Printable.text(String(text.dropFirst(4)))
        default: noWidgets[process] = Printable.text(text)
        }
    }

    private mutating func refuse(_ process: Int32, _ text: String) {
        guard let index = refusals.firstIndex(where: { $0.text == text }) else {
            return refusals.append(Refusal(text: text, processes: [process]))
        }
        if !refusals[index].processes.contains(process) { refusals[index].processes.append(process) }
    }
}
