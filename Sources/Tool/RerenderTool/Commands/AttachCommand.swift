// SPDX-License-Identifier: MIT
// `rerenderctl attach`: counts a program that runs already, until the user ends that.

import ArgumentParser
import Glibc
import RerenderDaemon
import RerenderShow

/// Loads the libraries into a program that runs, and shows what it does from then on.
struct AttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Count a program that runs already.",
        usage: """
            rerenderctl attach <program> [--hud] [--for <time>] [--limit <number>]
                               [--all] [--sudo]
            """,
        discussion: """
            PROGRAM is the pid or the name of a program that was started without
            rerenderctl; a program in Python or gjs has the name of its script. What
            `run --inject` loads at the start is loaded into it: the widgets of GTK 4, the
            views of a Swift program with a shared runtime, and GLib's main loop are
            counted from then on. What it did before is unknown.

            Its main thread is stopped where it is about to wait in its loop, for some
            milliseconds. After 100 ms it is let go, or as soon after as rerenderctl gets a
            processor. If it does not come there within 10 s, it hangs, and is let go.

            Ctrl-C ends it, or --for: then rerenderctl shows what happened in this time.
            The libraries stay in the program and count no more; a second attach uses
            them. The counts and hangs are kept for later, as those of `run`. Meanwhile,
            `top` and the other commands find the program if no daemon runs, or by
            --process with its pid.

            --sudo loads as root, where the system lets a process look only into those
            that it started (ptrace_scope). All else runs as you. Run `sudo -v` before.

            It needs x86-64 and glibc.

            Examples:
              rerenderctl attach gnome-calendar
              rerenderctl attach 4711 --for 10s
              rerenderctl attach 4711 --hud
            """)

    @Argument(help: ArgumentHelp("The pid or name of a program that runs.", valueName: "program"))
    var program: String

    @Flag(help: "Show the HUD above its window of GTK 4.")
    var hud = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Count for this long: seconds, or 90s, 10m, 2h.", valueName: "time"))
    var length: RecordDuration?

    @OptionGroup var rows: FirstRowsOptions

    @Flag(help: "Load as root, by sudo.")
    var sudo = false

    func run() async throws {
        // First: a signal from now on can still clean up.
        let pipe = try SignalPipe.open([SIGINT, SIGTERM, SIGHUP])
        let target = try AttachTarget.find(program)
        if let refusal = target.refusal() { throw refusal }
        let span = AttachSpan(
            target: target, duration: length?.duration, showsHUD: hud, rows: rows, asRoot: sudo)
        try await span.run(pipe)
    }
}

/// Counts one process for a time, and shows what happened in it.
struct AttachSpan {
    let target: AttachTarget
    /// Nil for as long as the user wants.
    let duration: Duration?
    var showsHUD = false
    /// How many views are shown, where the user said so.
    var rows = FirstRowsOptions()
    var asRoot = false

    /// Counts until the time is over, the process has ended, or a signal has come in at the pipe; then shows what happened.
    func run(_ pipe: CInt) async throws {
        try await run(pipe) { attached, _ in try await show(attached, pipe) }
    }

    /// Counts while `body` runs, which gets the private daemon's session.
    ///
    /// - Parameter pipe: Where a signal comes in that ends the loading.
    func run(_ pipe: CInt, while body: (AttachedProgram, Session) async throws -> Void) async throws {
        let libraries = try await InjectionLibraries.need()
        try await mustBeAlone()
        let host = try await RunHost.openPrivate(for: target.pid)
        let directory = host.session.directory
        let attached = AttachedProgram(target: target, directory: directory)
        var hasBegun = false
        do {
            let loader = AttachLoader(
                target: target, libraries: libraries, directory: directory.path, asRoot: asRoot)
            try await begin(attached, loader, pipe)
            hasBegun = true
            try await body(attached, host.session)
        } catch {
            if hasBegun { await leave(attached) }
            await host.close()
            if !hasBegun, let signal = CommandSupervisor.endingSignal(in: pipe) { Disposition.die(by: signal) }
            throw error
        }
        await host.close()
    }

    /// Throws status 71 where another rerenderctl counts the process.
    private func mustBeAlone() async throws {
        let directory = RuntimeDirectory(path: RunDirectories.path(for: target.pid, beside: .current()))
        guard await ConnectText.fault(at: directory.querySocket, timeout: .seconds(3)) == nil else { return }
        throw target.refusal("another rerenderctl counts it", "Run: rerenderctl look \(target.pid)")
    }

    /// Loads the libraries, and gives up where a signal comes in meanwhile.
    private func begin(_ attached: AttachedProgram, _ loader: AttachLoader, _ pipe: CInt) async throws {
        let loading = Task { try await attached.begin(loader) }
        let watch = Task {
            while !InputFile.isReadable(pipe, until: .now) { try await Task.sleep(for: .milliseconds(50)) }
            loading.cancel()
        }
        defer { watch.cancel() }
        try await loading.value
    }

    private func show(_ attached: AttachedProgram, _ pipe: CInt) async throws {
        let before = try await attached.latestExport()
        if showsHUD { FailureText.note("rerenderctl: \(await attached.setHUD(on: true))") }
        let what = "counting \(target.name)[\(target.pid)] \(duration == nil ? "until Ctrl-C" : "for a time")"
        try await ProgressLine.during(what) { _ in try await wait(pipe) }
        let after = try await attached.latestExport()
        let query = HangsQuery(process: String(target.pid), since: before.generatedAt)
        let hangs = try await attached.client.hangs(query).hangs
        await leave(attached)
        let span = ExportSpan(from: before, to: after, hangs: hangs)
        let health = try? await attached.client.health()
        let harvest = RunHost.Harvest(
            export: span.export, health: health, hangs: hangs, isComplete: true,
            isSwitchedOff: attached.directory.isSwitchedOff)
        let kept = harvest.kept(of: [ProcessFiles.here.link("/proc/\(target.pid)/exe")].compactMap(\.self))
        let isKept = RunHistory.keepLatest(kept)
        let names = await SymbolHelp.prepare(span.export.processes, hangs)
        let console = Console.output
        let above = LookCommand.head(span, since: before, console)
        var export = span.export
        // The daemon ends with this command: no other one can ask it.
        for index in (export.verdict?.findings ?? []).indices { export.verdict?.findings[index].command = nil }
        let lines = LookCommand.lines(export, health, names, console, rows: rows, below: above.count)
        try console.show(above + lines)
        for gap in harvest.gaps { FailureText.note("rerenderctl: \(gap)") }
        if let next = RunCommand.next(kept, isKept: isKept, isPrivate: true) { FailureText.note("Next: \(next)") }
    }

    /// Has the program count no more, and takes the HUD away.
    func leave(_ attached: AttachedProgram) async {
        if showsHUD { _ = await attached.setHUD(on: false) }
        await attached.setCounting(false)
    }

    private func wait(_ pipe: CInt) async throws {
        let (end, process) = (duration.map { ContinuousClock.now + $0 }, target)
        try await BlockingThread.run {
            while process.isRunning() {
                let next = ContinuousClock.now + .milliseconds(250)
                if InputFile.isReadable(pipe, until: end.map { min($0, next) } ?? next) { return }
                if let end, ContinuousClock.now >= end { return }
            }
        }
    }
}
