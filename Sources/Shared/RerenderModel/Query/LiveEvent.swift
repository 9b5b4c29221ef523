// SPDX-License-Identifier: MIT
// One line of the stream of events.

/// One line of `/v1/events`: a JSON object on one line, keys sorted.
///
/// The stream starts with one ``Kind/connected`` for each store that is connected and one ``Kind/view`` for each of
/// its views; so a reader needs no other request. Totals are cumulative; between two lines of the same view any number
/// of updates may have been merged. A reader that is too slow gets newer totals instead of every one, and
/// ``Kind/dropped`` says how many lines it missed.
package struct LiveEvent: Hashable, Codable, Sendable {
    /// What the line says.
    package enum Kind: String, Hashable, Codable, Sendable {
        /// A store is there: `process` without views.
        case connected
        /// A store's settings or totals changed, or a new epoch began: `process` without views.
        case store
        /// Its app ended or lost its connection: `process` without views.
        case disconnected
        /// A view's totals: `view`.
        case view
        /// A hang began, goes on (at most once a second), ended, or got a trace after that: `hang`.
        case hang
        /// A hang that was told of turned out to be none: `hangID`.
        case hangDropped
        /// Lines that this reader missed: `count`.
        case dropped
    }

    /// What the line says.
    package var event: Kind
    /// When the daemon wrote the line.
    package var at: Timestamp
    /// The process, for all but ``Kind/dropped``.
    package var pid: Int32?
    /// The store's name, for the lines about stores and views.
    package var store: String?
    /// The store's number, which is its own in the process.
    package var storeNumber: UInt32?
    /// The store, for ``Kind/connected``, ``Kind/store`` and ``Kind/disconnected``.
    package var process: ProcessStats?
    /// The view, for ``Kind/view``.
    package var view: Stats?
    /// How many lines were missed, for ``Kind/dropped``.
    package var count: UInt64?
    /// The hang, for ``Kind/hang``.
    package var hang: Hang?
    /// The number of the hang, for ``Kind/hangDropped``.
    package var hangID: UInt64?

    /// Makes a line with nothing but its kind and time.
    package init(event: Kind, at: Timestamp = .now) {
        self.event = event
        self.at = at
    }
}
