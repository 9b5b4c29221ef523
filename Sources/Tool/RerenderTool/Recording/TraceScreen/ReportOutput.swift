// SPDX-License-Identifier: MIT
// Writes a report to standard output or to a file, and shows how far the reading of the recording is.

package import RerenderShow
package import RerenderTrace

/// Standard output or a file.
package struct ReportOutput: Sendable {
    private let file: AtomicFile?

    /// Throws ``ToolFailure`` where the file cannot be made. `-` is standard output.
    package init(path: String?) throws {
        file = try (path == "-" ? nil : path).map { path throws(ToolFailure) in try AtomicFile(path: path) }
    }

    package var isFile: Bool { file != nil }
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

extension ProgressLine {
    /// Reads the recording at `path`; the work reports how far it is. Throws a ``ToolFailure`` where it cannot be read.
    package static func reading<Result>(
        _ path: String, _ work: (@escaping (TraceProgress) -> Void) throws -> Result
    ) throws -> Result {
        do {
            return try during("reading \(Printable.text(path))") { line in
                var began: Int64?
                return try work { progress in
                    let begin = began ?? progress.nanoseconds
                    began = begin
                    let (events, span) = (progress.events, UInt64(max(0, progress.nanoseconds - begin)))
                    line.show(
                        "reading: \(Counted.text(events, "event")), \(DurationText.short(span)) of the recording")
                }
            }
        } catch let error as TraceError {
            throw ToolFailure(error)
        }
    }
}
