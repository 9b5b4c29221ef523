// SPDX-License-Identifier: MIT
// The daemon for a command, the running one or a private one, and the counts that are kept of the command's run.

import Glibc
import RerenderDaemon
import RerenderModel
package import RerenderShow

/// A daemon for one command.
package struct RunHost: Sendable {
    package let session: Session
    private let embedded: EmbeddedDaemon?
    private let before: DaemonMemory

    /// What a command's processes left with the daemon.
    package struct Harvest: Sendable {
        package var export: StatsExport
        package var health: HealthReport?
        /// The hangs of these processes, newest first.
        package var hangs: [Hang] = []
        /// False where the daemon was still not done after ``Session/intakeLimit``.
        var isComplete: Bool
        /// Processes that ended while the command ran, and that the daemon does not know any more.
        var forgotten: UInt64 = 0
        /// Whether the user switched Rerender off meanwhile.
        var isSwitchedOff = false
    }

    /// Finds the user's daemon, or starts one in a private directory where none answers in our protocol. Throws status 69 where the
    /// user switched Rerender off.
    package static func open() async throws -> RunHost {
        try SwitchState.mustBeOn()
        if let session = await running() { return try await RunHost(session, nil) }
        return try await openPrivate()
    }

    /// Starts one in a private directory whatever runs, so that it has this command's processes and no others.
    ///
    /// - Parameter process: The process that it is for, where that runs already: the directory is always the same one then.
    package static func openPrivate(for process: Int32? = nil) async throws -> RunHost {
        let embedded = try await EmbeddedDaemon.start(for: process)
        do {
            return try await RunHost(embedded.session, embedded)
        } catch {
            await embedded.stop()
            throw error
        }
    }

    /// Runs the command under this daemon; the daemon is closed where it cannot be started.
    ///
    /// - Parameters:
    ///   - injection: What is injected into the command; the caller ends it.
    ///   - signals: Where ``CommandSupervisor/signals`` come in, since before the daemon was there. One that came
    ///     meanwhile and ends a process ends this one.
    ///   - limit: How long the command may run; nil for as long as it wants.
    package func run(
        _ command: [String], injection: Injection?, signals: CInt, limit: CommandLimit? = nil
    ) async throws -> ProcessEnding {
        do {
            let names = await DebugServer.environment(of: command)
            if let signal = CommandSupervisor.endingSignal(in: signals) {
                await close()
                Disposition.die(by: signal)
            }
            let environment = try environment(with: names, injection: injection)
            let cleanUp: @Sendable () -> Void = {
                abandon()
                injection?.abandon()
            }
            return try await CommandSupervisor(cleanUp: cleanUp).run(
                command, environment: environment, signals: signals, limit: limit)
        } catch {
            injection?.abandon()
            await close()
            throw error
        }
    }

    private init(_ session: Session, _ embedded: EmbeddedDaemon?) async throws {
        self.session = session
        self.embedded = embedded
        before = try await DaemonMemory(of: session)
    }

    /// The user's daemon, if one answers in our protocol.
    package static func running() async -> Session? {
        let directory = RuntimeDirectory.current()
        guard directory.fault() == nil else { return nil }
        let client = SocketQueryClient(path: directory.querySocket, patience: .seconds(3))
        guard await isUsable(client) else { return nil }
        return Session(directory: directory, client: SocketQueryClient(path: directory.querySocket))
    }

    /// Whether a daemon answers, and in our protocol.
    static func isUsable(_ client: some QueryClient) async -> Bool {
        let health = try? await client.health()
        return health?.protocolVersion == RerenderVersion.pushProtocol
    }

    /// The environment in which apps find this daemon.
    ///
    /// - Parameters:
    ///   - values: What else is set.
    ///   - injection: What is injected into the command, and begins by this.
    package func environment(
        with values: [String: String] = [:], injection: Injection?
    ) throws(ToolFailure) -> [[UInt8]] {
        let wishes = Self.wishes.filter { environmentVariable($0.key) == nil }
        let ours = wishes.merging(["RERENDER_RUNTIME_DIR": session.directory.path]) { $1 }
        var changes = try injection?.begin() ?? LaunchChanges()
        changes.values.merge(values.merging(ours) { $1 }) { $1 }
        return LaunchBytes.environment(with: changes)
    }

    /// Unless the user has wishes of his own: on a busy machine the counts that an app sends at its exit come late, and who measures a
    /// command wants to know of a hang where the thread ran.
    private static var wishes: [String: String] {
        var wishes = ["RERENDER_WAIT_AT_EXIT": "10000", "RERENDER_HANG_STACKS": "1"]
        wishes["RERENDER_PASS_OVER"] = ToolSettings.current.passOver?.joined(separator: ":")
        return wishes
    }

    /// Everything that new processes reported, once the daemon has taken all of it in.
    package func collect() async throws -> Harvest {
        let isComplete = try await session.waitForIntake()
        var export = try await session.client.export(StatsQuery())
        // After the export, so that a process dropped in between counts as dropped.
        let health = await session.health()
        let forgotten = health.map { before.forgotten(now: $0, export.processes) } ?? 0
        export.processes.removeAll(where: before.knew)
        // Of these alone. Who shows it says what to ask next: that depends on who will answer.
        export.verdict = VerdictBuilder.verdict(of: export.processes, .ended, now: export.generatedAt)
        let pids = Set(export.processes.map(\.pid))
        let all = try? await session.client.hangs(HangsQuery()).hangs
        return Harvest(
            export: export, health: health, hangs: (all ?? []).filter { pids.contains($0.pid) }, isComplete: isComplete,
            forgotten: forgotten,
            isSwitchedOff: session.directory.isSwitchedOff || SwitchState.place != nil)
    }

    /// Waits, some seconds at most, until the daemon has taken in everything and has closed the hangs of processes that ended.
    ///
    /// Errors are ignored: at most the trace has less.
    package func settle() async {
        _ = try? await session.waitForIntake()
        _ = await waitForClosedHangs()
    }

    /// Waits, five seconds at most, until no process that ended has an open hang: an open hang is in no count yet.
    ///
    /// Returns false if the time is over, or if the daemon does not answer.
    package func waitForClosedHangs() async -> Bool {
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end,
            let hangs = try? await session.client.hangs(HangsQuery()).hangs
        {
            guard hangs.contains(where: { $0.open && !Self.isAlive($0.pid) }) else { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// Whether there is a process of that number, a zombie included.
    private static func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 || errno != ESRCH }

    /// Whether the daemon ends with the command, and so answers nothing later.
    package var isPrivate: Bool { embedded != nil }

    /// Stops a daemon of our own and removes its directory.
    package func close() async {
        await embedded?.stop()
    }

    /// Removes the directory of a daemon of our own, when there is no time to stop it.
    func abandon() {
        embedded?.removeDirectory()
    }
}

/// What a daemon knows at one moment, and how much it has forgotten.
struct DaemonMemory: Sendable {
    private let stores: Set<StoreID>
    /// When the daemon started; another one counts anew.
    private let startedAt: Timestamp?
    private let forgotten: UInt64

    /// Asks the daemon.
    init(of session: Session) async throws {
        // First, so that a process dropped in between counts as dropped: a needless warning is better than none.
        let health = await session.health()
        self.init(health, try await session.processes())
    }

    /// - Parameter health: Nil where the daemon did not say.
    init(_ health: HealthReport?, _ stores: [ProcessStats]) {
        self.stores = Set(stores.map(StoreID.init))
        startedAt = health?.startedAt
        forgotten = health?.forgottenProcesses ?? 0
    }

    /// Whether it knew the store.
    func knew(_ store: ProcessStats) -> Bool { stores.contains(StoreID(store)) }

    /// How many processes the daemon dropped since then, apart from those that it knew before.
    ///
    /// - Parameters:
    ///   - health: How the daemon is now.
    ///   - now: All stores that it knows now.
    func forgotten(now health: HealthReport, _ now: [ProcessStats]) -> UInt64 {
        guard health.startedAt == startedAt else { return health.forgottenProcesses }
        let left = Set(now.filter(knew).map(\.pid))
        let gone = Set(stores.map(\.pid)).subtracting(left).count
        let since = health.forgottenProcesses - min(forgotten, health.forgottenProcesses)
        return since - min(since, UInt64(gone))
    }
}

extension RunHost.Harvest {
    /// What is missing where the user switched Rerender off.
    static let offMeanwhile = "Rerender was switched off meanwhile: what was evaluated after that is missing"

    /// What may be missing of the command, as sentences.
    package var gaps: [String] {
        let off = isSwitchedOff ? [Self.offMeanwhile] : []
        let late =
            off + (isComplete ? [] : ["the daemon was still reading after 5 s: the latest counts may be missing"])
        guard forgotten > 0 else { return late }
        let processes = Counted.text(forgotten, "process", "processes")
        return late + ["the daemon dropped \(processes) that ended meanwhile: some of the command's may be missing"]
    }

    /// The export with everything that is kept of a run.
    ///
    /// - Parameter command: As it was started.
    package func kept(of command: [String]) -> StatsExport {
        var export = export
        let unwatched = health?.watchdog
        let turns = unwatched.map { $0.missed.clampedSum($0.dropped) } ?? 0
        let drops = health.map { $0.dropped.causes.map { "the daemon dropped \($0)" } }
        let busiest = export.processes.max { $0.evaluations < $1.evaluations }?.name
        let program = busiest ?? PathName.last(of: command.first ?? "")
        export.run = RunRecord(
            program: program, buildID: command.first.flatMap { Self.buildID(of: $0, ifCalled: program) }, hangs: hangs,
            hangsForgotten: unwatched?.hangsForgotten ?? 0, unwatchedTurns: turns,
            gaps: gaps + (drops ?? ["it is unknown whether the daemon dropped anything"]))
        return export
    }

    /// Only of the program itself: the file of what a script started is no longer known.
    private static func buildID(of command: String, ifCalled name: String) -> String? {
        PathName.last(of: command) == name ? ProgramFile.find(command)?.buildID : nil
    }
}

// What `run` and `look` say at the end of a command that had nothing to count: one line, and only advice that is possible.

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
