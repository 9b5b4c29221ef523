// SPDX-License-Identifier: MIT
// Runs all checks of the doctor, and prints their findings.

import RerenderDaemon
package import RerenderShow

/// The doctor's report: JSON version 1, `{"version": 1, "checks": [{"check", "status", "text", "advice"}]}`.
package struct DoctorReport: Hashable, Codable, Sendable {
    package var version = 1
    package var checks: [Finding]

    /// Whether a check failed; warnings are none.
    package var hasFailed: Bool { checks.contains { $0.status == .fail } }

    /// The report's lines, each at most `width` columns wide where no word is longer: a path or a command that is cut
    /// could not be copied.
    package func lines(width: Int, colours: Bool) -> [String] {
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

    /// Runs every check.
    ///
    /// Whether `run` works comes first.
    ///
    /// - Parameter others: What else was looked at; it comes last.
    package static func ofThisMachine(others: [Finding]) async -> DoctorReport {
        let system = LocalSystem()
        let inUse = RuntimeDirectory.current()
        let commands = await FoundDaemonClient(directory: inUse).commands()
        let isThere = await system.connectionFault(inUse.querySocket) == nil
        let ofCommand = isThere ? nil : commands.first
        let client = SocketQueryClient(path: (ofCommand ?? inUse).querySocket)
        var daemon = DaemonChecks(
            system: system, client: client, now: .now, protocolVersion: RerenderVersion.pushProtocol)
        if ofCommand != nil { daemon.inPlaceOf = inUse }
        let sockets = SocketChecks(system: system, ofCommand: ofCommand)
        let isAbsent = await sockets.isWithoutDaemon()
        var checks = await sockets.findings(hasDaemon: !isAbsent)
        let findings = isAbsent ? await DaemonChecks.absent(system) : await daemon.findings()
        // One that is silent is not waited for twice.
        let isSilent = isAbsent || findings.contains { $0.check == DaemonChecks.name && $0.status == .fail }
        checks += findings + Finding.commands(commands)
        checks += await TracingChecks(system: system).findings()
        checks.append(await PriorityCheck(system: system, client: isSilent ? nil : client).finding())
        checks.append(AttachCheck(system: system).finding())
        checks += HostCheck(system: system).findings()
        checks += Finding.shortfalls(RunningInjections.notes())
        let all = checks + others
        let ready = ReadyCheck(
            system: system, libraries: InjectionLibraries.ofThisProgram, parent: RunDirectories.parent(beside: inUse))
        return DoctorReport(checks: [ready.finding(beside: all)] + all)
    }

    private var summary: String {
        let failed = checks.count { $0.status == .fail }
        let warned = checks.count { $0.status == .warn }
        if failed == 0, warned == 0 { return "All checks passed." }
        return "\(Counted.text(failed, "check")) failed, \(Counted.text(warned, "warning"))."
    }
}

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
    /// The next step, or nil.
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
            "\(directories.count) commands have private daemons; choose one with --process, or with RERENDER_RUNTIME_DIR, such as "
            + Printable.text(first.path)
        return [.ok("commands", directories.count == 1 ? one : several)]
    }
}

// The first line of the doctor: whether `run` works, and what it counts.

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

// Says what programs that are counted bear less well than others, as far as they would inherit it from here.

/// Looks at the filter of system calls and the limit of stacks. The rest holds of each program.
struct HostCheck: Sendable {
    let system: any DoctorSystem

    private static let name = "counted programs"
    /// Here each level of widgets is felt. 99 stands for no limit.
    private static let smallStacks = 4_096...1 << 20

    func findings() -> [Finding] {
        let stack = PriorityCheck.limit("Max stack size", in: system.read("/proc/self/limits"))
        let filter = ProcStatus.words("Seccomp", in: system.read("/proc/self/status")).first ?? "0"
        var found = [Finding.ok(Self.name, "they have threads: the kernel refuses unshare(CLONE_NEWUSER)")]
        if filter != "0" { found.append(.ok(Self.name, "they inherit a filter (seccomp), which may end them")) }
        if Self.smallStacks ~= stack {
            let text = "their stacks have \(stack >> 10) KiB, and a widget inside another one takes 440 bytes more"
            found.append(.warn(Self.name, text, "Before programs with deep windows: ulimit -s 8192"))
        }
        return found
    }
}

