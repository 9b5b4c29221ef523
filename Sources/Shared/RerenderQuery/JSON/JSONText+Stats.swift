// SPDX-License-Identifier: MIT
// The members of the export's types in sorted order: what `JSONText` needs and an encoder finds out by itself.

package import RerenderModel

extension JSONText {
    package mutating func stats(_ view: Stats) {
        object { json in
            json.member("body") { $0.timing(view.body) }
            json.member("commits", view.commits)
            json.member("count", view.count)
            json.member("file", view.file)
            json.member("forgotten", view.forgotten)
            if let frames = view.framesOverInterval { json.member("framesOverInterval", frames) }
            if let time = view.framework { json.member("framework") { $0.framework(time) } }
            json.member("hangs") { $0.hangs(view.hangs) }
            json.member("instances", view.instances)
            json.member("key", view.key.rawValue)
            json.member("lastReason", view.lastReason)
            if let time = view.lastRenderedAt { json.member("lastRenderedAt", time.iso8601) }
            json.member("line", view.line)
            if let notSeen = view.notSeen { json.member("notSeen", notSeen) }
            if let passes = view.passes { json.member("passes", passes) }
            if let rate = view.perSecond { json.member("perSecond", rate) }
            json.member("reasons") { $0.array(view.reasons) { $0.reason($1) } }
            if let time = view.selfNanoseconds { json.member("selfNanoseconds", time) }
            json.member("total") { $0.timing(view.total) }
            json.member("wasted") { $0.waste(view.wasted) }
        }
    }

    /// All members of a process but the last, which is `views`; its key is written.
    mutating func membersBeforeViews(of process: ProcessStats) {
        member("connected", process.connected)
        if let time = process.countedSince { member("countedSince", time.iso8601) }
        if let cycles = process.cycles { member("cycles") { $0.array(cycles) { $0.cycle($1) } } }
        member("dropped", process.dropped)
        member("enabled", process.enabled)
        member("evaluations", process.evaluations)
        if let frames = process.frames { member("frames") { $0.frames(frames) } }
        if let gaps = process.gaps { member("gaps") { $0.array(gaps) { $0.string($1) } } }
        member("hangStacks", process.hangStacks)
        member("hangThresholdMilliseconds", process.hangThresholdMilliseconds)
        member("hangs") { $0.hangs(process.hangs) }
        if let hangs = process.hangsOfNoView { member("hangsOfNoView") { $0.hangs(hangs) } }
        if let work = process.idleWork { member("idleWork") { $0.array(work) { $0.work($1) } } }
        if let kind = process.kind { member("kind", kind.rawValue) }
        if let time = process.lastRenderedAt { member("lastRenderedAt", time.iso8601) }
        member("lost", process.lost)
        member("mainLoop", process.mainLoop.rawValue)
        member("microHangThresholdMilliseconds", process.microHangThresholdMilliseconds)
        member("microHangs", process.microHangs)
        member("name", process.name)
        if let views = process.notSeenViews { member("notSeenViews") { $0.notSeen(views) } }
        member("pid", process.pid)
        member("startedAt", process.startedAt.iso8601)
        member("store", process.store)
        member("storeNumber", process.storeNumber)
        key("views")
    }

    mutating func verdict(_ verdict: Verdict) {
        object { json in
            json.objects("findings", verdict.findings) { json, finding in
                if let command = finding.command { json.member("command", command.text) }
                json.member("count", finding.count)
                if let file = finding.file { json.member("file", file) }
                json.member("kind", finding.kind.rawValue)
                if let line = finding.line { json.member("line", line) }
                if let longest = finding.longestNanoseconds { json.member("longestNanoseconds", longest) }
                json.member("nanoseconds", finding.nanoseconds)
                if let share = finding.nanosecondsPerSecond { json.member("nanosecondsPerSecond", share) }
                if let pid = finding.pid { json.member("pid", pid) }
                if let process = finding.process { json.member("process", process) }
                if let starved = finding.starved { json.member("starved", starved) }
                if let store = finding.store { json.member("store", store) }
                if let number = finding.storeNumber { json.member("storeNumber", number) }
                json.member("text", finding.text)
                if let view = finding.view { json.member("view", view.rawValue) }
            }
            json.member("more", verdict.more)
        }
    }

    private mutating func work(_ work: IdleWork) {
        object { json in
            json.member("all") { $0.amount(work.all) }
            if let callback = work.callback {
                json.member("callback") {
                    $0.object { json in
                        if let function = callback.function { json.member("function", function) }
                        json.member("source", callback.source)
                    }
                }
            }
            json.member("kind", work.kind.rawValue)
            json.member("latest") { $0.amount(work.latest) }
            json.member("latestAt", work.latestAt.iso8601)
            json.member("latestDuration", work.latestDuration)
            json.member("reason", work.reason)
            json.member("view", work.view)
            if let writer = work.writer { json.member("writer", writer) }
        }
    }

