// SPDX-License-Identifier: MIT
import Glibc
import RerenderTool
import TestSupport
import Testing

@Suite("Files of the kernel")
struct ProcFileTests {
    @Test("hold nothing where there are none")
    func absent() {
        #expect(ProcFile.read("/proc/self/no-such-file").isEmpty)
        #expect(ProcFile.read("/proc/self").isEmpty, "a directory")
    }

    @Test("are read to their end: a list that is longer than the kernel hands over at once")
    func whole() throws {
        // Pages that differ in what may be done with them have a line each.
        let (pages, page) = (400, 4_096)
        let memory = try #require(mmap(nil, pages * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(memory != MAP_FAILED)
        defer { munmap(memory, pages * page) }
        for number in stride(from: 1, to: pages, by: 2) {
            #expect(mprotect(memory + number * page, page, PROT_READ) == 0)
        }
        let places = stride(from: 1, to: pages, by: 2).map { number in
            let start = UInt(bitPattern: memory) + UInt(number * page)
            return "\(String(start, radix: 16))-\(String(start + UInt(page), radix: 16)) r--p"
        }
        let list = ProcFile.read("/proc/self/maps")
        #expect(list.utf8.count > 4 * page && places.filter { !list.contains($0) } == [])
    }
}
