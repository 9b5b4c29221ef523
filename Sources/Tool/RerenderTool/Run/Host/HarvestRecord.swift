// SPDX-License-Identifier: MIT
// What is kept of a command's run beside its counts.

package import RerenderShow

extension RunHost.Harvest {
    /// The export with everything that is kept of a run.
    ///
    /// - Parameter command: As it was started.
    package func kept(of command: [String]) -> StatsExport {
        var export = export
        let unwatched = health?.watchdog
        let turns = unwatched.map { $0.missed.clampedSum($0.dropped) } ?? 0
        let drops = health.map { $0.dropped.causes.map { "the daemon dropped \($0)" } }
        let busiest = export.processes.max { $0.evaluations < $1.evaluations }?.name
        let program = busiest ?? Self.fileName(command.first ?? "")
        export.run = RunRecord(
            program: program, buildID: command.first.flatMap { Self.buildID(of: $0, ifCalled: program) }, hangs: hangs,
            hangsForgotten: unwatched?.hangsForgotten ?? 0, unwatchedTurns: turns,
            gaps: gaps + (drops ?? ["it is unknown whether the daemon dropped anything"]))
        return export
    }

    private static func fileName(_ path: String) -> String {
        PathName.last(of: path)
    }

    /// Only of the program itself: what a script started has a file that nobody knows any more.
    private static func buildID(of command: String, ifCalled name: String) -> String? {
        guard fileName(command) == name, case .program(let image) = ProgramFile.find(command)?.image else { return nil }
        return image.buildID
    }
}
