// SPDX-License-Identifier: MIT
import FoundationEssentials
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon

@Suite("Commands on their way")
struct PendingCommandsTests {
    private let targets: [CommandPlan.Target] = [
        .init(connection: 1, storeID: 0), .init(connection: 1, storeID: 1), .init(connection: 2, storeID: nil),
    ]

    @Test("are complete when every app has answered everything")
    func complete() {
        var book = PendingCommands()
        let (command, requests) = book.open(targets)
        #expect(book.done(.init(request: requests[0], reached: 1), from: 1) == nil)
        #expect(book.done(.init(request: requests[2], reached: 4), from: 2) == nil)
        #expect(book.done(.init(request: requests[1], reached: 1), from: 1) == command)
        #expect(book.close(command) == CommandReport(sent: 2, confirmed: 2, reached: 6))
    }

    @Test("take no answer twice, from another app, or after they are closed")
    func strangers() {
        var book = PendingCommands()
        let (command, requests) = book.open(targets)
        #expect(book.done(.init(request: requests[2], reached: 1), from: 2) == nil)
        #expect(book.done(.init(request: requests[2], reached: 1), from: 2) == nil)
        #expect(book.done(.init(request: requests[0], reached: 9), from: 2) == nil)
        #expect(book.done(.init(request: 4_000, reached: 9), from: 1) == nil)
        #expect(book.close(command) == CommandReport(sent: 2, confirmed: 1, reached: 1))
        #expect(book.done(.init(request: requests[0], reached: 1), from: 1) == nil)
        #expect(book.close(command) == nil)
    }

    @Test("do not wait for an app that is gone")
    func disconnected() {
        var book = PendingCommands()
        let (command, requests) = book.open(targets)
        _ = book.done(.init(request: requests[2], reached: 1), from: 2)
        #expect(book.disconnected(1) == [command])
        #expect(book.close(command) == CommandReport(sent: 2, confirmed: 1, reached: 1))
    }
}
