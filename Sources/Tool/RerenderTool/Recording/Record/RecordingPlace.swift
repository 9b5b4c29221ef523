// SPDX-License-Identifier: MIT
// The directory of a trace: chosen and made before the recording, measured after it.

import FoundationEssentials
import Glibc
import RerenderModel
package import RerenderShow
import RerenderTrace

/// Finds and makes the directory that a trace is written to.
package enum RecordingPlace {
    /// Makes the directory, with all above it; throws status 73 where it cannot be made, or holds something already.
    ///
    /// - Parameter wanted: As the user typed it; nil for a new one where LTTng keeps its traces.
    package static func make(_ wanted: String?) throws(ToolFailure) -> String {
        if let wanted { return try made(absolute(wanted)) }
        guard let home else {
            throw ToolFailure(
                ExitStatus.cannotCreate, "no directory for traces: HOME is not set.\nChoose one: --output DIR")
        }
        let usual = "\(home)/lttng-traces/\(prefix)\(LocalTime.compact(.now))"
        // Two in the same second: the second one gets a number.
        let path = ([""] + (2...99).map { "-\($0)" }).map { usual + $0 }.first { unsafe access($0, F_OK) != 0 }
        return try made(path ?? usual)
    }

    /// The newest recording where ``make(_:)`` puts them, by its name; nil without one.
    package static var newest: String? {
        guard let traces = home.map({ $0 + "/lttng-traces" }) else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: traces)) ?? []
        let ours = names.filter { name in
            name.hasPrefix(prefix) && name.dropFirst(prefix.count).allSatisfy { $0.isNumber || $0 == "-" }
        }
        return ours.sorted(by: >).lazy.map { "\(traces)/\($0)" }.first { path in
            FilePath.kind(path) == S_IFDIR && (try? Directory.isEmpty(path)) == false
        }
    }

    private static let prefix = "rerender-"

    private static var home: String? {
        let home = environmentVariable("LTTNG_HOME") ?? environmentVariable("HOME")
        return home.flatMap { PathName.isAbsolute($0) ? $0 : nil }
    }

    /// Removes the directory and those in it, as far as no file is in them.
    static func removeEmpty(_ path: String, depth: Int = 0) {
        guard depth < 8 else { return }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            removeEmpty(path + "/" + name, depth: depth + 1)
        }
        // Fails for files and for directories that hold some; does not follow links.
        _ = unsafe rmdir(path)
    }

    private static func absolute(_ path: String) -> String {
        PathName.isAbsolute(path) ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func made(_ path: String) throws(ToolFailure) -> String {
        try Directory.make(path)
        guard try Directory.isEmpty(path) else {
            throw ToolFailure(
                ExitStatus.cannotCreate,
                "\(Printable.text(path)) is not empty.\nGive a directory that is new or empty: --output DIR")
        }
        return path
    }
}

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
