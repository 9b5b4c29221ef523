// SPDX-License-Identifier: MIT
// Has a process that runs load the preloaded library, by the program that does so, and says why it did not.

import FoundationEssentials
import Glibc
import RerenderModel
import RerenderShow

/// Loads the library into one process.
struct AttachLoader: Sendable {
    let target: AttachTarget
    let libraries: InjectionLibraries
    /// The directory of the daemon that counts it.
    let directory: String
    /// Whether the loading runs as root, by sudo.
    var asRoot = false

    /// Ten seconds until the thread comes to its loop, and what a busy machine takes.
    private static let limit = Duration.seconds(20)

    var command: [String] {
        (asRoot ? ["sudo", "-n", "--"] : []) + [libraries.attacher, String(target.pid), libraries.preload, directory]
    }

    /// Loads it, and returns for how long the process's main thread was stopped, in whole milliseconds of a clock; throws status 69 or 71 with what to do.
    func load() async throws(ToolFailure) -> Duration {
        guard FilePath.kind(libraries.attacher) == S_IFREG else {
            throw ToolFailure(
                ExitStatus.missingProgram,
                "attach cannot work: there is no \(Printable.text(libraries.attacher)).\nIt is made for x86-64 alone: "
                    + "install rerender with Scripts/install.")
        }
        let output: CapturedOutput
        do {
            // Whenever it is ended, the process goes on.
            output = try await CapturedCommand.run(command, limit: Self.limit, endsWithCaller: true)
        } catch {
            throw error.failure(of: asRoot ? "sudo" : Printable.text(libraries.attacher))
        }
        return try Self.stopped(of: output, target)
    }

    /// For how long the thread was stopped, by what the program printed; throws why nothing was loaded.
    ///
    /// - Parameter scope: What the system lets a process look into.
    static func stopped(
        of output: CapturedOutput, _ target: AttachTarget,
        scope: String = ProcFile.read("/proc/sys/kernel/yama/ptrace_scope")
    ) throws(ToolFailure) -> Duration {
        let words = output.output.split(whereSeparator: \.isWhitespace)
        if output.succeeded, words.first == "done", let time = words.last.flatMap({ Int($0) }), time >= 0 {
            return .milliseconds(time)
        }
        guard words.first == "refused", let why = words.last else {
            let said = Printable.text(output.errors.split(separator: "\n").first.map(String.init) ?? "it said nothing")
            throw target.refusal("the program that loads did not end well (\(said))", "Run first: sudo -v")
        }
        throw refusal(String(why), target, scope: scope.split(whereSeparator: \.isWhitespace).first.map(String.init))
    }

    private static func refusal(_ why: String, _ target: AttachTarget, scope: String?) -> ToolFailure {
        let run = "Start it anew: rerenderctl run -- PROGRAM"
        let again = "Try once more"
        return switch why {
        case "ptrace": refusal(target, scope: scope)
        case "gone", "exec": target.refusal("it has ended, or has become another program", again)
        case "hangs":
            target.refusal(
                "its main thread did not come to its loop within 10 s: it hangs, is stopped, or has none. It was let go",
                "Record it from its start: rerenderctl record -- PROGRAM")
        case "busy":
            target.refusal("its main thread waited in no place in which something can be loaded. It was let go", again)
        case "elsewhere":
            target.refusal("it does not see rerender's files: it runs in a sandbox or a container", run)
        case "libc":
            target.refusal("it is static, or its C library is not glibc, or is one that rerender does not know", run)
        case "load", "fault": target.refusal("its loader cannot load rerender's library. It was let go", run)
        case "slow":
            target.refusal("its loader is at work on another thread. What was begun ends by itself", again)
        case "user": target.refusal("it is another user's", "Run rerenderctl as that user")
        default: target.refusal("the system refused (\(Printable.text(why)))", run)
        }
    }

