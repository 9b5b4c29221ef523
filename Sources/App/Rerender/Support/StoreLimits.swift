// SPDX-License-Identifier: MIT
// Every limit inside the observed app, each with its reason. `WireLimits` bounds what is sent.

import RerenderWire

/// Limits of what a store keeps in its app.
enum StoreLimits {
    /// Instances of one view that are told apart. Further instances are not recognised, and none of their evaluations is
    /// called `initial`. No list shows 65,536 rows at once.
    static let instancesPerView = 65_536
    /// Instances of one view whose previous values, reads and causes are kept, each at most some kilobytes. The least recently
    /// used one leaves, and its next evaluation is unexplained. No screen shows so many rows.
    static let previousValuesPerView = 4_096
    /// Levels of nested values that are compared by default, and at most. Programs nest less by hand, and values that contain
    /// themselves need an end.
    static let reflectionDepth = 8
    static let deepestReflection = 32
    /// Different causes of one instance between two evaluations, some 100 bytes each: as many as the store distinguishes
    /// models. Of further ones, the store counts the writes and keeps no writer.
    static let pendingCauses = 256
    /// Further announced causes whose number is known, 16 bytes each. A list whose rows each announce one has no more.
    static let causesBeyond = 1_024
    /// Writes to what one instance read whose names are kept, some 100 bytes each. More are named again each time.
    static let namedWrites = 8
    /// Different stacks of one cause between two evaluations, and of one reason, some 60 bytes each. Several stacks may have one
    /// writer, which only their names tell: one setter is called from many places. The writer of a further stack is unknown.
    static let stacksPerCause = 64
    static let stacksPerReason = 256
    /// Bytes of the list of writers in a trace event: readers keep 2,048. Further ones are in it as `other`.
    static let tracedWriterBytes = 1_900
    /// Evaluations of one instance that one commit decides one by one. Frameworks evaluate two to four times per update. Of earlier ones
    /// sums are kept, for a commit that changed nothing.
    static let openVerdicts = 8
    /// Levels of ancestors in a chain of causes. The text has a limit of its own; this one bounds the work.
    static let chainLevels = 16
    /// Changed properties that a reason names. The others are given as a number.
    static let namedCauses = 8
    /// Reports of reads outside a body that count until the next evaluation: a list reports one for each row that it shows. With
    /// more, it is not known whether that evaluation was needed.
    static let reportedReads = 256
    /// Octaves of a histogram, 64 bytes each, made with the view. They cover half a second without an allocation, which a body
    /// of 30 ns can take on a loaded machine.
    static let histogramOctaves = 24
    /// Ended stores with totals to send. An app that makes stores without end must not grow.
    static let endedStores = 64
    /// Answers that wait for room in the socket. Beyond that, commands are not read: a daemon that sends commands and never
    /// reads must not make the app grow.
    static let waitingReplies = 1_024
    /// Marks that go with the next message: of more in a tenth of a second, the counts would be the same.
    static let waitingMarks = 4
    /// Stacks that wait for room in the socket, at most 16 KiB each; as many as one hang has.
    static let waitingStacks = 8
    /// How long a thread waits for another one's stack. A quiet machine needs a hundredth of it.
    static let stackNanoseconds: UInt64 = 20_000_000
    /// Addresses on stacks whose names are kept. One hang has at most 512 addresses, most of them the same.
    static let stackNames = 1_024
    /// Samples of what the main loop calls, the fewest of them that tell of a function, and the time from one to the next: 2 s in all.
    static let samples = 20
    static let leastSamples = 10
    static let sampleNanoseconds: UInt64 = 100_000_000
    /// How often the loop's thread is looked at for them, and the time between two looks that find it asleep, or in the loop itself. A
    /// fiftieth of a core has 20 samples in 10 s. A look takes 40 ms at most, where the thread has no processor.
    static let sampleLooks = 1_000
    static let sampleLookNanoseconds: UInt64 = 10_000_000
    /// Functions that samples told of, some 100 bytes each. There are no more rows of such.
    static let sampledFunctions = 4
    /// Stores of which only the number of evaluations is kept. The last one stands for all further ones. Half of what a daemon
    /// takes, so that live stores have room.
    static let condensedStores = WireLimits.storesPerProcess / 2
    /// The time between two bursts, so that app and daemon are not held up.
    static let burstNanoseconds: UInt64 = 100_000_000
    /// How often the app tells a recording of stores and the main loop: some 80 events of 200 bytes at most.
    static let loopTraceNanoseconds: UInt64 = 1_000_000_000
    /// The same of the process's other threads: two files are read for each of them.
    static let threadTraceNanoseconds: UInt64 = 10_000_000_000
    /// The first and the longest pause between attempts to connect.
    static let firstBackOffNanoseconds: UInt64 = 100_000_000
    static let longestBackOffNanoseconds: UInt64 = 5_000_000_000
    /// The time between two pings of the main queue, where no hook fires; as long as a micro-hang by default.
    static let pingNanoseconds: UInt64 = 100_000_000
    /// How long nobody has to look before work that may be the main queue's counts as unseen: longer than between two pings.
    static let unseenNanoseconds: UInt64 = 150_000_000
    /// When to look which thread keeps a ping waiting: after 25 ms, 50 ms and so on, up to 3 s. The first look comes before the
    /// daemon's, and the looks end.
    static let firstOwnerLookNanoseconds: UInt64 = 25_000_000
    static let ownerLooks = 8
    /// How often a descriptor is looked at that the kernel does not watch, because it watches too many of this user.
    static let unwatchedNanoseconds: UInt64 = 1_000_000_000
    /// How often an evaluation asks for a look whether a loop's library was loaded, while no loop is known.
    static let loopLookNanoseconds: UInt64 = 10_000_000
    /// How long no hooked loop has to run before the main queue is pinged; longer than programs are between two runs of a loop.
    static let outsideNanoseconds: UInt64 = 1_000_000_000
    /// The shortest turn after which Rerender looks whether its loop was left.
    static let shortestAlarmNanoseconds: UInt64 = 2_000_000
    /// How often Rerender looks for the end of the loop in a turn that the daemon asks about: as often as the daemon looks.
    /// After `closeWatchNanoseconds` the hang is so long that a second makes no difference.
    static let exitLookNanoseconds: UInt64 = 10_000_000
    static let slowExitLookNanoseconds: UInt64 = 1_000_000_000
    static let closeWatchNanoseconds: UInt64 = 60_000_000_000
    /// How long an app may wait at exit for what was not sent.
    static let exitNanoseconds: UInt64 = 200_000_000
    /// How often a thread that is awake looks whether the user switched Rerender off, and how long evaluations that end at that
    /// moment have until the last counts are sent.
    static let switchLookNanoseconds: UInt64 = 1_000_000_000
    static let switchPauseNanoseconds: UInt64 = 20_000_000
    /// The longest wait that `RERENDER_WAIT_AT_EXIT` can set: longer than any machine needs, shorter than a CI job's time limit.
    static let longestExitMilliseconds: UInt64 = 60_000
    /// Names of writers that are kept; as many as there are stacks. Further names are computed each time.
    static let writerNames = 4_096
    /// Bytes of a writer's name in UTF-8. Names of generic closures grow without bound.
    static let writerBytes = 256
    /// Steps of the way to an evaluation that are remembered: longer cycles are not found.
    static let cycleSteps = WireLimits.stepsPerCycle
    /// Rounds in a row that make a cycle. A layout that settles needs some, and a list that fills its window one for each page.
    static let cycleRounds: UInt64 = 10
    /// Cycles of one store that are told apart, beside the others.
    static let cycles = Int(WireLimits.cyclesPerStore) - 1
    /// How long no input has to come before what happens counts as work without input, and after which pause a row of it ends. Most of what
    /// input leads to is done by then, and a clock that shows seconds is one row.
    static let quietNanoseconds: UInt64 = 2_000_000_000
    /// Evaluations in a row that are work without input: fewer are the end of something, and no rate can be told.
    static let workInARow: UInt64 = 10
    /// Causes of work that are added up, and those of them that are shown, beside the frames and the others.
    static let workCauses = 64
    static let shownWork = Int(WireLimits.workPerStore) - 2
    /// Event handlers of one store that are known by their names, beside the others.
    static let handlers = Int(WireLimits.handlersPerStore) - 1
    /// Bytes of a handler's own name, and of what a writer says of a handler: the rest of its text is the function.
    static let handlerNameBytes = 128
    static let handlerTextBytes = 160
    /// Models of one type, read by one body, that get a registration each, 0.5 µs. With more models, a write is not attributed
    /// to one of them.
    static let modelsToldApart = 256
    /// Properties whose names are known. Generic models make new ones without end.
    static let propertyNames = 8_192
    /// Elements of arrays that an evaluation searches for the models that the body read.
    static let elementsSearched = 1_024
    /// Models in a path from the view: `a.b.c.…`.
    static let pathDepth = 16
    /// Bytes that are kept of a string or of a collection. More would copy the app's data.
    static let comparedBytes = 4_096
    /// Bytes that are kept of one property, and of all properties of one value.
    static let comparedLeafBytes = 16_384
    static let comparedValueBytes = 65_536
    /// Bytes of an object whose memory may be kept until the next evaluation. For larger ones a weak reference is kept.
    static let rememberedObjectBytes = 4_096
    /// Bytes of an enum whose payload is copied to the stack to be read.
    static let projectedBytes = 1_024
    /// Types that are known. An app that specialises types without end gets `unknown` for the others.
    static let comparedTypes = 4_096
    /// Places of probes that a store finds views by.
    static let sites = 16_384
    /// Entries of a dictionary or set that are compared. Finding them in another order takes quadratic time.
    static let comparedEntries = 256
    /// Boxes and wrappers around what a property wrapper wraps. Frameworks have two or three.
    static let wrapperDepth = 4
    /// Files whose classes are known by their subclasses.
    static let filesOfTypes = 64
    /// Names of sets of properties that are kept for one type.
    static let comparedNames = 64
    /// Objects between a view and its models that were not read.
    static let passagesSearched = 64
    /// Properties of one instance's models that other threads write. With more, none is read.
    static let foreignWrites = 64
}
