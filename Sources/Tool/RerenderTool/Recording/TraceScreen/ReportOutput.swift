// SPDX-License-Identifier: MIT
// Writes a report to standard output, or to a file that appears when it is complete.

import RerenderShow
package import RerenderTrace

/// Standard output or a file.
package struct ReportOutput: Sendable {
    private let file: AtomicFile?

    /// Throws ``ToolFailure`` where the file cannot be made. `-` is standard output.
    package init(path: String?) throws {
        file = try (path == "-" ? nil : path).map { path throws(ToolFailure) in try AtomicFile(path: path) }
    }

    package var isTerminal: Bool { file == nil && Console.output.isTerminal }
    package var colours: Bool { file == nil && Console.output.colours }
    /// A file has no width: long names are not cut there.
    package var width: Int { file == nil ? Console.output.tableWidth : TerminalSize.unlimitedColumns }

    /// The same for a format that is written while the trace is read.
    package var trace: TraceOutput { TraceOutput { try write($0) } }

    package func write(_ bytes: [UInt8]) throws {
        if let file { try file.write(bytes) } else { try OutputStream.standardOutput.write(bytes) }
    }

    package func finish() throws { try file?.commit() }
}