    private mutating func amount(_ amount: IdleWork.Amount) {
        object { json in
            json.member("count", amount.count)
            json.member("nanoseconds", amount.nanoseconds)
            json.member("own", amount.own)
        }
    }

    private mutating func frames(_ frames: FrameStats) {
        object { json in
            json.member("count", frames.count)
            json.member("drawingNanoseconds", frames.drawingNanoseconds)
            if let interval = frames.intervalNanoseconds { json.member("intervalNanoseconds", interval) }
            json.member("isIntervalTold", frames.isIntervalTold)
            json.member("layoutNanoseconds", frames.layoutNanoseconds)
            json.member("longestNanoseconds", frames.longestNanoseconds)
            json.member("notJudged", frames.notJudged)
            json.member("overInterval", frames.overInterval)
            if let time = frames.presentationNanoseconds { json.member("presentationNanoseconds", time) }
            json.member("snapshotNanoseconds", frames.snapshotNanoseconds)
            json.member("updateNanoseconds", frames.updateNanoseconds)
        }
    }

    private mutating func framework(_ time: FrameworkTime) {
        object { json in
            json.member("commitNanoseconds", time.commitNanoseconds)
            json.member("layoutNanoseconds", time.layoutNanoseconds)
            json.member("layouts", time.layouts)
        }
    }

    private mutating func cycle(_ cycle: Cycle) {
        object { json in
            json.member("latestAt", cycle.latestAt.iso8601)
            json.member("latestNanoseconds", cycle.latestNanoseconds)
            json.member("latestRounds", cycle.latestRounds)
            json.member("rounds", cycle.rounds)
            json.objects("steps", cycle.steps) { json, step in
                json.member("name", step.name)
                if let writer = step.writer { json.member("writer", writer) }
            }
        }
    }

    private mutating func notSeen(_ views: NotSeenViews) {
        object { json in
            json.member("count", views.count)
            json.member("keys") { $0.array(views.keys) { $0.string($1.rawValue) } }
        }
    }

    mutating func process(_ process: ProcessStats) {
        object { json in
            json.membersBeforeViews(of: process)
            json.array(process.views) { $0.stats($1) }
        }
    }

    /// One entry of a ``ConfigurationList``.
    package mutating func settings(_ entry: ConfigurationList.Entry) {
        separate()
        object { json in
            json.member("enabled", entry.enabled)
            json.member("hangStacks", entry.hangStacks)
            json.member("hangThresholdMilliseconds", entry.hangThresholdMilliseconds)
            json.member("microHangThresholdMilliseconds", entry.microHangThresholdMilliseconds)
            json.member("name", entry.name)
            json.member("pid", entry.pid)
            json.member("store", entry.store)
            json.member("storeNumber", entry.storeNumber)
        }
    }

    /// One line of `/v1/events`, its newline included.
    package mutating func line(_ event: LiveEvent) {
        object { json in
            json.member("at", event.at.iso8601)
            if let count = event.count { json.member("count", count) }
            json.member("event", event.event.rawValue)
            if let hang = event.hang { json.member("hang") { $0.hang(hang) } }
            if let id = event.hangID { json.member("hangID", id) }
            if let pid = event.pid { json.member("pid", pid) }
            if let process = event.process { json.member("process") { $0.process(process) } }
            if let store = event.store { json.member("store", store) }
            if let number = event.storeNumber { json.member("storeNumber", number) }
            if let view = event.view { json.member("view") { $0.stats(view) } }
        }
        endLine()
    }

    package mutating func member<T: FixedWidthInteger>(_ name: String, _ value: T) {
        key(name)
        integer(value)
    }

