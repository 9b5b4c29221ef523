// SPDX-License-Identifier: MIT
import Glibc
import RerenderRun
import TestSupport
import Testing

@Suite("Files of the kernel")
struct ProcFileTests {
    @Test("hold nothing where there are none")
    func absent() {
        #expect(ProcFile.read("/proc/self/no-such-file").isEmpty)
        #expect(ProcFile.read("/proc/self").isEmpty, "a directory")
    }
}
