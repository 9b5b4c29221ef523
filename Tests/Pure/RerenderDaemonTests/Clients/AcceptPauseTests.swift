// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import NIOEmbedded
import Testing

@testable import RerenderDaemon

@Suite("A listening socket without a descriptor for a connection")
struct AcceptPauseTests {
    /// A listening channel, and what was said of its pauses.
    private final class Listener {
        let channel = EmbeddedChannel()
        var pauses: [Int32] = []

        init(pause: TimeAmount) throws {
            let handler = AcceptPause(of: pause) { [unowned self] in self.pauses.append($0.errnoCode) }
            try channel.pipeline.syncOperations.addHandler(handler)
        }

        /// Whether the socket is looked at; true until the handler says otherwise.
        var reads: Bool {
            channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool ?? true
        }

        func fail(_ number: Int32) {
            channel.pipeline.fireErrorCaught(IOError(errnoCode: number, reason: "accept"))
        }
    }

    @Test(
        "is not looked at for a while, however many attempts have failed", arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func rests(number: Int32) throws {
        let listener = try Listener(pause: .milliseconds(250))
        for round in 1...3 {
            #expect(listener.reads)
            for _ in 0..<5 { listener.fail(number) }
            #expect(!listener.reads && listener.pauses.count == round, "one pause, and one line of it")
            listener.channel.embeddedEventLoop.advanceTime(by: .milliseconds(250) - .nanoseconds(1))
            #expect(!listener.reads)
            listener.channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        }
        #expect(listener.reads)
        _ = try listener.channel.finish()
    }

    @Test("goes on after other errors, which others hear of")
    func otherErrors() throws {
        let listener = try Listener(pause: .milliseconds(250))
        listener.fail(ECONNABORTED)
        #expect(listener.reads && listener.pauses.isEmpty)
        #expect(throws: IOError.self) { try listener.channel.throwIfErrorCaught() }
        _ = try listener.channel.finish()
    }
}
