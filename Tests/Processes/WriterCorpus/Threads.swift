// SPDX-License-Identifier: MIT
// Writers on other threads.

import Dispatch
import Foundation
import Synchronization

/// A model that the corpus hands from thread to thread, one at a time.
private struct Handed: @unchecked Sendable {
    let ticker: Ticker
}

func inTask(_ ticker: Ticker) async -> Int {
    let handed = Handed(ticker: ticker)
    return await Task.detached {
        handed.ticker.tick += 1; return #line
    }.value
}

func onQueue(_ ticker: Ticker) -> Int {
    let handed = Handed(ticker: ticker)
    return DispatchQueue(label: "writer").sync {
        handed.ticker.tick += 1; return #line
    }
}

func onThread(_ ticker: Ticker) -> Int {
    let handed = Handed(ticker: ticker)
    let line = Mutex(0), done = DispatchSemaphore(value: 0)
    let thread = Thread {
        handed.ticker.tick += 1; line.withLock { $0 = #line }; done.signal()
    }
    thread.start()
    done.wait()
    return line.withLock { $0 }
}
