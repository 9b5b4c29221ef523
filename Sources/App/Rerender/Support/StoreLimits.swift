// SPDX-License-Identifier: MIT
// Every bound inside the observed app, each with its reason; what travels is bounded in `WireLimits`.

import RerenderWire

/// Bounds of what a store keeps in its app.
enum StoreLimits {
    /// Keys of one process over all its stores; evaluations of further keys are counted as dropped.
    static let keysPerProcess = WireLimits.keysPerProcess
    /// A key in UTF-8; a longer label is shortened and ends in a hash of the whole, so that it stays distinct.
    static let keyBytes = WireLimits.keyBytes
    /// Reasons of one view; further ones are counted as `other`.
    static let reasonsPerView = WireLimits.reasonsPerView
    /// Instances of one view that are told apart. Beyond, an instance is not recognised and none of its evaluations
    /// is called `initial`; 65,536 rows on screen at once are past what any list shows.
    static let instancesPerView = 65_536
    /// Instances of one view whose previous values, reads and causes are kept. The least recently used leaves; its next
    /// evaluation is unexplained. More rows than any screen shows, at most a few kilobytes each.
    static let previousValuesPerView = 4_096
    /// How deep nested values are compared at first, and at most: deeper than people nest values by hand, and an end for
    /// values that hold themselves.
    static let reflectionDepth = 8
    static let deepestReflection = 32
    /// Different causes of one instance between two evaluations; a view that reads more has a reason too long to read.
    static let pendingCauses = 16
    /// Different stacks of one cause between two evaluations, and of one reason; several may be one writer.
    static let stacksPerCause = 8
    static let stacksPerReason = 12
    /// Evaluations of one instance that one commit may stand for; frameworks evaluate two to four times per update.
    static let openVerdicts = 8
    /// Levels of ancestors in a chain of causes; the text has its own limit, this one ends the work.
    static let chainLevels = 16
    /// Changed properties that a reason names; the others are a number.
    static let namedCauses = 8
    /// Reports of reads outside of a body that count until the next evaluation.
    static let reportedReads = 16
    /// Octaves of a histogram made with the view, 64 bytes each: whatever a loaded machine does to a body of 30 ns, up to
    /// half a second, is counted without an allocation.
    static let histogramOctaves = 24
    /// Stores that have ended with totals not yet sent. An app that makes stores without end must not grow.
    static let endedStores = 64
    /// Answers that wait for room in the socket; beyond, no more commands are read. A daemon that commands and never
    /// reads must not make the app grow.
    static let waitingReplies = 1_024
    /// Stacks that wait for room in the socket, 16 KiB each at most; as many as one hang has.
    static let waitingStacks = 8
    /// How long the thread that takes a stack waits for the other to give it; a quiet machine needs a hundredth of it.
    static let stackNanoseconds: UInt64 = 20_000_000
    /// Addresses on stacks whose names are kept; one hang has at most 512, most of them the same.
    static let stackNames = 1_024
    /// Hangs that are remembered so as not to be counted twice; as many as the flight page remembers.
    static let toldHangs = 16
    /// Stores of which no more is kept than how many evaluations they had; the last stands for all further ones. Half of
    /// what a daemon takes, so that the live ones have room.
    static let condensedStores = WireLimits.storesPerProcess / 2
    /// What one pass may send, and how often, so that neither the app nor the daemon is held up.
    static let burstBytes = WireLimits.burstBytes
    static let burstNanoseconds: UInt64 = 100_000_000
    /// The first and the longest pause between attempts to connect.
    static let firstBackOffNanoseconds: UInt64 = 100_000_000
    static let longestBackOffNanoseconds: UInt64 = 5_000_000_000
    /// How often the main queue is pinged where no hook fires: as long as a micro-hang at first.
    static let pingNanoseconds: UInt64 = 100_000_000
    /// When it is looked which thread keeps a ping waiting, after 25 ms, 50 ms and so on, up to 3 s: before the daemon looks at
    /// that thread, and not for ever.
    static let firstOwnerLookNanoseconds: UInt64 = 25_000_000
    static let ownerLooks = 8
    /// How long no hooked loop is run before the main queue is pinged: longer than a program is between two runs of a loop.
    static let outsideNanoseconds: UInt64 = 1_000_000_000
    /// The least that a turn must last before it is looked whether its loop was left.
    static let shortestAlarmNanoseconds: UInt64 = 2_000_000
    /// How often a turn that the daemon asks about is looked at for its loop's end: as often as the daemon looks. After
    /// `closeWatchNanoseconds` the hang is long enough for a second more or less.
    static let exitLookNanoseconds: UInt64 = 10_000_000
    static let slowExitLookNanoseconds: UInt64 = 1_000_000_000
    static let closeWatchNanoseconds: UInt64 = 60_000_000_000
    /// How long an app may be held up at exit for what has not been sent.
    static let exitNanoseconds: UInt64 = 200_000_000
    /// The most that `RERENDER_WAIT_AT_EXIT` can ask for: longer than any machine takes, shorter than a job's time limit.
    static let longestExitMilliseconds: UInt64 = 60_000
    /// Files whose symbols are known; an app with more loaded plugins gets no names from the rest.
    static let symbolTables = 512
    /// A mangled name that is worth reading: what generic code makes of its types grows without bound.
    static let mangledBytes = 8_192
    /// Functions of a file whose lines are known, 24 bytes each; a file with more, such as a whole browser's, has no lines.
    static let lineSequences = 262_144
    /// Functions inlined into one another at one address; the optimiser makes some dozen of generic code.
    static let inlinedFunctions = 128
    /// Files whose lines are known at a time; the app's own code is in a few. Beyond, all are forgotten.
    static let lineTables = 64
    /// How far the line of a change is looked for behind its beginning: some instructions.
    static let bytesToLine = 96
    /// Names of writers kept; as many as there are stacks. Beyond, a name is found anew each time.
    static let writerNames = 4_096
    /// A writer's name in UTF-8: names of generic closures grow without bound.
    static let writerBytes = 256
    /// Models of one type, read by one body, of which each gets its own registration, 0.5 µs; in larger crowds a write
    /// is not told whose it was.
    static let modelsToldApart = 256
    /// Properties whose names are known; generic models make new ones without end.
    static let propertyNames = 8_192
    /// Elements of arrays that are looked at, per evaluation, for the models that the body read.
    static let elementsSearched = 1_024
    /// Models below one another that a path goes through: `a.b.c.…`.
    static let pathDepth = 16
    /// Bytes that are kept of a string or of a collection: more would make a copy of the app's data.
    static let comparedBytes = 4_096
    /// Bytes that are kept of one property, and of all properties of one value.
    static let comparedLeafBytes = 16_384
    static let comparedValueBytes = 65_536
    /// Objects whose memory may be kept until the next evaluation; of larger ones a weak reference is.
    static let rememberedObjectBytes = 4_096
    /// An enum whose payload has to be copied to be looked at, onto the stack.
    static let projectedBytes = 1_024
    /// Types that are known; an app that makes more by specialising without end gets unknown for the rest.
    static let comparedTypes = 4_096
    /// Entries of a dictionary or set that are compared; finding each in another order takes their square.
    static let comparedEntries = 256
    /// Names of sets of properties that are kept for one type.
    static let comparedNames = 64
    /// Objects that were not read, on the ways to models: a view that holds more is no view.
    static let passagesSearched = 64
    /// Properties of one instance's models that other threads write; beyond, none is read.
    static let foreignWrites = 64
}
