// SPDX-License-Identifier: MIT
// What a client posts to change something, and what it gets back.

/// Which stores a command is for; nil stands for all.
package struct ProcessSelection: Hashable, Codable, Sendable {
    /// A pid, or the name of a process.
    package var process: String?
    /// The name of a store, or its name and number: `main#1`.
    package var store: String?

    /// Makes a selection.
    package init(process: String? = nil, store: String? = nil) {
        self.process = process
        self.store = store
    }

    /// Whether a store of a selected process is selected. Stores of one process may have one name.
    ///
    /// Compares bytes, so that no name is slow to compare.
    package func fits(storeName name: String, number: UInt32) -> Bool {
        guard let store else { return true }
        guard store.utf8.starts(with: name.utf8) else { return false }
        let rest = store.utf8.dropFirst(name.utf8.count)
        return rest.isEmpty || rest.elementsEqual("#\(number)".utf8)
    }
}

/// What `POST /v1/pulse` takes.
package struct PulseRequest: Hashable, Codable, Sendable {
    /// The view's key.
    package var key: String
    /// A pid or the name of a process; nil for all.
    package var process: String?
    /// The name of a store, or its name and number (`main#1`); nil for all.
    package var store: String?

    /// Makes a request.
    package init(key: String, _ selection: ProcessSelection) {
        (self.key, process, store) = (key, selection.process, selection.store)
    }
}

/// What `POST /v1/overlay` takes.
package struct OverlayRequest: Hashable, Codable, Sendable {
    /// What to show, or to take away.
    package var overlay: ScreenOverlay
    package var on: Bool
    /// A pid or the name of a process; nil for all.
    package var process: String?
    /// The name of a store, or its name and number (`main#1`); nil for all.
    package var store: String?

    /// Makes a request.
    package init(_ overlay: ScreenOverlay, on: Bool, _ selection: ProcessSelection) {
        (self.overlay, self.on, process, store) = (overlay, on, selection.process, selection.store)
    }
}

/// What `POST /v1/config` takes; nil leaves a setting as it is.
package struct ConfigurationChange: Hashable, Codable, Sendable {
    /// A pid or the name of a process; nil for all.
    package var process: String?
    /// The name of a store, or its name and number (`main#1`); nil for all.
    package var store: String?
    /// Whether evaluations are counted.
    package var enabled: Bool?
    /// From when on a turn of the main loop is a hang; within ``HangThreshold/allowedMilliseconds``.
    package var hangThresholdMilliseconds: UInt32?
    /// From when on it is a micro-hang.
    package var microHangThresholdMilliseconds: UInt32?
    /// Whether stacks are taken in hangs; see `store.hangStacks`.
    package var hangStacks: Bool?
    /// Whether the daemon shows a desktop notification for each hang. The daemon's own setting: `process` and `store` must be
    /// nil with it.
    package var notify: Bool?

    /// Makes a change of nothing.
    package init(process: String? = nil, store: String? = nil) {
        self.process = process
        self.store = store
    }
}

/// What became of a command.
package struct CommandReport: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version: Int = 1
    /// Apps that the command was sent to.
    package var sent: Int
    /// Apps that said in time that they had carried it out.
    package var confirmed: Int
    /// What it reached in them: stores, or for a pulse the handlers that ran; for an overlay, the apps that have a bridge.
    package var reached: Int
    /// Of these, the bridges to a screen that said what they show.
    package var answered: Int
    /// Of a pulse, over how many instances it is shown, and of how many. Of an overlay, in how many windows it is shown, or was.
    package var shown: Int
    package var instances: Int

    /// Makes a report.
    package init(
        sent: Int, confirmed: Int, reached: Int, answered: Int = 0, shown: Int = 0, instances: Int = 0
    ) {
        self.sent = sent
        self.confirmed = confirmed
        (self.reached, self.answered) = (reached, answered)
        (self.shown, self.instances) = (shown, instances)
    }
}

/// The body of every answer that is no success.
package struct QueryError: Hashable, Codable, Sendable, Error {
    /// What happened, and what to do next.
    package var error: String
    /// The paths that there are, where the path was not known.
    package var paths: [String]?

    /// Makes an error.
    package init(_ error: String, paths: [String]? = nil) {
        self.error = error
        self.paths = paths
    }
}
