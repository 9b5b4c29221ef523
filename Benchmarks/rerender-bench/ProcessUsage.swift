// SPDX-License-Identifier: MIT
// What another process used, as the kernel counts it.

import Foundation

struct ProcessUsage {
    let pid: Int32

    /// Seconds of processor time of all its threads.
    func processorSeconds() throws -> Double {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        // schedstat counts nanoseconds, stat hundredths of a second; a thread may end while we look.
        let nanoseconds = threads.compactMap { thread -> Double? in
            let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/schedstat", encoding: .utf8)
            return text?.split(separator: " ").first.flatMap { Double($0) }
        }
        guard nanoseconds.contains(where: { $0 > 0 }) else { throw Fault("no /proc/\(pid)/task/*/schedstat") }
        return nanoseconds.reduce(0, +) / 1e9
    }

    /// The most memory that it ever had, in megabytes (10^6).
    func peakMegabytes() throws -> Double { try kilobytes("VmHWM") * 1024 / 1e6 }

    func residentMegabytes() throws -> Double { try kilobytes("VmRSS") * 1024 / 1e6 }

    private func kilobytes(_ field: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        guard let value = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) }) else {
            throw Fault("no \(field) in /proc/\(pid)/status")
        }
        return value
    }
}
