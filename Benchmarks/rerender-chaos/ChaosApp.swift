// SPDX-License-Identifier: MIT
// The app that ends, and what it counted itself.

import Foundation
import TestSupport

/// A `counting chaos`, and the file that it counts in.
final class ChaosApp {
    let process: PlainChild
    private let ledger: String

    init(_ process: PlainChild, ledger: String) async throws {
        (self.process, self.ledger) = (process, ledger)
        try await process.waitFor("ready\n")
    }

    /// Makes the file of a counter, for any user.
    static func makeLedger(_ path: String) throws {
        try TestFile.write([UInt8](repeating: 0, count: 128), to: path)
        chmod(path, 0o666)
    }

    /// The app's own counter; after its end.
    func own() throws -> (begun: UInt64, ended: UInt64) {
        let bytes = try TestFile.read(ledger)
        let words = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let pairs = stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }
        return (pairs.reduce(0) { $0 + $1.0 }, pairs.reduce(0) { $0 + $1.1 })
    }

    /// Waits until LTTng has buffers for it, which its consumer daemon shares with the process.
    func waitForRecording() async throws {
        try await eventually("LTTng's buffers in process \(process.pid)") {
            try TestFile.text("/proc/\(process.pid)/maps").contains("shm-ust-consumer") ? () : nil
        }
    }

    /// Ends it; returns once it has ended.
    func end(_ end: ChaosEnd) async throws {
        switch end {
        case .appTerminated: process.send(SIGTERM)
        case .appAborts: process.send("abort")
        case .appExits, .bystander: process.send("exit")
        case .appLeaves: process.send("leave")
        default: process.send(SIGKILL)
        }
        // One whose descriptors were closed may wait for LTTng for ever.
        try await process.waitForEnd()
    }
}
