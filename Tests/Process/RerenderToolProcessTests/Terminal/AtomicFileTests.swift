// SPDX-License-Identifier: MIT
import Foundation
import Glibc
@testable import RerenderShow
@testable import RerenderTool
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
        let bench = try Bench()
        // An answer that goes on for as long as it is read, so that the file is open until the process ends.
        let server = try CannedServer(bench.querySocket, then: .trickle) { _ in
            CannedServer.answer([], length: 1 << 20)
        }
        defer { server.stop() }
        let export = try bench.start(["export", "-o", path])
        let descriptors = "/proc/\(export.pid)/fd"
        try await eventually("the open file") {
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
            let files = numbers.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
            }
            return files.contains { $0.hasPrefix(directory.path) } ? () : nil
        }
        export.send(SIGKILL)
        #expect(try await export.wait() == .killed(SIGKILL))
        #expect(try names.isEmpty)
    }
}