    package mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        flag(value)
    }

    /// A finite number.
    mutating func member(_ name: String, _ value: Double) {
        key(name)
        number(value)
    }

    private mutating func member(_ name: String, _ value: (inout JSONText) -> Void) {
        key(name)
        value(&self)
    }

    private mutating func objects<Element>(
        _ name: String, _ elements: [Element], _ members: (inout JSONText, Element) -> Void
    ) {
        key(name)
        array(elements) { json, element in json.object { members(&$0, element) } }
    }

    private mutating func timing(_ timing: Timing) {
        object { json in
            json.member("averageNanoseconds", timing.averageNanoseconds)
            json.member("lastNanoseconds", timing.lastNanoseconds)
            json.member("maxNanoseconds", timing.maxNanoseconds)
            json.member("p50Nanoseconds", timing.p50Nanoseconds)
            json.member("p95Nanoseconds", timing.p95Nanoseconds)
            json.member("p99Nanoseconds", timing.p99Nanoseconds)
            json.member("totalNanoseconds", timing.totalNanoseconds)
        }
    }

    package mutating func hang(_ hang: Hang) {
        object { json in
            json.objects("activities", hang.activities) { json, activity in
                json.member("count", activity.count)
                json.member("text", activity.text)
            }
            json.member("attribution", hang.attribution.rawValue)
            json.member("counts", hang.counts)
            json.member("durationNanoseconds", hang.durationNanoseconds)
            if let ended = hang.ended { json.member("ended", ended.rawValue) }
            json.member("guess", hang.guess)
            if let handler = hang.handler { json.member("handler", handler) }
            json.member("id", hang.id)
            if let view = hang.lastRendered { json.member("lastRendered", view.rawValue) }
            json.store("lastRenderedStore", hang.lastRenderedStore)
            json.member("mayHaveBegunEarlierNanoseconds", hang.mayHaveBegunEarlierNanoseconds)
            json.member("mayHaveEndedLaterNanoseconds", hang.mayHaveEndedLaterNanoseconds)
            json.member("open", hang.open)
            if let time = hang.openedAfterNanoseconds { json.member("openedAfterNanoseconds", time) }
            if let phase = hang.phase { json.member("phase", phase.rawValue) }
            json.member("pid", hang.pid)
            json.member("process", hang.process)
            json.objects("shares", hang.shares) { json, share in
                if let handler = share.handler { json.member("handler", handler) }
                json.member("nanoseconds", share.nanoseconds)
                if let phase = share.phase { json.member("phase", phase.rawValue) }
                json.store("store", share.store)
                json.member("view", share.view.rawValue)
            }
            json.objects("stacks", hang.stacks) { json, stack in
                json.member("atNanoseconds", stack.atNanoseconds)
                json.member("frames") { $0.array(stack.frames) { $0.string($1) } }
                if let holder = stack.holder { json.member("holder") { $0.array(holder) { $0.string($1) } } }
            }
            json.member("startedAt", hang.startedAt.iso8601)
            json.member("startedAtNanoseconds", hang.startedAtNanoseconds)
            json.member("starvedNanoseconds", hang.starvedNanoseconds)
            json.member("stoppedNanoseconds", hang.stoppedNanoseconds)
            if let trace = hang.trace { json.member("trace", trace) }
            json.member("turn", hang.turn)
            if let time = hang.unattributedNanoseconds { json.member("unattributedNanoseconds", time) }
            json.member("verdict", hang.verdict.rawValue)
            if let view = hang.view { json.member("view", view.rawValue) }
            if let view = hang.viewAtThreshold { json.member("viewAtThreshold", view.rawValue) }
            json.store("viewAtThresholdStore", hang.viewAtThresholdStore)
            json.store("viewStore", hang.viewStore)
            if let waiting = hang.waitingOn { json.member("waitingOn", waiting) }
            if let late = hang.watchdogLatenessNanoseconds { json.member("watchdogLatenessNanoseconds", late) }
        }
    }

    /// A member only where there is a store.
    private mutating func store(_ name: String, _ store: Hang.Store?) {
        guard let store else { return }
        member(name) { json in
            json.object { json in
                json.member("name", store.name)
                json.member("number", store.number)
            }
        }
    }

    private mutating func hangs(_ hangs: HangTotals) {
        object { json in
            json.member("count", hangs.count)
            json.member("lastNanoseconds", hangs.lastNanoseconds)
            json.member("starved", hangs.starved)
            json.member("starvedNanoseconds", hangs.starvedNanoseconds)
            json.member("totalNanoseconds", hangs.totalNanoseconds)
            json.member("worstNanoseconds", hangs.worstNanoseconds)
        }
    }

    private static let wasteKinds = WasteKind.allCases.sorted { $0.rawValue < $1.rawValue }

    private mutating func waste(_ waste: Waste) {
        object { json in
            json.member("count", waste.count)
            json.member("inferred", waste.inferred)
            json.member("kindNanoseconds") { $0.kinds(waste.kindNanoseconds) }
            json.member("kinds") { $0.kinds(waste.kinds) }
            json.member("measured", waste.measured)
            json.member("nanoseconds", waste.nanoseconds)
            if let unjudged = waste.unjudged { json.member("unjudged", unjudged) }
        }
    }

    private mutating func kinds(_ numbers: [WasteKind: UInt64]) {
        object { json in
            for kind in Self.wasteKinds { json.member(kind.rawValue, numbers[kind] ?? 0) }
        }
    }

    private mutating func reason(_ reason: ReasonCount) {
        object { json in
            if let attribution = reason.attribution { json.member("attribution", attribution.rawValue) }
            json.objects("chains", reason.chains) { json, chain in
                json.member("chain", chain.chain)
                json.member("count", chain.count)
            }
            json.member("count", reason.count)
            if let passes = reason.passes { json.member("passes", passes) }
            json.member("reason", reason.reason)
            json.objects("writers", reason.writers) { json, writer in
                json.member("count", writer.count)
                json.member("writer", writer.writer)
            }
        }
    }
}
