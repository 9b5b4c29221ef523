// SPDX-License-Identifier: MIT
// Injects the libraries into the processes of a command, and tells what became of it.

import FoundationEssentials
package import RerenderShow
import Synchronization

/// The injection into one command: prepared before it starts, begun at its start, and ended once.
package final class Injection: Sendable {
    private let libraries: InjectionLibraries
    private let protocols: [String]
    private let showsHUD: Bool
    /// Whether the user asked for it. Then the end says which kinds were looked for, where nothing came of it.
    private let isAsked: Bool
    /// What was said before the start.
    private let said: [ProgramShortfall]
    /// Whether the command's own file gets the library; of a foreign program the loader would complain.
    private var isPossible: Bool { !said.contains { $0.part == .program } }
    /// The directory of the report, while there is one.
    private let directory = Mutex<String?>(nil)

    private init(
        _ libraries: InjectionLibraries, protocols: [String] = [], showsHUD: Bool = false, said: [ProgramShortfall],
        isAsked: Bool = true
    ) {
        (self.libraries, self.protocols, self.showsHUD, self.said) = (libraries, protocols, showsHUD, said)
        self.isAsked = isAsked
    }

    /// The injection into a command for which the user did not ask; nil where its program is left as it is. Says what is not counted that
    /// could be, in one line.
    package static func unasked(into command: [String]) -> Injection? {
        guard let offer = InjectionOffer.here(for: command) else { return nil }
        if let line = offer.line { FailureText.note("rerenderctl: \(line)") }
        return offer.libraries.map { Injection($0, said: [offer.said].compactMap(\.self), isAsked: false) }
    }

    /// Finds or makes the libraries, and says what of the program is not counted: throws status 64 for one that is refused.
    ///
    /// - Parameters:
    ///   - protocols: Protocols of views beside those called `View`, as `MODULE.NAME`.
    ///   - showsHUD: Whether a window of GTK 4 gets the HUD.
    package static func prepare(
        for command: [String], protocols: [String], showsHUD: Bool = false
    ) async throws(ToolFailure) -> Injection {
        let file = command.first.flatMap { ProgramFile.started(by: $0) }
        func shortfalls(_ gtk: GTKPart) throws(ToolFailure) -> [ProgramShortfall] {
            let all = ProgramShortfall.all(
                of: Printable.text(command.first ?? ""), file: file, gtk: gtk, showsHUD: showsHUD)
            guard let refused = all.first(where: \.isRefused) else { return all }
            throw .usage("\(refused.text).\n\(refused.advice)")
        }
        // What the file alone tells comes before the libraries, which may have to be made.
        _ = try shortfalls(.unknown)
        let libraries = try await InjectionLibraries.need()
        let said = try shortfalls(libraries.gtkPart)
        for shortfall in said { FailureText.note("rerenderctl: \(shortfall.text). \(shortfall.advice)") }
        return Injection(libraries, protocols: protocols, showsHUD: showsHUD, said: said)
    }

    /// Makes the report's file, and returns what the command's environment needs.
    func begin() throws(ToolFailure) -> LaunchChanges {
        let place = try Directory.makeTemporary(
            "\(RunDirectories.parent(beside: .current()))/\(Self.directoryPrefix)XXXXXX")
        directory.withLock { $0 = place }
        let report = "\(place)/\(Self.reportName)"
        guard FileManager.default.createFile(atPath: report, contents: nil) else {
            abandon()
            throw ToolFailure(ExitStatus.cannotCreate, "cannot make \(Printable.text(report)): \(SystemText.latest)")
        }
        var changes = LaunchChanges(values: [Self.reportVariable: report])
        if isPossible {
            changes.additions.append(.init(name: "LD_PRELOAD", separator: ":", value: libraries.preload))
            // A shared Address Sanitizer, as of gcc, ends a process in which another library comes first. What comes first of ours
            // has no function that it replaces.
            changes.additions.append(.init(name: "ASAN_OPTIONS", separator: ":", value: "verify_asan_link_order=0"))
        }
        if isPossible, let modules = libraries.modules {
            changes.additions.append(.init(name: "GIO_EXTRA_MODULES", separator: ":", value: modules))
        }
        // A corner that the user has set stays.
        if showsHUD, ["", "0"].contains(ProcessInfo.processInfo.environment[Self.hudVariable] ?? "") {
            changes.values[Self.hudVariable] = "1"
        }
        if !protocols.isEmpty {
            changes.additions.append(
                .init(name: "RERENDER_VIEW_PROTOCOLS", separator: ",", value: protocols.joined(separator: ",")))
        }
        return changes
    }

    /// Reads what the processes reported, removes the file, and says what it means. Call it once, when the command has ended.
    package func end() -> InjectionOutcome {
        defer { abandon() }
        let bytes = directory.withLock(\.self).map { Self.bytes(of: "\($0)/\(Self.reportName)") } ?? []
        return InjectionOutcome(
            InjectionReport(bytes), protocols: protocols, wantsHUD: showsHUD, gtk: libraries.gtkPart,
            said: Set(said.map(\.reason)), isAsked: isAsked)
    }

    /// What is in a report; what comes after the limit is left where it is.
    static func bytes(of report: String) -> [UInt8] {
        var bytes: [UInt8] = []
        try? InputFile.read(report, fault: { _ in .usage("") }) { piece throws(ToolFailure) in
            bytes += piece
            if bytes.count > InjectionReport.longest { throw .usage("") }
        }
        return bytes
    }

    /// The reports of this user's commands that were not removed.
    static func reports(beside directory: RuntimeDirectory) -> [String] {
        RunDirectories.all(beside: directory, prefix: directoryPrefix).map { "\($0.path)/\(reportName)" }
    }

    /// Whether a process that runs was started by a command with an injection that has not ended, this one or another.
    static func isInjected(_ process: Int32) -> Bool {
        let name = "\(reportVariable)="
        let report = ProcFile.read("/proc/\(process)/environ").split(separator: "\0").last { $0.hasPrefix(name) }
        return report.map { FilePath.kind(String($0.dropFirst(name.count))) != nil } ?? false
    }

    /// Removes the file without reading it.
    package func abandon() {
        let place = directory.withLock { place in
            defer { place = nil }
            return place
        }
        if let place { try? FileManager.default.removeItem(atPath: place) }
    }

    /// The variable that names the report to the processes.
    static let reportVariable = "RERENDER_INJECT_REPORT"
    private static let directoryPrefix = "rerender-inject-"
    private static let reportName = "report"
    private static let hudVariable = "RERENDER_HUD"
}

