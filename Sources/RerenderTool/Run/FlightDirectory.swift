// SPDX-License-Identifier: MIT
// The flight pages that lie beside the sockets, by the processes that made them.

import FoundationEssentials
import Glibc
import RerenderModel

/// The directory where each instrumented process keeps a page for as long as it has something unreported.
///
/// A page of a process that ended, and of which the daemon knows nothing, tells of evaluations that nobody shows.
enum FlightDirectory {
    /// The processes with a page: its name is `PID.page`.
    static func processes(_ directory: RuntimeDirectory) -> Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.flightDirectory)) ?? []
        return Set(names.compactMap { $0.hasSuffix(".page") ? Int32($0.dropLast(5)) : nil })
    }
}

/// Whether processes live.
enum ProcessLife {
    /// Whether there is a process of that number, a zombie included.
    static func isAlive(_ pid: Int32) -> Bool {
        kill(pid, 0) == 0 || errno != ESRCH
    }
}
