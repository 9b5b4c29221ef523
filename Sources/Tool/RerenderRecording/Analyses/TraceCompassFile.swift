// SPDX-License-Identifier: MIT
// The analyses for Trace Compass, embedded in the program.

import FoundationEssentials
import RerenderModel
import RerenderToolBase

/// One XML file with all analyses.
package enum TraceCompassFile {
    /// Its name where it is installed.
    package static let name = "rerender-trace-compass.xml"

    /// The file.
    package static var bytes: [UInt8] { PackageResources.trace_compass_xml }

    /// Writes it to a directory, which is made where it is not there, and returns its whole path.
    ///
    /// A file of an older version is replaced, in one step. Throws status 73 or 74 where that cannot be done.
    package static func install(in directory: String) throws -> String {
        try Directory.make(directory)
        let whole = directory.hasPrefix("/") ? directory : FileManager.default.currentDirectoryPath + "/" + directory
        let path = whole + (whole.hasSuffix("/") ? "" : "/") + name
        try AtomicFile.write(bytes, to: path)
        return path
    }

    /// What to click.
    package static func steps(for path: String) -> [String] {
        [
            "wrote \(Printable.text(path))",
            "In Trace Compass 10 or later:",
            "  1. Window > Preferences > Tracing > XML Analyses > Import: this file. Tick its box.",
            "  2. File > Open Trace: the \"metadata\" in a recording's ust/uid/UID/64-bit.",
            "  3. In the Project Explorer open the trace and its Views; double-click one that",
            "     begins with \"Rerender\". A trace that was open before must be opened again.",
        ]
    }
}
