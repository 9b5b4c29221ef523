// SPDX-License-Identifier: MIT
// Why a trace cannot be read, with what to do next.

internal import RerenderModel

/// A trace that cannot be read.
package struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which fault it is.
    package enum Code: Hashable, Sendable {
        /// Nothing is at the path, or it may not be read.
        case missing
        /// There is no trace below the path.
        case notATrace
        /// The trace has no events at all.
        case empty
        /// It is damaged, cut off, or of a kind that the library cannot read.
        case unreadable
        /// The reader itself is missing or failed: its plugins are not installed, or there is no memory.
        case reader
    }

    /// Which fault it is.
    package let code: Code
    /// What happened, and on a further line what to do.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static func missing(_ path: String, _ reason: String) -> TraceError {
        TraceError(
            .missing,
            "\(Printable.text(path)) cannot be read: \(reason).\n"
                + "Give the directory of a recording; to make one: rerenderctl record -- COMMAND")
    }

    static func notATrace(_ path: String) -> TraceError {
        TraceError(
            .notATrace,
            "there is no trace in \(Printable.text(path)): no directory below it has a CTF file \"metadata\".\n"
                + "Give the directory that LTTng wrote to; to make a recording: rerenderctl record -- COMMAND")
    }

    static func empty(_ path: String) -> TraceError {
        TraceError(
            .empty,
            "the trace in \(Printable.text(path)) has no events.\n"
                + "Was the app built with its probes (a debug build), and did it run while the session did? "
                + "See: rerenderctl doctor")
    }

    static func unreadable(_ path: String, _ causes: [String]) -> TraceError {
        let cause = causes.isEmpty ? "" : " (\(causes.map { Printable.text($0) }.joined(separator: "; ")))"
        return TraceError(
            .unreadable,
            "the trace in \(Printable.text(path)) is damaged or cut off\(cause).\n"
                + "Stop the session before you read its trace (lttng destroy), copy it whole, or record again.")
    }

    static func isOfVersion2(_ path: String) -> TraceError {
        TraceError(
            .unreadable,
            "the trace in \(Printable.text(path)) is of CTF 2. libbabeltrace2 reads that from 2.1 on, if it is whole.\n"
                + "Read it where libbabeltrace2 is newer, or record it as CTF 1.8: lttng create --trace-format=ctf-1.8")
    }

    static func reader(_ reason: String, _ causes: [String] = []) -> TraceError {
        let cause = causes.isEmpty ? "" : " (\(causes.map { Printable.text($0) }.joined(separator: "; ")))"
        return TraceError(
            .reader,
            "libbabeltrace2 \(reason)\(cause).\nIs it installed with its plugins? On Debian: apt install libbabeltrace2-0"
        )
    }
}
