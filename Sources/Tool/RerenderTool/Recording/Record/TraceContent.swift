// SPDX-License-Identifier: MIT
// The size of a trace, and the number of its events.

import FoundationEssentials
import Glibc
import RerenderModel
import RerenderShow
import RerenderTrace

/// Looks at a trace that is complete.
struct TraceContent: Hashable, Sendable {
    /// The events of a trace.
    enum Events: Hashable, Sendable {
        case counted(UInt64)
        /// More than so many: the rest was not read.
        case more(UInt64)
        /// Why they were not counted, safe to print; the trace may be whole.
        case unknown(String)
        /// What is wrong with the trace, safe to print. A reader gets nothing of it.
        case unreadable(String)
    }

    /// In all files.
    var bytes: UInt64
    var events: Events
    /// The files `metadata`, which other programs open: one for each trace, and so for each user that ran an app.
    var metadata: [String] = []

    /// Looks at the files, and reads the trace as far as ``EventCount/most``.
    ///
    /// - Parameters:
    ///   - patience: How long LTTng may take to write the last of the metadata after it said that it is done.
    ///   - run: Runs the program that counts the events; a trace may crash it.
    static func of(
        _ directory: String, patience: Duration = .seconds(3), run: Runner = Self.runCounter
    ) async -> TraceContent {
        let files = files(below: directory, depth: 0)
        let bytes = files.reduce(UInt64(0)) { $0 + $1.bytes }
        // No app came, so there is nothing that could be read.
        let metadata = files.map(\.path).filter { PathName.last(of: $0) == "metadata" }.sorted()
        guard !metadata.isEmpty else { return TraceContent(bytes: bytes, events: .counted(0)) }
        return TraceContent(bytes: bytes, events: await count(directory, patience, run), metadata: metadata)
    }

    /// Whether nothing more can be written where `path` is: its file system has no block or no file left for this user.
    ///
    /// LTTng does not always say that a write failed. False where the system cannot tell.
    static func isDiskFull(at path: String) -> Bool {
        var info = statvfs()
        // statvfs() fills the local value.
        guard unsafe statvfs(path, &info) == 0 else { return false }
        let blocks = geteuid() == 0 ? info.f_bfree : info.f_bavail
        return info.f_blocks > 0 && blocks == 0 || info.f_files > 0 && info.f_ffree == 0
    }

    /// Runs a program to its end; nil where it cannot be started.
    typealias Runner = @Sendable (_ command: [String]) async -> CapturedOutput?

    private static let runCounter: Runner = { try? await CapturedCommand.run($0, limit: .seconds(120)) }

    private static func count(_ directory: String, _ patience: Duration, _ run: Runner) async -> Events {
        let end = ContinuousClock.now + patience
        while true {
            let events = await countOnce(directory, run)
            guard case .unreadable = events, ContinuousClock.now < end else { return events }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func countOnce(_ directory: String, _ run: Runner) async -> Events {
        guard let result = await run([OwnProgram.path, EventCount.command, "--", directory])
        else { return .unknown("no process can be started") }
        if let signal = OwnProgram.fault(result.ending) { return .unreadable("reading it ended with \(signal)") }
        switch result.ending {
        case .killed(by: SIGKILL): return .unknown("it takes more than two minutes")
        case .exited(0): return EventCount(text: result.output)?.events ?? .unknown("no number was said")
        case .exited(ExitStatus.unreadable): return .unreadable(reason(result.errors))
        default: return .unknown(reason(result.errors))
        }
    }

    /// The first line, without the program's name: what to do comes with the next command.
    private static func reason(_ errors: String) -> String {
        let line = errors.split(separator: "\n").first.map { Printable.text(String($0)) } ?? "no reason given"
        return line.hasPrefix("rerenderctl: ") ? String(line.dropFirst(13)) : line
    }

    /// The plain files of a trace; LTTng nests them five deep.
    private static func files(below directory: String, depth: Int) -> [(path: String, bytes: UInt64)] {
        guard depth < 8, let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return [] }
        return names.flatMap { name -> [(path: String, bytes: UInt64)] in
            let path = directory + "/" + name
            var info = stat()
            // lstat() fills the local value.
            guard unsafe lstat(path, &info) == 0 else { return [] }
            if info.st_mode & S_IFMT == S_IFDIR { return files(below: path, depth: depth + 1) }
            return [(path, UInt64(clamping: info.st_size))]
        }
    }
}

extension EventCount {
    fileprivate var events: TraceContent.Events { isWhole ? .counted(number) : .more(number) }
}
