// SPDX-License-Identifier: MIT
// Whom a command asks: the daemon, a file or a recording that was named, or the last run.

import RerenderShow

/// Whom a command asks. Found once; a command then asks the session, whatever is behind it.
struct StatsSource: Sendable {
    let session: Session
    /// What was saved; nil for the daemon.
    let saved: SavedStats?

    /// Who reads the output.
    enum Reader: Sendable {
        /// A person, who is told that no daemon answers and gets the last run.
        case person
        /// A program, which must not be given the last run for what runs now. With the command that names it.
        case program(named: ShellCommand)
    }

    /// What was named, or else the daemon; for people, the last run where no daemon answers.
    static func find(_ file: String?, for reader: Reader) async throws -> StatsSource {
        if let file { return StatsSource(try SavedStats.load(file)) }
        let session = try Session.current()
        // Where there is no last run either, the command says that no daemon answers.
        guard RunHistory.isOn, let last = RunHistory.current()?.runs().first, await !isReachable(session) else {
            return StatsSource(session: session, saved: nil)
        }
        switch reader {
        case .person:
            let saved = SavedStats(try ExportFile(path: last.path).read(), name: nil)
            FailureText.note("rerenderctl: no daemon answers, so this is the last run: \(saved.title)")
            return StatsSource(saved)
        case .program(let command): throw await unreachable(session, command)
        }
    }

    /// The daemon of a command that shows what runs, and nothing else.
    static func daemon() throws -> StatsSource {
        StatsSource(session: try Session.current(), saved: nil)
    }

    /// What was saved.
    init(_ saved: SavedStats) {
        self.init(
            session: Session(directory: RuntimeDirectory.current(), client: SavedClient(saved: saved)), saved: saved)
    }

    private init(session: Session, saved: SavedStats?) { (self.session, self.saved) = (session, saved) }

    /// Whether somebody takes connections: the daemon in use, or that of a command.
    private static func isReachable(_ session: Session) async -> Bool {
        guard let found = session.client as? FoundDaemonClient else { return true }
        return await found.isReachable
    }

    /// Why nobody answers, with how to ask for the last run instead.
    private static func unreachable(_ session: Session, _ command: ShellCommand) async -> ToolFailure {
        let advice = "\nThe last run is read only where it is named: \(command)"
        do {
            _ = try await session.client.health()
            return ToolFailure.usage("a daemon has just started: try again.")
        } catch let failure as ToolFailure {
            return ToolFailure(failure.status, failure.message + advice)
        } catch {
            return ToolFailure(ExitStatus.software, "\(error)")
        }
    }
}
