// SPDX-License-Identifier: MIT
// Samples a thread of another process through /proc.

internal import Glibc

/// Samples one thread of one process. Costs two small files a sample, four while the thread waits.
struct ThreadSampler: Sendable {
    let pid: Int32
    /// Where the code of the process's program lies, as far as that may be read: another one has taken its place if it moves.
    private let startCode: UInt64?

    /// A line of `stat` is at most some hundred bytes.
    private static let statBytes = 1_024
    /// The other files are one short line.
    private static let lineBytes = 256

    /// Samples threads of the program that the process runs now.
    init(pid: Int32) {
        self.pid = pid
        startCode = ProcessTable.startCode(of: pid)
    }

    /// Samples the thread with the app's number for it; the process's first thread if there is none.
    ///
    /// An app in a pid namespace of its own knows other numbers than we do; nearly always its loop runs on the first thread. Gone
    /// are all threads of a program that has become another one by `exec`.
    func sample(_ thread: Int32) -> ThreadObservation {
        // No thread serves a pinged queue right now.
        if thread == 0 { return .unknown }
        if thread != pid {
            let own = sample(in: "/proc/\(pid)/task/\(thread)/")
            if own != .gone { return own }
        }
        return sample(in: "/proc/\(pid)/task/\(pid)/")
    }

    /// How many pages the process has mapped; nil if that cannot be read.
    func size() -> UInt64? {
        guard let text = try? Self.read("/proc/\(pid)/statm", limit: Self.lineBytes) else { return nil }
        return UInt64(String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
    }

    private func sample(in directory: String) -> ThreadObservation {
        do {
            let stat = try Self.read(directory + "stat", limit: Self.statBytes)
            let schedstat = try Self.read(directory + "schedstat", limit: Self.lineBytes)
            guard var sample = ThreadSample(stat: stat, schedstat: schedstat) else { return .unknown }
            if sample.state == .ended { return .gone }
            if let startCode, let now = ProcessTable.startCode(inStat: stat), now != startCode { return .gone }
            if sample.state == .waiting {
                // Both are refused for a process that may not be traced; one of them is enough.
                let wchan = (try? Self.read(directory + "wchan", limit: Self.lineBytes)) ?? []
                if ThreadSample.isFrozen(wchan: wchan) {
                    sample.state = .stopped
                } else {
                    sample.waitingOn = ThreadSample.waitingOn(
                        syscall: (try? Self.read(directory + "syscall", limit: Self.lineBytes)) ?? [], wchan: wchan)
                }
            }
            return .sample(sample)
        } catch .system(_, let number, _) where number == ENOENT || number == ESRCH {
            return .gone
        } catch {
            return .unknown
        }
    }

    private static func read(_ path: String, limit: Int) throws(DaemonError) -> [UInt8] {
        let file = try Descriptor(path: path, flags: O_RDONLY)
        return try file.read(limit: limit)
    }
}