    /// What the system says of processes that look into others.
    private static func refusal(_ target: AttachTarget, scope: String?) -> ToolFailure {
        switch scope {
        case "1", "2":
            target.refusal(
                "the system lets a process look only into those that it started (ptrace_scope)",
                "Run: sudo -v && rerenderctl attach --sudo \(target.pid)")
        case "3":
            target.refusal(
                "the system lets no process look into another one until it is started anew (ptrace_scope)",
                "Start the program anew: rerenderctl run -- PROGRAM")
        default:
            target.refusal(
                "the system lets no process look into it: it is not dumpable, or a container forbids it",
                "Start the program anew: rerenderctl run -- PROGRAM")
        }
    }
}

// A process with the libraries loaded, and the private daemon that counts it.

/// A process that `attach` counts.
struct AttachedProgram: Sendable {
    let target: AttachTarget
    /// That of the daemon.
    let directory: RuntimeDirectory

    /// How long the process may take to connect: it loads some 15 MB first, and its main thread has to come to its loop again.
    private static let limit = Duration.seconds(10)
    private static let reportName = "report"

    /// The daemon, as other commands ask it.
    var client: SocketQueryClient { SocketQueryClient(path: directory.querySocket) }
    private var selection: ProcessSelection { ProcessSelection(process: String(target.pid)) }

    /// Loads the libraries, and waits until the process has connected; throws why it has not.
    func begin(_ loader: AttachLoader) async throws {
        let report = "\(directory.path)/\(Self.reportName)"
        guard FileManager.default.createFile(atPath: report, contents: nil) else {
            throw ToolFailure(ExitStatus.cannotCreate, "cannot make \(Printable.text(report)): \(SystemText.latest)")
        }
        let stopped = try await ProgressLine.during("waiting for the main loop of \(target.name)") { _ in
            let stopped = try await loader.load()
            try await waitUntilConnected(report)
            return stopped
        }
        // A first attach has switched it off at its end. What was counted then is no part of this one.
        await setCounting(true)
        _ = try? await client.document(.post(.reset, selection), as: CommandReport.self)
        FailureText.note(
            "rerenderctl: counting \(target.name)[\(target.pid)], whose main thread was stopped for at most "
                + "\(Int(stopped / Duration.milliseconds(1)) + 1) ms. \(target.unknown())")
        for note in InjectionReport(Injection.bytes(of: report)).noWidgets.values.sorted() {
            FailureText.note("rerenderctl: its widgets are not counted: \(note)")
        }
    }

    private func waitUntilConnected(_ report: String) async throws {
        let end = ContinuousClock.now + Self.limit
        while true {
            let isOver = ContinuousClock.now >= end
            let stores = try await client.processes()
            if stores.contains(where: { $0.pid == target.pid && $0.connected }) { return }
            let told = InjectionReport(Injection.bytes(of: report))
            if let why = target.silence(told, isRunning: target.isRunning(), isOver: isOver) { throw why }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// All that was counted until now. The process answers a change of its settings after it has sent what it counted.
    func latestExport() async throws -> StatsExport {
        await setCounting(true)
        return try await client.export(StatsQuery(process: String(target.pid)))
    }

    /// Shows the HUD or takes it away, and says what became of that, also where that cannot be: what is counted is worth more.
    func setHUD(on isOn: Bool) async -> String {
        let request = OverlayRequest(.hud, on: isOn, selection)
        do {
            let report = try await client.document(.post(.overlay, request), as: CommandReport.self)
            return try CommandText.overlaid(.hud, isOn: isOn, report)
        } catch {
            return (error as? ToolFailure)?.message ?? "\(error)"
        }
    }

    /// Has its stores count, or count no more. Errors are ignored: the process may have ended.
    func setCounting(_ isOn: Bool) async {
        var change = ConfigurationChange(process: String(target.pid))
        change.enabled = isOn
        _ = try? await client.document(.post(.config, change), as: CommandReport.self)
    }
}
