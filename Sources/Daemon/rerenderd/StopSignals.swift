// SPDX-License-Identifier: MIT
// SIGTERM and SIGINT, which ask for a stop.

import Dispatch
import Glibc

/// Calls a closure at each SIGTERM and SIGINT for as long as it is kept; they no longer end the process by themselves.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Returns once no signal is missed any more. `stop` is called on a thread of Dispatch's.
    init(_ stop: @escaping @Sendable () -> Void) async {
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGTERM, SIGINT] {
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler(handler: stop)
            await withCheckedContinuation { continuation in
                source.setRegistrationHandler { continuation.resume() }
                source.activate()
            }
            sources.append(source)
        }
        self.sources = sources
    }

    /// Leaves the signals alone: from here on nothing happens at one.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
