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
    /// Octaves of a histogram made with the view, 64 bytes each: whatever a loaded machine does to a body of 30 ns, up to
    /// half a second, is counted without an allocation.
    static let histogramOctaves = 24
    /// Stores that have ended with totals not yet sent. An app that makes stores without end must not grow.
    static let endedStores = 64
    /// Answers that wait for room in the socket; beyond, no more commands are read. A daemon that commands and never
    /// reads must not make the app grow.
    static let waitingReplies = 1_024
    /// Stores of which no more is kept than how many evaluations they had; the last stands for all further ones. Half of
    /// what a daemon takes, so that the live ones have room.
    static let condensedStores = WireLimits.storesPerProcess / 2
    /// What one pass may send, and how often, so that neither the app nor the daemon is held up.
    static let burstBytes = WireLimits.burstBytes
    static let burstNanoseconds: UInt64 = 100_000_000
    /// The first and the longest pause between attempts to connect.
    static let firstBackOffNanoseconds: UInt64 = 100_000_000
    static let longestBackOffNanoseconds: UInt64 = 5_000_000_000
    /// How long an app may be held up at exit for what has not been sent.
    static let exitNanoseconds: UInt64 = 200_000_000
    /// Files whose symbols are known; an app with more loaded plugins gets no names from the rest.
    static let symbolTables = 512
    /// A mangled name that is worth reading: what generic code makes of its types grows without bound.
    static let mangledBytes = 8_192
    /// How deep values are compared; deeper is unknown. Views nest a handful of types.
    static let comparedDepth = 8
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
    /// Changed properties that are named in one reason.
    static let namedLeaves = 8
}
