// SPDX-License-Identifier: MIT
// Where a report goes: standard output, or a file that appears when it is whole.

import RerenderTrace

/// Standard output or a file.
struct ReportOutput: Sendable {
    private let file: AtomicFile?

    /// Throws ``ToolFailure`` where the file cannot be made.
    init(path: String?) throws {
        file = try path.map { path throws(ToolFailure) in try AtomicFile(path: path) }
    }

    var isTerminal: Bool { file == nil && Console.output.isTerminal }
    var colours: Bool { file == nil && Console.output.colours }
    /// A file has no width: long names are not cut there.
    var width: Int { file == nil ? Console.output.width : 160 }

    /// The same for a format that is written while the trace is read.
    var trace: TraceOutput { TraceOutput { try write($0) } }

    func write(_ bytes: [UInt8]) throws {
        if let file { try file.write(bytes) } else { try OutputStream.standardOutput.write(bytes) }
    }

    func finish() throws { try file?.commit() }

    func discard() { file?.discard() }
}
