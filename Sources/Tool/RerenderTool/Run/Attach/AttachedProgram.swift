// SPDX-License-Identifier: MIT
// A process with the libraries loaded, and the private daemon that counts it.

import FoundationEssentials
import RerenderModel
import RerenderShow

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