/// What became of an injection, as sentences.
package struct InjectionOutcome: Hashable, Sendable {
    /// Which processes were refused, and why: nothing of them is counted.
    package let refusals: [String]
    /// Whether a view of any process is counted.
    package let hasViews: Bool
    /// What was looked for, where no process had it.
    package let nothing: String?
    /// Which views processes instrument themselves: the program counts these, and the injected engine does not.
    package let own: [String]
    /// The frameworks that are counted without what their adapters know.
    package let unknown: [String]

    /// Views and calls that were not counted though their process was.
    package let missed: [String]
    /// Whether the widgets of any process are counted.
    package let hasWidgets: Bool
    /// Widgets of GTK that were not counted, and why.
    package let widgets: [String]

    /// Why the HUD was not shown, or not as it was asked for.
    let hud: [String]
    /// Whether the user asked for it.
    let isAsked: Bool

    /// The most refusals that are told one by one.
    static let mostRefusals = 8

    /// - Parameters:
    ///   - gtk: Whether the libraries have the part for GTK.
    ///   - said: Reasons that were given before the start: they are not given again.
    ///   - isAsked: Whether the user asked for it.
    ///   - isInjected: Whether a process that runs is one of a command that is counted.
    init(
        _ report: InjectionReport, protocols: [String], wantsHUD: Bool = false, gtk: GTKPart = .unknown,
        said: Set<String> = [], isAsked: Bool = true, isInjected: (Int32) -> Bool = Injection.isInjected
    ) {
        let told = report.refusals.prefix(Self.mostRefusals).map { refusal in
            "\(Self.name(refusal.processes)) not counted: \(refusal.text)"
        }
        let more = report.refusals.count - told.count
        refusals = told + (more > 0 ? ["\(Counted.text(more, "further reason")) not to count processes"] : [])
        (hasViews, self.isAsked) = (report.hasViews, isAsked)
        nothing = isAsked ? Self.nothing(report, protocols) : Self.nothingUnasked(report)
        let processes = report.names[.own, default: [:]].sorted { $0.key < $1.key }
        own = processes.prefix(Self.mostRefusals).map { Self.own($0.value, $0.key) }
        missed = Self.missed(report) + Self.shapes(report) + Self.misnamed(report, protocols)
        hasWidgets = report.marks[.widgets] != nil
        widgets = Self.widgets(report, gtk, said) + Self.handedOver(report, isInjected)
        hud = wantsHUD ? Self.hud(report) : []
        unknown = Self.unknown(report)
    }

    private static func unknown(_ report: InjectionReport) -> [String] {
        let lost =
            "the one that rerender knows: the instances of its views are unknown, and so are waste and most reasons"
        let others = report.names(.unknown).prefix(mostRefusals).map { module in
            "the protocol View of \(module) is not \(lost)"
        }
        let stripped = report.names(.stripped).prefix(mostRefusals).map { module in
            "the program has no symbols that tell whether the protocol View of \(module) is \(lost)"
        }
        return others + stripped
    }

    private static func hud(_ report: InjectionReport) -> [String] {
        let faults = report.hudFaults.sorted { $0.key < $1.key }.prefix(mostRefusals).map { process, why in
            "the HUD of process \(process): \(why)"
        }
        // Where widgets were refused, it was said why.
        let isUnexplained = report.marks[.hud] == nil && report.noWidgets.isEmpty && report.handedOver.isEmpty
        return isUnexplained ? faults + [noHUD] : faults
    }

    private static let noHUD = "the HUD was not shown: no process drew a window of GTK 4"

    /// A process that counts widgets and does not tell so could not write to the report.
    private func hudNotes(isCounted: Bool) -> [String] {
        guard isCounted, !hasWidgets, !hasViews, hud == [Self.noHUD] else { return hud }
        return ["it is not known whether the HUD was shown: no process could write its report"]
    }

    private static func widgets(_ report: InjectionReport, _ gtk: GTKPart, _ said: Set<String>) -> [String] {
        let unsaid = report.noWidgets.filter { !said.contains($0.value) }.sorted { $0.key < $1.key }
        return unsaid.prefix(mostRefusals).map { process, why in
            "the widgets of process \(process) were not counted: \(why)" + (gtk.advice(on: why).map { ". \($0)" } ?? "")
        }
    }

    /// Which processes left their windows to one that runs already.
    private static func handedOver(_ report: InjectionReport, _ isInjected: (Int32) -> Bool) -> [String] {
        report.handedOver.sorted { $0.key < $1.key }.prefix(mostRefusals).map { process, instance in
            let name = instance > 0 ? "process \(instance)" : "whose process is not known"
            let state =
                instance > 0 && isInjected(instance)
                ? "rerenderctl started: \("rerenderctl stats --process \(instance)" as ShellCommand)"
                : "is not counted: quit that first"
            return "process \(process) handed over to a running instance, \(name), which \(state)"
        }
    }

    /// What is said of each process with a mark.
    private static func of(_ report: InjectionReport, _ mark: InjectionReport.Mark, _ said: (Int32) -> String)
        -> [String]
    {
        report.marks[mark, default: []].sorted().prefix(mostRefusals).map(said)
    }

    private static func missed(_ report: InjectionReport) -> [String] {
        func views(_ kind: InjectionReport.Number, _ reason: String) -> [String] {
            report.numbers[kind, default: [:]].sorted { $0.key < $1.key }.prefix(mostRefusals).map { process, count in
                "\(Counted.text(count, "view")) of process \(process) \(count == 1 ? "was" : "were") not counted: \(reason)"
            }
        }
        let full = views(.full, "no more than 4,096 functions can be replaced")
        let resilient = views(
            .resilient,
            "their body is that of the protocol, in a framework that was built with -enable-library-evolution; build it without"
        )
        let locked = views(.locked, "the system did not let the functions of their bodies be replaced")
        let calls = of(report, .stack) { process in
            "some calls in process \(process) were not counted: a quarter of the stack was in use, or a signal handler made them"
        }
        let children = of(report, .forked) { process in
            "process \(process) is a forked child that started no other program: its evaluations were not counted"
        }
        return full + resilient + locked + calls + children + unsure(report)
    }

    /// What is not known for want of symbols.
    private static func unsure(_ report: InjectionReport) -> [String] {
        let guessed = report.names(.guessed).prefix(mostRefusals).map { name in
            "the first of several properties was taken for the body of \(name): the program has no symbols that tell which one it is"
        }
        let outputs = report.names(.outputs).prefix(mostRefusals).map { name in
            "views that were not seen are not named for \(name): without symbols, or with bodies that may be objects, their outputs are "
                + "not looked at"
        }
        let searched = of(report, .searched) { process in
            "some outputs in process \(process) were too large to be looked at each time: a view that was not seen may be missing"
        }
        return guessed + outputs + searched
    }

    /// What protocols of views have in the place of a body that can be counted.
    private static let parts: KeyValuePairs = [
        "async": "asynchronous properties", "static": "static properties", "method": "methods",
        "base": "protocols that it refines, which --view-protocol can name",
    ]

    /// Which protocols of views have types that are not counted, and why.
    private static func shapes(_ report: InjectionReport) -> [String] {
        report.names(.shape).prefix(mostRefusals).map { text in
            let parts = text.split(separator: " ", maxSplits: 1), words = parts.last?.split(separator: ",") ?? []
            let others = Self.parts.filter { words.contains($0.key[...]) }.map(\.value)
            let why =
                words.contains("name")
                ? "no property of its instances that waits for nothing is called body or view"
                : words.contains("symbols")
                    ? "it has no associated type, and no symbols tell which property is the body"
                    : "it has no property that could be a body"
                        + (others.isEmpty ? "" : ", but \(Counted.list(others))")
            return "types that conform to \(parts.first ?? "") were not counted: \(why)"
        }
    }

    /// Which of the protocols that the user named no process has.
    private static func misnamed(_ report: InjectionReport, _ protocols: [String]) -> [String] {
        guard report.hasViews else { return [] }
        let found = report.names(.protocol)
        return protocols.filter { !found.contains(Printable.text($0)) }.prefix(mostRefusals).map { name in
            "no process had a protocol \(Printable.text(name)) with a property, and a type that conforms to it"
        }
    }

    /// All sentences.
    ///
    /// - Parameter isCounted: Whether evaluations of an injected process were counted: what it could not report did not stop it.
    package func notes(isCounted: Bool) -> [String] {
        refusals + (isCounted ? [] : [nothing].compactMap(\.self)) + missed + widgets + hudNotes(isCounted: isCounted)
            + own + unknown
    }

    private static let loopAlone =
        "no process had widgets of GTK 4 or views that can be counted: what main loops did is shown"

    /// What is not counted, and why.
    var shortfalls: [String] { refusals + missed + widgets }

    /// Whether evaluations of an injected process were counted.
    package static func isCounted(in export: StatsExport) -> Bool {
        export.processes.contains { [.injectedViews, .widgets].contains($0.kind) && $0.evaluations > 0 }
    }

    /// The most views that are named.
    private static let mostNames = 8

    private static func own(_ views: Set<String>, _ process: Int32) -> String {
        let names = views.sorted().prefix(mostNames).joined(separator: ", ")
        let more = views.count > mostNames ? ", …" : ""
        let (verb, pronoun) = views.count == 1 ? ("is", "it") : ("are", "them")
        return
            "\(Counted.text(views.count, "view")) of process \(process) \(verb) instrumented by the program itself, and the "
            + "injected engine leaves \(pronoun) to it: \(names)\(more)"
    }

    private static func nothing(_ report: InjectionReport, _ protocols: [String]) -> String? {
        // The line says why views are not counted.
        guard !report.hasViews, report.marks[.widgets] == nil, report.names(.shape).isEmpty else { return nil }
        if report.numbers[.views] != nil {
            return "no process had a view that can be counted: the bodies of those that were found cannot be replaced"
        }
        // Why there is nothing is told.
        guard report.refusals.isEmpty, report.noWidgets.isEmpty, report.handedOver.isEmpty else { return nil }
        if report.marks[.loop] != nil { return loopAlone }
        let names = ["View"] + protocols.map { Printable.text($0) }
        return
            "no process had a widget of GTK 4, or a type that conforms to \(names.joined(separator: " or ")); "
            + "--view-protocol names \(protocols.isEmpty ? "another protocol" : "other protocols"). "
            + "Static programs, and those that a sandbox or the session bus starts, were not looked at"
    }

    /// In few words: the user asked for nothing.
    private static func nothingUnasked(_ report: InjectionReport) -> String? {
        let hasSomething =
            report.hasViews || report.marks[.widgets] != nil || report.marks[.loop] != nil
            || report.numbers[.views] != nil
        let isToldWhy =
            !report.refusals.isEmpty || !report.noWidgets.isEmpty || !report.handedOver.isEmpty
            || !report.names(.shape).isEmpty
        return hasSomething || isToldWhy
            ? nil : "no injected process had a view, a widget of GTK 4 or a main loop of GLib"
    }

    private static func name(_ processes: [Int32]) -> String {
        let first = processes.first.map { String($0) } ?? ""
        if processes.count == 1 { return "process \(first) was" }
        return "process \(first) and \(Counted.text(processes.count - 1, "other process", "other processes")) were"
    }
}
