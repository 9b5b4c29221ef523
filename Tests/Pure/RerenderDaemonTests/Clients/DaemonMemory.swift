// SPDX-License-Identifier: MIT
// What all limits of the daemon add up to.

@testable import RerenderDaemon

/// The memory that the daemon takes where everything is full at once.
///
/// The unit's `MemoryMax` must be more. What one thing takes that has no size of its own is a measured figure.
struct DaemonMemory {
    /// One row of the table in `docs/reference/limits.md`.
    struct Part: Hashable {
        let what: String
        let bytes: Int
    }

    let parts: [Part]
    var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }

    init(_ limits: DaemonLimits) {
        let apps = limits.connections
        let clients = limits.queryConnections
        parts = [
            // Libraries' data, stacks of threads, and what the allocator holds in reserve.
            Part(what: "the program", bytes: 32 << 20),
            Part(what: "processes, stores and views", bytes: limits.registryBytes),
            Part(what: "hangs and their stacks", bytes: limits.hangBytes),
            // SwiftNIO's channel, our handler, and the entry of a process.
            Part(what: "connections", bytes: (apps + clients) * 12_288),
            Part(what: "frames of apps that are not complete", bytes: limits.unfinishedBytes),
            // The kernel counts twice what a socket was given. Beside what waits there is one message more, of a hang.
            Part(
                what: "messages to apps that do not read",
                bytes: apps * (2 * limits.appSendBytes + limits.appPendingBytes + 8_192)),
            Part(what: "commands", bytes: limits.commandRequests * 128),
            // A piece, and what a socket holds of the one before it.
            Part(what: "answers that clients do not read", bytes: clients * (limits.pieceBytes + 212_992 + 16_384)),
            Part(what: "requests", bytes: clients * (limits.requestBytes + limits.requestHeadBytes)),
            Part(what: "counts at marks", bytes: limits.markedBytes),
            // Four bytes for each view, sixteen for each store and as many again for a list that is not empty: at most one in 24 of those
            // that the registry has for them. Or a mark that went meanwhile.
            Part(
                what: "the order of views in long answers",
                bytes: limits.streams * max(limits.registryBytes / 24, limits.markedBytes / limits.marks)),
            Part(what: "changes for readers of events", bytes: limits.eventReaders * limits.eventBacklog * 40),
            Part(what: "news of the watchdog", bytes: limits.watchdogMessages * 512),
            Part(what: "the state while it is written", bytes: max(limits.stateBytes, limits.runningStateBytes)),
        ]
    }
}
