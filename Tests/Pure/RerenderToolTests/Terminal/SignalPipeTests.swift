// SPDX-License-Identifier: MIT
// Signals of this very process, to one thread of it.

import Glibc
@testable import RerenderShow
@testable import RerenderTool
import Testing

struct SignalPipeTests {
    @Test("signals that are delivered together come one after the other, as the kernel takes them, until released")
    func together() throws {
        // Two that nothing else in this process uses; the kernel takes the lower number first.
        let signals = [SIGUSR1, SIGWINCH]
        let pipe = try SignalPipe.open(signals)
        var mask = sigset_t(), before = sigset_t()
        sigemptyset(&mask)
        for signal in signals { sigaddset(&mask, signal) }
        for _ in 1...20 {
            pthread_sigmask(SIG_BLOCK, &mask, &before)
            for signal in signals.reversed() { pthread_kill(pthread_self(), signal) }
            pthread_sigmask(SIG_UNBLOCK, &mask, nil)
            #expect(SignalPipe.next(pipe)?.number == SIGUSR1)
            #expect(SignalPipe.next(pipe)?.number == SIGWINCH)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        SignalPipe.release(signals)
        for signal in signals {
            var action = sigaction()
            sigaction(signal, nil, &action)
            #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0, "SIG_DFL")
        }
    }
}
