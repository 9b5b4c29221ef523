// SPDX-License-Identifier: MIT
// Programs that are kept busy as people reported it in public: the first line says what does it, and whose doing it is.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "The first line about a program that is kept busy",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct PublicCaseTests {
    private func run(
        _ name: String, _ options: [String] = ["--inject"], around: [String] = [], hangThreshold: Int = 1_000
    ) async throws -> CaseRun {
        let server = try await XServer()
        let run = try await CaseRun(
            [try await Fixture.made("public/cases"), name], options, around: around, hangThreshold: hangThreshold,
            environment: server.environment)
        withExtendedLifetime(server) {}
        return run
    }

    private let source: CaseSource
    init() throws { source = try CaseSource("cases.c") }

    // MARK: Frames

    @Test("names the tick callback that keeps a frame clock awake, with its place, and its widget", .promise)
    func tick() async throws {
        let run = try await run("ticks")
        let (first, function) = (run.first, try source.function("tick_only"))
        #expect(first.kind == .sameFrames && first.view == "GtkLabel#ticker", "\(first)")
        #expect(first.source == function && first.count <= run.calls + 1, "\(first)")
        #expect(first.text.contains("of them paint nothing"), "\(first.text)")
        #expect(first.text.hasSuffix(": the tick callback \(function) of GtkLabel#ticker asks for them"))
        let frames = try #require(run.loop?.totals.frames)
        #expect(first.count == frames.frames, "\(first) \(frames)")
        #expect(frames.nanoseconds >= QuietStretch.least && frames.unpainted * 10 >= frames.frames * 9, "\(frames)")
    }

    @Test("names it where the HUD is shown, too: that is no part of it")
    func tickBelowHUD() async throws {
        let (first, function) = (try await run("ticks", ["--hud"]).first, try source.function("tick_only"))
        #expect(first.kind == .sameFrames && first.source == function, "\(first)")
    }

    @Test("names the widget that draws the same, and the function that asks for it: that is no tick callback")
    func redraw() async throws {
        let run = try await run("redraw")
        let (first, function) = (run.first, try source.function("redraw_same"))
        #expect(first.kind == .sameFrames && first.view == "GtkLabel#redrawn", "\(first)")
        #expect(first.source == function && first.text.contains(" of them draw the same, "), "\(first)")
        #expect(first.text.contains(function) && !first.text.contains("tick callback"), "\(first.text)")
    }

    @Test("names the drawing area that draws the same picture again, by the pixels of a sample, and who asks for it")
    func sameImage() async throws {
        let run = try await run("sameimage")
        let (first, function) = (run.first, try source.function("poll_pipe"))
        #expect(first.kind == .sameFrames && first.view == "GtkDrawingArea#centre", "\(run.verdict)")
        #expect(first.source == function && first.text.contains(", all of "), "\(first)")
        #expect(first.text.contains(" that were compared draw the same, "), "\(first.text)")
        #expect(first.text.hasSuffix(": GtkDrawingArea#centre asks for them in \(function)"), "\(first.text)")
        let frames = try #require(run.loop?.totals.frames)
        #expect(frames.comparedSame == frames.compared && frames.compared < frames.frames, "\(frames)")
        // What was compared is judged, and nothing else is.
        let area = try #require(run.processes.flatMap(\.views).first { $0.key == "GtkDrawingArea#centre" })
        let unjudged = try #require(area.wasted.unjudged)
        #expect(area.wasted.count >= frames.compared && area.wasted.count + unjudged <= area.count, "\(area)")
    }

    @Test("says of a drawing area that each picture differs by one column of pixels, which is no fault")
    func wipe() async throws {
        let run = try await run("wipe")
        let function = try source.function("next_picture")
        #expect(run.marked == [] && run.first.kind == .busy, "\(run.verdict)")
        let first = " frames a second for GtkDrawingArea#wipe by \(function), all of "
        #expect(run.first.text.contains(first) && run.first.text.contains(" that were compared differ"), "\(run.first)")
        let frames = try #require(run.loop?.totals.frames)
        #expect(frames.compared >= QuietStretch.leastCompared && frames.comparedSame == 0, "\(frames)")
    }

    @Test(
        "names a spinner that is not visible, with the reason",
        arguments: [
            ("stack", "its page of GtkStack is not shown"), ("clear", "its opacity is 0"),
            ("closed", "the GtkRevealer around it is closed"),
            ("below", "it is outside of the visible area of GtkScrolledWindow"),
            ("covered", "something opaque covers it"),
        ])
    func hiddenSpinner(name: String, reason: String) async throws {
        let run = try await run(name)
        let first = run.first
        #expect(first.kind == .hiddenWidget && first.view == "GtkSpinner#busy", "\(first)")
        #expect(first.text.hasPrefix("GtkSpinner#busy is not visible (\(reason)), and asks for "), "\(first.text)")
        #expect(first.count >= 50 && first.nanosecondsPerSecond.map { $0 > 0 } == true, "\(first)")
        let fact = try #require(run.loop?.facts.first { $0.kind == .asker && $0.view == "GtkSpinner#busy" })
        #expect(fact.hidden == reason && fact.numbers.count * 2 >= fact.numbers.of, "\(fact)")
        guard name == "clear" else { return }
        let function = try source.function("begin_spinning")
        #expect(first.source == function && first.text.hasSuffix(": \(function) made it spin"), "\(first)")
    }

    @Test("names a spinner that can be seen, and calls it no fault")
    func shownSpinner() async throws {
        let run = try await run("shown")
        #expect(run.first.kind == .busy && run.first.view == "GtkSpinner#busy", "\(run.verdict)")
        #expect(run.first.text.contains(" frames a second for GtkSpinner#busy, "), "\(run.first.text)")
        #expect(run.marked == [])
    }

    // MARK: The loop

    @Test("names a source that is always due and never ready, of a loop that dispatches nothing", .promise)
    func emptyTurns() async throws {
        let run = try await run("pump")
        let first = run.first
        #expect(first.kind == .spinning && first.count >= 1_000 && first.count <= run.calls, "\(first)")
        #expect(first.text.hasPrefix("The main loop turns ") && first.text.contains(" and dispatches nothing, "))
        #expect(first.text.hasSuffix(": the source pump says that it is due"), "\(first.text)")
        let turns = try #require(run.loop?.totals.spinning)
        #expect(turns.emptyTurns * 10 >= turns.turns * 9, "\(turns)")
    }

    @Test("names an idle function that is due in each turn, with its place")
    func idleFunction() async throws {
        let run = try await run("idle")
        let (first, function) = (run.first, try source.function("idle_stays"))
        #expect(first.kind == .spinning && first.source == function, "\(first)")
        #expect(first.text.hasPrefix("In each turn, the idle function \(function) is due: "), "\(first.text)")
        #expect(first.count >= 1_000 && first.count <= run.calls, "\(first)")
        let row = try #require(run.loop?.rows.first { $0.kind == .idle && $0.function == function })
        #expect(row.numbers.count >= 1_000 && row.numbers.count <= run.calls, "\(row)")
    }

    @Test("names the function of a descriptor that is never read, with its place")
    func unreadDescriptor() async throws {
        let run = try await run("unread")
        let (first, function) = (run.first, try source.function("not_read"))
        #expect(first.kind == .spinning && first.source == function, "\(first)")
        #expect(first.text.hasPrefix("\(function) is called in each turn for descriptor "), "\(first.text)")
        #expect(first.text.contains(", which stays readable: ") && first.count >= 1_000, "\(first)")
    }

    @Test("says of a descriptor whose other end was closed that it is that")
    func closedDescriptor() async throws {
        let run = try await run("hangup")
        let (first, function) = (run.first, try source.function("read_end"))
        #expect(first.kind == .spinning && first.source == function, "\(first)")
        #expect(first.text.hasPrefix("\(function) is called in each turn for descriptor "), "\(first.text)")
        #expect(first.text.contains(", whose other end was closed: ") && first.count >= 1_000, "\(first)")
    }

    @Test("names the idle function that another thread adds hundreds of times a second, however little that takes")
    func probes() async throws {
        let run = try await run("probes")
        let (first, function) = (run.first, try source.function("probed"))
        #expect(run.marked == [] && first.kind == .busy && first.source == function, "\(run.verdict)")
        #expect(first.text.contains("the idle function \(function)"), "\(first.text)")
        let turns = try #require(run.loop?.totals.spinning)
        #expect(turns.wakeups >= 100 * turns.nanoseconds / 1_000_000_000 && run.calls >= 1_000, "\(turns)")
    }

    @Test("names the timer that computes, though the window grows with its content: that is no input")
    func grows() async throws {
        let run = try await run("grows")
        let (first, function) = (run.first, try source.function("scan_devices"))
        #expect(run.marked == [] && first.kind == .busy && first.source == function, "\(run.verdict)")
        #expect(first.text.hasSuffix("% of the main thread's time in the timer \(function)"), "\(first.text)")
        let busy = try #require(run.loop?.totals.busy)
        #expect(run.calls >= 5 && busy.nanoseconds >= QuietStretch.least, "\(busy)")
    }

    @Test("names the callback that GIO calls in a source of its own, by samples")
    func loads() async throws {
        let run = try await run("loads")
        let (first, function) = (run.first, try source.function("on_loaded"))
        #expect(run.marked == [] && first.kind == .busy && first.source == function, "\(run.verdict)")
        let row = try #require(run.loop?.rows.first { $0.function == function }, "\(run.loop?.rows ?? [])")
        #expect(row.kind == .idle && row.of?.hasPrefix("[gio] ") == true && row.numbers.count >= 20, "\(row)")
        #expect(first.text.hasSuffix("% of the main thread's time in \(row.words)"), "\(first.text)")
    }

    // MARK: Widgets

    @Test("names the function that moves widgets to where they are, and the widget that is laid out for it")
    func moves() async throws {
        let run = try await run("moves")
        let (first, function) = (run.first, try source.function("move_same"))
        // Each of these frames draws the same, which says more than what the layout takes.
        #expect(first.kind == .sameFrames && first.view == "GtkFixed" && first.source == function, "\(run.verdict)")
        #expect(first.text.contains(" of them draw the same, ") && first.count >= 40, "\(first)")
        let what = ": GtkFixed is laid out for them by \(function), and nothing moved"
        #expect(first.text.hasSuffix(what), "\(first.text)")
    }

    @Test("says nothing of sizes that are set to what they are: GTK lays nothing out for them")
    func sizes() async throws {
        let run = try await run("sizes")
        #expect(run.first.kind == .nothing && run.first.text.hasPrefix("Nothing to fix"), "\(run.verdict)")
        #expect(run.calls >= 50)
    }

    @Test("names the function that gives widgets the style sheets that they have: GTK does nothing more for them")
    func styles() async throws {
        let run = try await run("styles")
        let function = try source.function("css_same")
        let loader = try #require(run.first.source, "\(run.verdict)")
        #expect(run.first.kind == .sameFrames && loader.hasPrefix("css_same() cases.c:"), "\(run.verdict)")
        #expect(run.first.text.contains(" of them paint nothing, "), "\(run.first.text)")
        #expect(run.first.text.hasSuffix(": GtkWindow asks for them in \(loader)"), "\(run.first.text)")
        let row = try #require(run.loop?.rows.first { $0.kind == .timer && $0.function == function })
        #expect(row.numbers.count >= 50 && row.numbers.count <= run.calls, "\(row)")
        #expect(row.numbers.interval == 100_000_000)
    }

    @Test("names rows that are made anew each time, with what they are in and who makes them")
    func rows() async throws {
        let run = try await run("rows")
        let (first, function) = (run.first, try source.function("rebuild"))
        #expect(first.kind == .madeAnew && first.view?.rawValue.hasSuffix("GtkListBoxRow") == true, "\(run.verdict)")
        #expect(first.source == function && first.count >= 3 && first.count < run.calls, "\(first)")
        #expect(
            first.text.hasPrefix("263 or more instances of ")
                && first.text.contains(" are made anew each time by \(function): "))
        let fact = try #require(run.loop?.facts.first { $0.kind == .anew && $0.numbers.of == 263 })
        #expect(fact.parent?.hasSuffix("GtkListBox") == true, "\(fact)")
    }

    // MARK: Hangs and writers

    private static let service = Fixture.source("Public/slow.py")
    private static let serviceObstacle: String? = {
        if ChildProcess.path(of: "dbus-run-session") == nil { return "dbus-run-session is not installed" }
        let packages = "/usr/lib/python3/dist-packages"
        let hasBoth = ["dbus", "gi"].allSatisfy { FileManager.default.fileExists(atPath: "\(packages)/\($0)") }
        return hasBoth ? nil : "python3-dbus or python3-gi is not installed"
    }()

    @Test(
        "names the handler that waits for a slow service over D-Bus, with its place and the call", .promise,
        .enabled(if: serviceObstacle == nil, "\(serviceObstacle ?? "")"))
    func call() async throws {
        let session = [try ChildProcess.installed("dbus-run-session"), "--", WidgetTests.interpreter, Self.service]
        // The service takes three seconds; a busy machine stops the program for less.
        let run = try await run("call", around: session, hangThreshold: 2_500)
        try #require(run.output.contains("answered\t1"), "\(run.said)")
        let (first, function) = (run.first, try source.function("on_clicked"))
        #expect(first.kind == .hangs && first.source == function, "\(run.verdict)")
        #expect(first.view == "GtkButton#go" && first.count == 1)
        #expect(first.longestNanoseconds.map { $0 >= 2_900_000_000 } == true, "\(first)")
        #expect(first.text.hasPrefix("\(function) blocked the main loop once, for "), "\(first.text)")
        #expect(first.text.hasSuffix(", in g_dbus_connection_call_sync() (GtkButton#go: clicked)"), "\(first.text)")
        let activities = run.hangs.flatMap(\.activities).map(\.text)
        #expect(activities.contains("waits for an answer over D-Bus from org.slow.Service"), "\(activities)")
    }

    @Test("says what a timer took of a hang in which another one waited first")
    func halves() async throws {
        let run = try await run("halves")
        let (first, function) = (run.first, try source.function("wait_second"))
        #expect(first.kind == .hangs && first.source == function && first.count == 1, "\(run.verdict)")
        #expect(first.text.hasPrefix("\(function) took 7"), "\(first.text)")
        #expect(first.text.contains("ms of a hang of "), "\(first.text)")
    }

    @Test("of an action that a button activates, which GIO emits, the stacks have the function")
    func action() async throws {
        let run = try await run("action")
        let hang = try #require(run.hangs.first { $0.durationNanoseconds >= 1_400_000_000 }, "\(run.hangs)")
        #expect(try hang.source == source.function("on_activated"), "\(hang)")
        #expect(run.first.kind == .hangs && run.first.count == 1, "\(run.verdict)")
    }

    @Test("calls a hang in which the program ends itself no fault")
    func closing() async throws {
        let run = try await run("leaves")
        #expect(!run.verdict.has(.hangs), "\(run.verdict)")
        // It is counted nevertheless.
        let hangs = run.processes.map(\.hangs).first { $0.count > 0 }
        #expect(hangs.map { $0.faults == 0 } == true, "\(run.processes.map(\.hangs))")
    }

    // MARK: By a script

    /// The way of docs/guide/scripts.md: what `look` says first is followed by the command that it names, and goes on since the mark.
    private static let script = #"""
        set -eo pipefail
        rerenderctl run --inject -- "$1" "$2" 120 > /dev/null 2>&1 &
        run=$!
        trap 'kill $run || true; wait $run || true' EXIT
        rerenderctl wait --program cases --timeout 60s
        rerenderctl wait --view GtkLabel --program cases --timeout 60s
        rerenderctl mark begin --process cases
        looked=$(rerenderctl look cases --for 15s)
        echo '== look'
        echo "$looked"
        next=$(sed -n '/^! /{s/.*[.] Next: //p;q}' <<< "$looked")
        echo '== next'
        eval "$next"
        echo '== stats'
        rerenderctl stats --since begin --process cases --limit 5
        """#

    @Test(
        "is found and proven by a script with run, wait, mark, look, explain and stats alone",
        arguments: [
            ("ticks", "tick_only"), ("redraw", "redraw_same"), ("clear", "begin_spinning"), ("idle", "idle_stays"),
            ("moves", "move_same"),
        ])
    func byScript(name: String, comment: String) async throws {
        let server = try await XServer()
        let program = try await Fixture.made("public/cases")
        let steps = try await CaseRun.steps(of: Self.script, [program, name], environment: server.environment)
        withExtendedLifetime(server) {}
        let function = try source.function(comment)
        for step in ["look", "next", "stats"] {
            #expect(steps[step]?.contains(function) == true, "\(step): \(steps)")
        }
        for step in ["look", "stats"] {
            #expect(steps[step]?.contains(" ! ") == true, "\(step): \(steps)")
        }
    }

    @Test("gives a property its own writer, where another function sets a class in each turn")
    func writers() async throws {
        let run = try await run("writers")
        let label = try #require(run.processes.flatMap(\.views).first { $0.key == "GtkLabel#number" })
        let writers = label.reasons.filter { $0.reason == "property label" }.flatMap(\.writers).map(\.writer)
        let function = try source.function("update_label")
        #expect(writers == [function], "\(label.reasons)")
    }
}
