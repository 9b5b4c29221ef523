// SPDX-License-Identifier: MIT
// Every limit that the app and the daemon must agree on, each with its reason.

/// Bounds of what travels between an app and the daemon.
package enum WireLimits {
    /// Payload of one frame. Large enough for 200 totals, small enough that a peer's buffer stays in the cache.
    package static let frameBytes = 65_536
    /// A view's key in UTF-8. Labels are for people to read. The app shortens a longer one and ends it in a hash of the
    /// whole, so that it stays distinct.
    package static let keyBytes = 1_024
    /// A file name, reason, or name of a process or store in UTF-8.
    package static let stringBytes = 256
    /// Keys of one process over all its stores. An app with more has put data into its labels; their evaluations are counted as
    /// dropped.
    package static let keysPerProcess = 65_536
    /// Event handlers of one store, the others among them as one. Names may be made of what a row shows.
    package static let handlersPerStore: UInt32 = 1_025
    /// Cycles of one store, the others among them as one.
    package static let cyclesPerStore: UInt8 = 16
    /// Steps of one cycle.
    package static let stepsPerCycle = 16
    /// Causes of work without input of one store: the frames are one of them, and so are all for which there is no room.
    package static let workPerStore: UInt8 = 16
    /// Sources and handlers of a process's main loop, the others among them as one: a row is a function, and a program has few that count.
    package static let rowsPerStore: UInt8 = 64
    /// Bytes of a name in such a row.
    package static let rowBytes = 128
    /// Widgets that ask for frames unseen, are laid out for long, or are made anew, and sixteen interactions.
    package static let factsPerStore: UInt8 = 32
    /// What may be missing from the counts of a store: one sentence for each cause that there is.
    package static let gapsPerStore = 4
    /// Bytes of such a sentence, with the names of some functions in it.
    package static let gapBytes = 512
    /// Stores of one connection. More than a window each would need.
    package static let storesPerProcess = 1_024
    /// Reasons of one view; the next ones are counted as `other`.
    package static let reasonsPerView = 32
    /// Writers of one reason that are named; the next ones are counted as `other`. Who writes most is what helps.
    package static let writersPerReason = 3
    /// Chains of causes of one reason that are named; the next ones are counted as `other`.
    package static let chainsPerReason = 3
    /// Views in the shares of a hang; the next ones are part of `other views`. A view beyond them has too small a share
    /// to be the cause.
    package static let sharesPerHang = 8
    /// Bytes of what a thread was seen doing: four threads in a row, each with a file and a process.
    package static let activityBytes = 512
    /// Different things that a thread was seen doing in one hang; as many as there are looks.
    package static let activitiesPerHang = 8
    /// Functions of one stack, innermost first. Deeper ones are the loop's.
    package static let framesPerStack = 64
    /// What one burst of an app may send, so that a burst never holds up the daemon for long.
    package static let burstBytes = 1 << 20
}
