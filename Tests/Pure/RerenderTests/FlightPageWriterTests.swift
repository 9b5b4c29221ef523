// SPDX-License-Identifier: MIT
// The page as written, read back from its memory with the reader that the daemon uses.

import CRerender
import Foundation
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

@Suite("Flight page")
struct FlightPageWriterTests {
    private let identity = ProcessIdentity(pid: 4_711, name: "shop", startTicks: 99)

    @Test("its memory says which process, which stores, and how many evaluations")
    func contents() throws {
        let page = try #require(FlightPageWriter(identity: identity))
        let process = TestProcess(flightPage: page)
        let (main, other) = (process.makeStore("main"), process.makeStore("other"))
        for _ in 0..<3 { main.evaluate("A") }
        other.evaluate("B")
        let read = try page.read()
        #expect(read.pid == 4_711 && read.startTicks == 99 && read.processName == "shop" && !read.isClosed)
        #expect(read.stores.map(\.name) == ["main", "other"])
        #expect(read.stores.map(\.storeID) == [main.id, other.id])
        #expect(read.stores.map(\.evaluations) == [3, 1])
    }

    @Test("after a reset the page counts the new epoch")
    func reset() throws {
        let page = try #require(FlightPageWriter(identity: identity))
        let core = TestProcess(flightPage: page).makeStore()
        for _ in 0..<5 { core.evaluate("A") }
        core.reset()
        core.evaluate("A")
        core.reset()
        core.evaluate("A")
        core.evaluate("A")
        let store = try #require(try page.read().stores.first)
        #expect(store.epoch == 2 && store.evaluations == 2)
    }

    @Test("stores beyond the page's slots count in private memory")
    func manyStores() throws {
        let page = try #require(FlightPageWriter(identity: identity))
        let process = TestProcess(flightPage: page)
        let cores = (0..<FlightPageLayout.slots + 5).map { process.makeStore("store \($0)") }
        for core in cores { core.evaluate("A") }
        #expect(cores.map { $0.state().evaluations } == Array(repeating: 1, count: cores.count))
        let read = try page.read()
        #expect(read.stores.count == FlightPageLayout.slots)
        #expect(read.stores.last?.name == "store 63")
    }

    @Test("nobody can cut off its memory, and no evaluation of several threads is missing or there twice")
    func sealed() throws {
        let page = try #require(FlightPageWriter(identity: identity))
        let core = TestProcess(flightPage: page).makeStore()
        let file = try #require(page.descriptor)
        let (threads, rounds) = (4, 20_000)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<rounds { core.evaluate("A") }
        }
        for size in [0, 4_096, FlightPageLayout.byteCount * 2] {
            let outcome = DescriptorTable.run { (ftruncate(file, off_t(size)), errno) }
            #expect(outcome?.0 == -1 && outcome?.1 == EPERM)
        }
        #expect(try page.read().stores.map(\.evaluations) == [UInt64(threads * rounds)])
    }

    @Test("copies in one program have different numbers, and the first of each program is 0")
    func copies() throws {
        // A number of its own: which pages are mapped is asked of this whole process, where other tests run.
        let identity = ProcessIdentity(pid: 4_712, name: "shop", startTicks: 99)
        let pages = try (0..<3).map { _ in try #require(FlightPageWriter(identity: identity)) }
        #expect(pages.map(\.copyNumber) == [0, 1, 2])
        let other = try #require(FlightPageWriter(identity: ProcessIdentity(pid: 47_121, name: "shop", startTicks: 99)))
        #expect(other.copyNumber == 0)
    }

    @Test("a closed page says so, and is handed over no more")
    func close() throws {
        let page = try #require(FlightPageWriter(identity: identity))
        let held = try page.held()
        page.close()
        #expect(page.descriptor == nil)
        #expect(try held.page().isClosed)
    }
}

extension FlightPageWriter {
    /// Holds its memory, as a daemon does.
    func held() throws -> HeldPage {
        let file = try #require(descriptor)
        let path = try #require(
            DescriptorTable.run { "/proc/\(getpid())/task/\(crerender_this_thread())/fd/\(file)" })
        let opened = open(path, O_RDWR | O_CLOEXEC)
        try #require(opened >= 0)
        return HeldPage(owning: opened)
    }

    func bytes() throws -> [UInt8] { try held().bytes }

    func read() throws -> FlightPage { try held().page() }
}
