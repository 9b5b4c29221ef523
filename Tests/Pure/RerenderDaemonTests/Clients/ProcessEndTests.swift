// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("The ends of processes")
struct ProcessEndTests {
    @Test("are not asked for of a process that the kernel does not name")
    func foreign() {
        #expect(ProcessEnd(of: 0) == nil)
        #expect(ProcessEnd(of: -1) == nil)
    }
}
