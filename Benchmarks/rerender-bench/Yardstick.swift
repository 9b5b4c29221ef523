// SPDX-License-Identifier: MIT
// LTTng's own C macros with the fields of our events, from the library that `Scripts/bench` compiles.

import CBench
import Foundation

/// The yardstick, loaded into this process.
///
/// Proof of the unsafe parts: the library stays loaded, so its functions do; they copy the texts that they are lent.
struct Yardstick {
    private let library: cbench_yardstick

    init(path: String) throws {
        var library = cbench_yardstick()
        if let reason = unsafe cbench_load_yardstick(path, &library) {
            throw Fault("cannot load \(path): \(unsafe String(cString: reason))")
        }
        self.library = library
    }

    /// Waits until a session records its events; LTTng tells a library so a moment after it is loaded.
    func waitUntilRecording() throws {
        try wait(for: "the session records rerender_baseline:*") { (library.is_on?() ?? 0) != 0 }
    }

    /// One begin and one end of the shape of a signpost, `count` times.
    func genericPairs(_ count: Int) {
        unsafe library.generic_pair?(UInt64(count), "Evaluate", "", "process")
    }

    /// One begin and one end of the shape of an evaluation, `count` times.
    func bodyPairs(_ count: Int) {
        unsafe library.body_pair?(UInt64(count), "CartTotal", "rerender_bench/Shop.swift", 12, "", "<external signal>")
    }
}

/// Why a benchmark cannot run.
struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Optional {
    /// The value, or why there is none.
    func unwrapped(_ reason: String) throws -> Wrapped {
        guard let self else { throw Fault(reason) }
        return self
    }
}

/// Waits for what has no event, at most ten seconds.
func wait(for what: String, _ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw Fault("waited in vain until \(what)") }
        usleep(1000)
    }
}
