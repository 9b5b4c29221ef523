// SPDX-License-Identifier: MIT
// Pages that apps hand over, honest and hostile ones.

import CRerender
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("The memory of a flight page")
struct PageMemoryTests {
    private let process = ProcessInstance(pid: getpid(), startTicks: 5)

    private func page(_ bytes: [UInt8]) throws -> OpenPage {
        let file = crerender_sealed_memory("page", FlightPageLayout.byteCount)
        #expect(bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == bytes.count)
        return try OpenPage(Descriptor(owning: file))
    }

    @Test("is kept only where it is memory of a page's size that nobody can cut off")
    func hostile() throws {
        let directory = try TestFile.makeDirectory()
        let large = crerender_sealed_memory("large", FlightPageLayout.byteCount * 2)
        let plain = open(directory + "/plain", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let shared = open("/dev/shm/rr-\(getpid())", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        unlink("/dev/shm/rr-\(getpid())")
        for file in [plain, shared] { #expect(ftruncate(file, off_t(FlightPageLayout.byteCount)) == 0) }
        mkfifo(directory + "/pipe", 0o600)
        let pipe = open(directory + "/pipe", O_RDWR | O_CLOEXEC)
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for file in [large, plain, shared, pipe, folder] {
            let opened = inode(of: file)
            #expect(throws: OpenPage.Fault.unsealed) { _ = try OpenPage(Descriptor(owning: file)) }
            // Another test may have its number by now.
            #expect(inode(of: file) != opened, "it stays open")
        }
    }

    private func inode(of file: CInt) -> [UInt] {
        var status = stat()
        return fstat(file, &status) == 0 ? [status.st_dev, status.st_ino] : []
    }

    @Test("is read only where it is a page of that process")
    func contents() throws {
        var fake = FakeFlightPage(pid: getpid(), startTicks: 5)
        fake.stores = [(storeID: 0, name: "main", epoch: 0, evaluations: 7)]
        #expect(try page(fake.bytes).contents(of: process).stores.map(\.evaluations) == [7])
        fake.startTicks = 6
        #expect(throws: OpenPage.Fault.anotherProcess) { try page(fake.bytes).contents(of: process) }
        var version = fake.bytes
        version[FlightPageLayout.versionOffset] = 99
        for bytes in [[UInt8](repeating: 0xA5, count: FlightPageLayout.byteCount), version] {
            let fault = #expect(throws: OpenPage.Fault.self) { try page(bytes).contents(of: process) }
            guard case .unreadable(let text) = fault else { throw NeverHappened(description: "\(fault as Any)") }
            #expect(!text.isEmpty)
        }
    }

    @Test("is left once no process maps it, and cannot be written any more then")
    func left() throws {
        let file = crerender_sealed_memory("left", FlightPageLayout.byteCount)
        let page = try OpenPage(Descriptor(owning: file))
        let memory = mmap(nil, FlightPageLayout.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        try #require(memory != MAP_FAILED)
        #expect(!page.isLeft && !page.isLeft)
        munmap(memory, FlightPageLayout.byteCount)
        #expect(page.isLeft && page.isLeft)
        #expect(mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED)
    }
}
