// SPDX-License-Identifier: MIT
// Runs this program once more in a child process, for work that may crash it.

import Glibc
import RerenderShow

/// This program as a child of itself.
package enum OwnProgram {
    /// What `posix_spawn` finds this program by, also where its file was replaced.
    package static let path = "/proc/self/exe"
    /// Names the parent of a child that has its arguments, so that no other process takes itself for one.
    private static let variable = "RERENDERCTL_PARENT"

    /// Whether this process is a child that has the arguments of its parent.
    package static var isChild: Bool { environmentVariable(variable) == String(getppid()) }

    /// Signals by which a process ends that is at fault itself.
    private static let faults = [
        SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGFPE: "SIGFPE",
        SIGTRAP: "SIGTRAP",
    ]

    /// The name of the signal if a process ended by a fault of its own; nil if it ended in any other way.
    package static func fault(_ ending: ProcessEnding) -> String? {
        if case .killed(let signal) = ending { faults[signal] } else { nil }
    }

    /// Runs this program with the same arguments, input and output, and returns how it ended. Passes signals on to it.
    ///
    /// Call it before anything of the input is read, and once: it catches signals.
    package static func repeated() async throws -> ProcessEnding {
        let signals = try SignalPipe.open(CommandSupervisor.signals)
        let arguments = LaunchBytes.words(Array(CommandLine.arguments.dropFirst()))
        return try await CommandSupervisor(cleanUp: nil).run(
            bytes: [Array(path.utf8)] + arguments,
            environment: LaunchBytes.environment(with: [variable: String(getpid())]), signals: signals)
    }
}
