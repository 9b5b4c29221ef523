// SPDX-License-Identifier: MIT
import Foundation
import Glibc
@testable import RerenderTool
@testable import RerenderToolBase
import TestSupport
import Testing
@testable import ToolSupport

@Suite("A file that appears when it is complete")
struct AtomicFileTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }
    private var path: String { directory.path + "/out" }
    private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path) } }

    @Test("of a process that is killed leaves nothing behind")
    func killed() async throws {
        let bench = try await Bench(withDaemon: ())
        // The daemon's answer is awaited, so that the file is open for ten seconds.
        kill(try #require(bench.daemon).pid, SIGSTOP)
        let export = try bench.start(["export", "-o", path])
        #expect(try await hasOpened(export.pid, under: directory.path))
        kill(export.pid, SIGKILL)
        _ = try await export.wait()
        kill(try #require(bench.daemon).pid, SIGCONT)
        #expect(try names.isEmpty)
    }

    /// Whether a process has a file open there; looked at often, beside the pool, where ten seconds can pass between two looks.
    private func hasOpened(_ pid: Int32, under place: String) async throws -> Bool {
        try await offThePool {
            let files = FileManager.default
            for _ in 0..<2_000 {
                let numbers = (try? files.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []
                let links = numbers.compactMap { try? files.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)") }
                if links.contains(where: { $0.hasPrefix(place) }) { return true }
                usleep(5_000)
            }
            return false
        }
    }
}
