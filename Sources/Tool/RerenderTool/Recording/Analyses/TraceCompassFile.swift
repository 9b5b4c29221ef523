// SPDX-License-Identifier: MIT
// The analyses for Trace Compass.

import CScreen
import FoundationEssentials
import RerenderShow

/// One XML file with all analyses: views, threads, turns and hangs, latencies, double and wasted evaluations, call
/// stacks.
package enum TraceCompassFile {
    /// Its name where it is installed.
    package static let name = "rerender-trace-compass.xml"

    /// The file.
    ///
    /// Proof: its bytes are as many as it says, and are never written or freed.
    package static var bytes: [UInt8] {
        let file = unsafe canalyses_trace_compass()
        return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }

    /// Writes it to a directory, which is made where it is not there, and returns its whole path.
    ///
    /// A file of an older version is replaced, in one step. Throws status 73 or 74 where that cannot be done.
    package static func install(in directory: String) throws -> String {
        try Directory.make(directory)
        let whole =
            PathName.isAbsolute(directory) ? directory : FileManager.default.currentDirectoryPath + "/" + directory
        let path = PathName.joined(whole, name)
        try AtomicFile.write(bytes, to: path)
        return path
    }

    /// What to click.
    package static func steps(for path: String) -> [String] {
        [
            "wrote \(Printable.text(path))",
            "In Trace Compass 10 or later:",
            "  1. Window > Preferences > Tracing > XML Analyses > Import: this file. Tick its box.",
            "  2. File > Open Trace: the file \"metadata\" that record names at its end, in a",
            "     recording's ust/uid/UID/64-bit.",
            "  3. In the Project Explorer open the trace, its Views, and what begins with",
            "     \"Rerender\"; double-click a view below that. A trace that was open before must",
            "     be opened again.",
        ]
    }
}
