// SPDX-License-Identifier: MIT
// Pages in memory that apps share with the daemon, as fake apps offer it.

import CRerender
import Foundation
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("The memory of a flight page")
struct PageMemoryTests {
    @Test("is opened only where it is memory of a page's size that nobody can cut off")
    func hostile() throws {
        let directory = try TestFile.makeDirectory()
        func offer(_ file: CInt, thread: Int32 = getpid()) -> OpenPage? {
            OpenPage(MemoryOffer(thread: thread, descriptor: file), of: getpid())
        }
        let sealed = crerender_sealed_memory("good", FlightPageLayout.byteCount)
        let large = crerender_sealed_memory("large", FlightPageLayout.byteCount * 2)
        let plain = open(directory + "/plain", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let shared = open("/dev/shm/rr-\(getpid())", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        unlink("/dev/shm/rr-\(getpid())")
        for file in [plain, shared] { #expect(ftruncate(file, off_t(FlightPageLayout.byteCount)) == 0) }
        mkfifo(directory + "/pipe", 0o600)
        let pipe = open(directory + "/pipe", O_RDWR | O_CLOEXEC)
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { for file in [sealed, large, plain, shared, pipe, folder] { close(file) } }
        #expect(offer(sealed) != nil)
        for file in [large, plain, shared, pipe, folder, 900_000, .max] { #expect(offer(file) == nil, "\(file)") }
        #expect(offer(sealed, thread: .max) == nil && offer(sealed, thread: 1) == nil)
        #expect(OpenPage(MemoryOffer(thread: getpid(), descriptor: sealed), of: 0) == nil)
    }
}
