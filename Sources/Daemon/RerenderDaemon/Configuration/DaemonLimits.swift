// SPDX-License-Identifier: MIT
// Every limit of the daemon's own, each with its reason; those that apps must know too are in `WireLimits`.

package import NIOCore

/// Bounds of what the daemon holds, serves and waits for. Tests make them smaller.
package struct DaemonLimits: Sendable {
    /// Apps connected at the same time. A desktop session runs a few hundred processes; three descriptors each. More are no longer
    /// within `MemoryMax`: what each may leave unread is 56 KiB.
    package var connections = 1_280
    /// Clients of the query socket at the same time. People, scripts and one `top` or two.
    package var queryConnections = 64
    /// How long no connection is accepted after there was no descriptor for one: one ends in that time, or stays.
    package var acceptPause = TimeAmount.milliseconds(250)
    /// Long answers being read at the same time; each holds four bytes for each of its views.
    package var streams = 4
    /// Views, stores and hangs of an answer that needs no place among the long ones: what a screen or a script looks at.
    package var shortElements = 2_048
    /// A client that has taken nothing of its answer for this long makes room for another that needs its place.
    package var yieldTime = TimeAmount.seconds(2)
    /// Readers of `/v1/events` at the same time; every change costs each of them a line.
    package var eventReaders = 16
    /// What names, reasons and views may take in all, as estimated; 100 processes of 1,000 views with two reasons each are 60 MB.
    package var registryBytes = 96 << 20
    /// What the frames of all apps may take that have not arrived to their end. An honest app sends the rest at once.
    package var unfinishedBytes = 16 << 20
    /// What the kernel holds for an app that does not read. It takes twice as much.
    package var appSendBytes = 8_192
    /// What waits for it beside that: a hang of an app with a hundred stores. The daemon then sends it nothing more.
    package var appPendingBytes = 32_768
    /// Requests to apps that wait for an answer, of all commands together; a command is one request for each app or store.
    package var commandRequests = 16_384
    /// How long processes that ended stay visible, unless `--keep` says otherwise: as long as one works at one thing.
    package static let keep = Duration.seconds(3_600)
    /// How many of them: a morning of builds and runs. In a longer list, the wanted one is hard to find.
    package static let endedProcesses = 64
    /// Processes that lost their connection and still live. Only hostile programs make more.
    package var disconnectedProcesses = 1_024
    /// An app must say hello within this time, or it only takes up room.
    package var helloTimeout = TimeAmount.seconds(10)
    /// A query's request must be complete within this time, and a kept connection used again.
    package var requestTimeout = TimeAmount.seconds(30)
    /// A client that takes nothing of its answer for this long is cut off.
    package var stalledTimeout = TimeAmount.seconds(30)
    /// How often the daemon checks whether connected processes still run; a check is one question to the kernel.
    package var deadConnectionInterval = TimeAmount.seconds(2)
    /// How long a command waits for the apps.
    package var commandTimeout = TimeAmount.seconds(3)
    /// How long a stop waits for what apps have sent already: ten full sockets take a tenth of it, on a busy machine more.
    package var drainTimeout = TimeAmount.seconds(2)
    /// How many pages of living processes are held that have no connection: each takes a descriptor.
    package var disconnectedPages = 16
    /// How often a stop checks whether the sockets are empty.
    package var drainInterval = TimeAmount.milliseconds(2)
    /// How long the event loop has for other things after a piece of an answer or of the state file. Not zero: the loop runs all tasks
    /// that are due before it reads again, so that without a pause an answer would keep everyone waiting until it is made.
    package var piecePause = TimeAmount.microseconds(50)
    /// Body of a request. A key is at most 1 KiB, and no body holds more than one.
    package var requestBytes = 16_384
    /// Its first line and headers, and the framing of a chunked body; what browsers and proxies allow.
    package var requestHeadBytes = 16_384
    /// Bytes of requests that are read at a time. They may hold a hundred requests of a client that does not wait for
    /// answers; a usual one has 200 bytes.
    package var requestReadBytes = 2_048
    /// Views that `limit` may ask for: what one would page through; more is a full export.
    package var limitParameter = 0...100_000
    /// Bytes of an answer made in one go before the loop does something else: some 50 views, or two milliseconds.
    package var pieceBytes = 131_072
    /// How often changes are sent to readers of events.
    package var eventInterval = TimeAmount.milliseconds(100)
    /// Views remembered for a reader that is behind; with more it gets everything anew. With so many hangs it is cut off.
    package var eventBacklog = 16_384
    /// Hangs that are listed; a day of a bad app.
    package var hangs = 1_000
    /// What they may take in all with their stacks, as estimated: a hang with eight deep stacks is 40 KB.
    package var hangBytes = 16 << 20
    /// Stacks of one hang: enough to see a common path.
    package var stacksPerHang = 8
    /// How often readers of events receive the growth of an open hang.
    package var hangEventInterval = TimeAmount.seconds(1)
    /// How long the end of a hang waits for the names of its views: an app sends new ones within a tenth of a second.
    package var viewNamesDelay = TimeAmount.milliseconds(300)
    /// How long it waits for what the app was asked: its first names of functions take long.
    package var looksDelay = TimeAmount.seconds(1)
    /// How often it is looked whether what it waits for is there.
    package var closeInterval = TimeAmount.milliseconds(100)
    /// How long after a hang the search for its trace begins: LTTng writes it to the disk until then.
    package var captureDelay = TimeAmount.seconds(3)
    /// Messages of the watchdog that wait for the event loop; more only if the loop is stuck.
    package var watchdogMessages = 16_384
    /// How long after a change of a process it is added to the state file.
    package var saveInterval = TimeAmount.seconds(2)
    /// What is added to the file in a second, on average: half a percent of a core.
    package var savedBytesPerSecond = 512 << 10
    /// Views of a process that is added while the daemon runs: they take 10 ms of the event loop. Of one with more, only its hangs are
    /// kept until the daemon stops.
    package var savedViews = 8_192
    /// What may be added to the state file before it is written anew: 10,000 hangs, read again in a tenth of a second.
    package var journalBytes = 4 << 20
    /// Room on the disk that the state file has beside what is in it, so that much can be added while the disk is full: some hundred
    /// processes as they end, and hangs.
    package var journalReserve = 256 << 10
    /// How long after the state could not be written it is tried again, where nothing changes.
    package var stateRetry = TimeAmount.seconds(5)
    /// The state file when it is written anew while the daemon runs; a tenth of a second.
    package var runningStateBytes = 16 << 20
    /// The state file after a stop in order. Bigger ones are neither written nor read.
    package var stateBytes = 24 << 20

    /// Marks of a process, and views of it whose counts are kept at each: as many as somebody looks back at.
    package var marks = 8
    package var markedViews = 2_000
    /// What all marks may take together, as estimated; one of them has an eighth: 2,000 views with two reasons each.
    package var markedBytes = 16 << 20
    /// A program's own mark after one that is younger has the counts of that: an app tells what it counts no more often.
    package var markPause = TimeAmount.milliseconds(100)
    /// Processes that one mark is of: their counts are read in one go.
    package var markedProcesses = 16

    package init() {}

    /// Waits longer for programs and what they sent, up to a minute, where a test asks for it: a busy machine may not run one for as long
    /// as a user would wait.
    package mutating func wait(seconds text: String?) {
        guard let seconds = text.flatMap({ Int64($0) }), (1...60).contains(seconds) else { return }
        (commandTimeout, drainTimeout) = (.seconds(seconds), .seconds(seconds))
    }
}
