// SPDX-License-Identifier: MIT
// Why something is evaluated without input.

import RerenderModel

/// Why something is evaluated without input: what happened to which view, and who did it.
struct WorkCause: Equatable, Sendable {
    /// The number of the view in its store, and its key.
    let view: UInt32
    let key: ViewKey
    let reason: String
    let writer: Writer?
    let callback: WorkCallback?

    static func == (lhs: WorkCause, rhs: WorkCause) -> Bool {
        lhs.view == rhs.view && lhs.reason == rhs.reason && lhs.writer == rhs.writer && lhs.callback == rhs.callback
    }
}

/// What the writer was called by: a callback of the main loop.
struct WorkCallback: Hashable, Sendable {
    /// What called it, such as `timer`.
    let source: String
    /// Its function; nil where it is not known.
    let function: Writer?

    /// - Parameter function: Its address; 0 where it is not known.
    init(source: String, function: UInt) {
        self.source = source
        guard function != 0 else {
            self.function = nil
            return
        }
        // Addresses of stacks are behind the calls.
        let origin = WriteOrigin(stack: .ofCaller(function + 1), handler: nil)
        self.function = Writer(function: .caller, origin: origin)
    }

    /// As it travels. Takes milliseconds for a function not named before.
    var named: IdleWork.Callback {
        let name = function?.name
        return IdleWork.Callback(source: source, function: name == WriterStacks.unknown ? nil : name)
    }
}

/// A cause in a list. It leads nowhere once its place was given away.
struct WorkPlace: Equatable, Sendable {
    let index: UInt32
    let serial: UInt32
}
