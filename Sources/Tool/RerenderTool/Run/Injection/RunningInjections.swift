// SPDX-License-Identifier: MIT
// What is not counted of processes that run now, as their libraries told.

import FoundationEssentials
package import RerenderShow

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
