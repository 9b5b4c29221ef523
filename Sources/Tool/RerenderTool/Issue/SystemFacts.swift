// SPDX-License-Identifier: MIT
// The versions of a program's libraries, and the system that it runs on.

import Glibc
import RerenderShow

/// Facts that a report of a bug has, a sentence each.
enum SystemFacts {
    /// Libraries whose files have their version in the name.
    private static let libraries = [
        "libgtk-4.so.", "libgtk-3.so.", "libadwaita-1.so.", "libglib-2.0.so.", "libpython3.",
    ]

    /// - Parameters:
    ///   - store: A store of the program; nil where none is known.
    ///   - run: What is known of the program's file; nil of a program that runs.
    ///   - read: The text of a file; empty where it cannot be read.
    static func all(
        _ store: ProcessStats?, run: RunRecord?, health: HealthReport?, read: (String) -> String = ProcFile.read
    ) -> [String] {
        [program(store, run), loaded(store, read), versions(health), system(read)].compactMap(\.self)
    }

    private static func program(_ store: ProcessStats?, _ run: RunRecord?) -> String? {
        guard let name = run?.program ?? store?.name else { return nil }
        let build = run?.buildID.map { ", build ID \($0)" } ?? ""
        let counted = store?.countedNanoseconds.map { ", counted for \(DurationText.short($0))" } ?? ""
        return "\(name)\(build)\(counted)"
    }

    /// By the files that the process has mapped; nil where it does not run.
    private static func loaded(_ store: ProcessStats?, _ read: (String) -> String) -> String? {
        guard let store, store.connected else { return nil }
        let files = read("/proc/\(store.pid)/maps").split(separator: "\n").compactMap { line -> String? in
            let name = PathName.last(of: String(line))
            return libraries.contains { name.hasPrefix($0) } ? name : nil
        }
        let names = Array(Set(files)).sorted()
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private static func versions(_ health: HealthReport?) -> String {
        let daemon = health?.daemonVersion.flatMap { $0 == RerenderVersion.current ? nil : ", rerenderd \($0)" } ?? ""
        return "rerenderctl \(RerenderVersion.current)\(daemon)"
    }

    private static func system(_ read: (String) -> String) -> String {
        let release = read("/etc/os-release").split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let name =
            release.map { String($0.dropFirst("PRETTY_NAME=".count)).replacing("\"", with: "") } ?? "an unknown system"
        let kernel = read("/proc/sys/kernel/osrelease").split(separator: "\n").first.map { ", Linux \($0)" } ?? ""
        let processors = Counted.text(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), "processor")
        let session = environmentVariable("XDG_SESSION_TYPE").map { ", a session of \($0)" } ?? ""
        return "\(name)\(kernel), \(machine), \(processors)\(session)"
    }

    private static var machine: String {
        #if arch(arm64)
            "arm64"
        #else
            "x86-64"
        #endif
    }
}