// Checks whether the system lets `attach` look into programs that run.

/// Looks at the kernel's setting, ptrace_scope. A kernel without one lets a user look into programs of the same user.
struct AttachCheck: Sendable {
    let system: any DoctorSystem

    func finding() -> Finding {
        let (name, scope) = ("attach", system.read("/proc/sys/kernel/yama/ptrace_scope").first)
        if scope == "3" {
            return .warn(
                name, "the system lets no process look into another one until it is started anew (ptrace_scope)",
                "Start programs by: rerenderctl run -- PROGRAM")
        }
        let needsRoot = system.uid != 0 && (scope == "1" || scope == "2")
        let limit = "it needs --sudo: the system lets a process look only into those that it started (ptrace_scope)"
        return .ok(name, needsRoot ? limit : "the system lets it look into programs that run")
    }
}

// Checks whether `--inject` can work: the libraries, and a program.

/// Looks whether views of a program can be counted that does not link the library.
package struct InjectionChecks: Sendable {
    let place: InjectionLibraries.Place
    /// The file that the command runs; nil where it cannot be read.
    let file: ProgramFile?
    /// The program as the user named it.
    let program: String
    /// What `run --inject` would say before the start.
    private let shortfalls: [ProgramShortfall]

    static let librariesName = "libraries of --inject"
    static let programName = "program"
    static let widgetsName = "widgets"
    static let symbolsName = "symbols"

    init(place: InjectionLibraries.Place, file: ProgramFile?, program: String) {
        (self.place, self.file, self.program) = (place, file, Printable.text(program))
        shortfalls = ProgramShortfall.all(of: self.program, file: file, gtk: place.gtkPart)
    }

    /// The program that a command starts, on this machine.
    package init(of command: String) {
        self.init(place: InjectionLibraries.ofThisProgram, file: .started(by: command), program: command)
    }

    package func findings() -> [Finding] {
        [libraries, onProgram, onWidgets, finding(.symbols, Self.symbolsName)].compactMap(\.self)
    }

    /// What of this part is not counted; nil where all is.
    private func finding(_ part: ProgramShortfall.Part, _ name: String) -> Finding? {
        shortfalls.first { $0.part == part }.map {
            $0.isRefused ? .fail(name, $0.text, $0.advice) : .warn(name, $0.text, $0.advice)
        }
    }

    private var libraries: Finding {
        let name = Self.librariesName
        switch place {
        case .found(let libraries):
            let directory = Printable.text(libraries.directory)
            guard let fault = libraries.pathFault else { return .ok(name, "they are in \(directory)") }
            return .fail(name, fault.what, fault.advice)
        case .toBeMade(let libraries, _):
            return .ok(name, "the first command with --inject makes them in \(Printable.text(libraries.directory))")
        case .missing(let what, let advice): return .fail(name, what, advice)
        }
    }

    private var onProgram: Finding? {
        let name = Self.programName
        guard let file else {
            return .fail(name, "\(program) cannot be found or read", "Check the path, and that you may read the file")
        }
        guard case .possible(let what) = InjectionVerdict.on(file) else { return finding(.program, name) }
        return .ok(name, "\(program) can be injected: \(what). \(InjectionOffer.habit(with: file))")
    }

    private var onWidgets: Finding? {
        let name = Self.widgetsName
        if let finding = finding(.widgets, name) { return finding }
        switch file.flatMap({ WidgetVerdict.on($0) }) {
        case .unknown: return .ok(name, "\(program) names no GTK; if it loads GTK 4 later, its widgets are counted")
        case .counted:
            let condition = place.gtkPart == .unknown ? ", if rerender was built with GTK's headers" : ""
            return .ok(
                name,
                "the widgets of \(program) can be counted\(condition): it uses GTK 4. Whether their classes have the size that "
                    + "rerender was built for is looked at when it starts")
        case nil, .older: return nil
        }
    }
}
