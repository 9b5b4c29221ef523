// SPDX-License-Identifier: MIT
import Glibc
import RerenderRun
import TestSupport
import Testing
@testable import ToolSupport

@Suite("Files of the kernel")
struct ProcFileTests {
    @Test("are read to their end: a list of sockets that is longer than the kernel hands over at once")
    func whole() throws {
        let directory = try TestFile.makeDirectory()
        let paths = (0..<200).map { "\(directory)/socket-\($0)-" }
        let sockets = try paths.map { try UnixStream.listen($0) }
        defer { for socket in sockets { close(socket) } }
        let list = ProcFile.read("/proc/net/unix")
        #expect(paths.filter { !list.contains($0) } == [])
    }
}
