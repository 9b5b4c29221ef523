// SPDX-License-Identifier: MIT
// How large a trace is, and how many events are in it.

import FoundationEssentials
import Glibc
import RerenderModel

/// Looks at a trace that is complete.
struct TraceContent: Hashable, Sendable {
    var bytes: UInt64
    /// Nil where nobody could count them.
    var events: UInt64?

    /// How long counting may take; a million events take about a second.
    private static let limit = Duration.seconds(120)
    /// How long LTTng may take to write the last of the metadata after it said that it is done.
    private static let patience = 40

    /// Counts with babeltrace2, which reads the whole trace.
    static func of(_ directory: String) async -> TraceContent {
        let files = files(below: directory, depth: 0)
        let bytes = files.reduce(UInt64(0)) { $0 + $1.bytes }
        // No app came, so there is nothing that could be read.
        guard files.contains(where: { $0.name == "metadata" }) else { return TraceContent(bytes: bytes, events: 0) }
        return TraceContent(bytes: bytes, events: await count(directory))
    }

    private static func count(_ directory: String) async -> UInt64? {
        let command = ["babeltrace2", directory, "--component=counter:sink.utils.counter", "--params=step=+0"]
        for _ in 0..<patience {
            guard let result = try? await CapturedCommand.run(command, limit: limit) else { return nil }
            if result.succeeded { return events(in: result.output) }
            if result.ending == .killed(by: SIGKILL) { return nil }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// `            147 Event messages`, the last of them.
    static func events(in text: String) -> UInt64? {
        let lines = text.split(separator: "\n").filter { $0.hasSuffix(" Event messages") }
        return lines.last.flatMap { $0.split(separator: " ").first }.flatMap { UInt64($0) }
    }

    /// The plain files of a trace; LTTng nests them five deep.
    private static func files(below directory: String, depth: Int) -> [(name: String, bytes: UInt64)] {
        guard depth < 8, let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return [] }
        return names.flatMap { name -> [(name: String, bytes: UInt64)] in
            let path = directory + "/" + name
            var info = stat()
            // lstat() fills the local value.
            guard unsafe lstat(path, &info) == 0 else { return [] }
            if info.st_mode & S_IFMT == S_IFDIR { return files(below: path, depth: depth + 1) }
            return [(name, UInt64(clamping: info.st_size))]
        }
    }
}
