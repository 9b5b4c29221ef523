// SPDX-License-Identifier: MIT
// Every bound of what is kept of a trace, each with its reason: memory must not grow with a trace's length.

/// Bounds of what a reader and a report keep.
package enum TraceLimits {
    /// Different texts; as many keys as four processes may have. Further ones are read as ``TraceTexts/overflow``.
    package static let texts = 262_144
    /// Bytes of all texts together.
    package static let textBytes = 64 << 20
    /// One text: what our library records is shorter (a key has at most 1,024 bytes); of others the beginning names it.
    package static let bytesPerText = 2_048
    /// Directories that are searched for traces, and how deep: a recording of per-process buffers has one for each process.
    package static let directories = 65_536
    package static let depth = 16
    /// Traces that are read together: each has its files open.
    package static let traces = 1_024
    /// Kinds of events that are told apart: a system has some thousand. Events of further kinds are left out.
    package static let eventClasses = 65_536
    /// Events that are decoded before a consumer gets them: enough to hide the call, few enough for the cache.
    package static let batch = 512

    /// Views of all stores together: as many as one process may have; each takes some kilobytes.
    package static let views = 65_536
    /// Processes, and stores of all of them.
    package static let processes = 16_384
    package static let stores = 65_536
    /// How many stores may tell of themselves and the main loop, at 20 KB each: as many as processes that one looks at.
    package static let toldStores = 1_024
    /// Sources and handlers, facts of widgets, and names of threads of a main loop; work, cycles, and steps of a cycle of a store. The app
    /// tells as many.
    package static let rowsPerLoop = 64
    package static let factsPerLoop = 32
    package static let threadNamesPerLoop = 8
    package static let workPerStore = 16
    package static let cyclesPerStore = 16
    package static let stepsPerCycle = 16
    /// Threads that evaluate, and evaluations in one another on each: deeper than any stack.
    package static let threads = 65_536
    package static let nesting = 4_096
    /// Reasons of one view: the app's 32 and `other`, each with every attribution and with none.
    package static let reasonsPerView = 132
    /// Of these, those that one view of the app has: the last one is `other`.
    package static let reasonsOfApp = 33
    /// Different lists of writers of one reason that wait to be added up, and writers of it that are named; the app names three.
    package static let writerLists = 32
    package static let writersPerReason = 3
    /// Writers of a cause of the tree that are named.
    package static let writersPerCause = 32
    /// Chains of causes of one reason; the app keeps three.
    package static let chains = 3
    /// Shares that a hang's event has, with that of all other views.
    package static let sharesPerHang = 8
    /// How long a turn must be for its views to be put in order: far below the default thresholds.
    package static let longTurnNanoseconds: UInt64 = 10_000_000
    /// Hangs that are listed, the newest; older ones are counted.
    package static let hangs = 1_024
    /// Evaluations that a commit may still decide, twice as many at most, 50 bytes each: frameworks commit what they evaluated in a turn.
    /// Of earlier ones, the time of each kind of waste may not be known.
    package static let decidedEvaluations = 32_768
    /// Instances that are told apart in one turn, a power of two; further ones cannot be seen to be evaluated twice.
    package static let instancesPerTurn = 4_096
    /// Turns with double evaluations that are listed, those with the most; and views of each.
    package static let doubleTurns = 64
    package static let viewsPerDoubleTurn = 16
    /// Evaluations that a format holds back for what a commit decides, at some 170 bytes each: as many as a view may have instances.
    package static let heldEvaluations = 65_536
    /// Writes among which the one is looked for that caused an evaluation, which comes soon behind it.
    package static let causingWrites = 32
    /// Nodes of the tree of causes.
    package static let causes = 16_384
}

// Every bound of the page, each with its reason. What is beyond one is told on the page.

/// Bounds of what the page holds.
package struct PageLimits: Sendable {
    /// Evaluations drawn one by one; about 14 bytes each in the file, 10 here, and 120 in the browser.
    package var evaluations = 1_000_000
    /// Turns drawn one by one.
    package var turns = 250_000
    /// Writes drawn one by one: as many as evaluations would double the page.
    package var writes = 50_000
    /// Views with advice, the most expensive first: nobody reads more, and each has some hundred bytes.
    package var advice = 1_000
    /// Turns beside those of another recording: nobody reads more.
    package var comparedTurns = 2_000
    /// Sources and handlers, those with most processor time: as many as 31 processes can have, and more than anyone looks at.
    package var sources = 2_000
    /// Lanes: no screen shows more, and each costs some kilobytes.
    package var views = 20_000
    /// Different reasons named in the timeline; the tables have their own.
    package var reasons = 50_000
    /// Instances whose latest evaluation is remembered; where there are more, all are forgotten, and keep their marks.
    package var instances = 65_536

    package init() {}
}
