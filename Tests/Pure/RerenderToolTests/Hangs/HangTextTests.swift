// SPDX-License-Identifier: MIT
// Hangs as lines: every word that says how sure it is, and what is left out where nothing is known.

import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import RerenderTrace
import Testing
@testable import ToolSupport

@Suite("Hangs in words")
struct HangTextTests {
    @Test("a handle names one hang, and another process than its own is refused with that process's name")
    func handle() throws {
        for process in [nil, "shop", "4711"] {
            #expect(try HangsCommand.hang(3, of: process, among: [hang()]).id == 3)
        }
        for (number, process, words) in [
            (3, "desk", "h3 is a hang of shop[4711], and not of desk."), (4, nil, "the ID h4"),
        ]
            as [(UInt64, String?, String)]
        {
            let failure = #expect(throws: ToolFailure.self) {
                try HangsCommand.hang(number, of: process, among: [hang()])
            }
            #expect(failure?.status == 64 && failure?.message.contains(words) == true)
        }
    }

    private static let now = Sample.now

    private func hang(_ change: (inout Hang) -> Void = { _ in }) -> Hang {
        var hang = Hang(id: 3, pid: 4711, process: "shop", startedAt: Self.now, turn: 77)
        hang.durationNanoseconds = 412_000_000
        hang.open = false
        hang.ended = .normally
        hang.view = "CartTotal"
        (hang.attribution, hang.viewAtThreshold) = (.inBody, "CartTotal")
        hang.verdict = .running
        hang.lastRendered = "Header"
        hang.shares = [.init(view: "CartTotal", nanoseconds: 398_000_000), .init(view: "Row", nanoseconds: 3_100_000)]
        hang.unattributedNanoseconds = 10_900_000
        change(&hang)
        return hang
    }

    private func text(_ hang: Hang) -> [String] { HangText(hang: hang, now: Self.now).lines.map(\.text) }

    @Test("name the view, how sure it is, what the thread did, and what supports it")
    func whole() {
        let lines = text(hang())
        #expect(lines[0].hasSuffix("    412ms  CartTotal (in body), running, in shop[4711]"))
        #expect(
            lines.dropFirst() == [
                "██████████ 96% in bodies: CartTotal 398ms", "parts of less than 5%: 14.0ms (3%)",
                "last rendered: Header",
            ])
    }

    @Test("say what to ask next about the view that is blamed, where somebody can be asked")
    func next() {
        func last(_ hang: Hang, _ asks: ShellCommand?) -> String? {
            var text = HangText(hang: hang, now: Self.now)
            text.asks = asks
            return text.lines.last?.text
        }
        #expect(last(hang(), "") == "Next: rerenderctl explain CartTotal")
        #expect(last(hang(), " last") == "Next: rerenderctl explain CartTotal last")
        #expect(last(hang(), nil) == "last rendered: Header")
        #expect(last(hang { ($0.guess, $0.view) = (true, "Row") }, "")?.hasPrefix("Next") == false)
        #expect(last(hang { $0.view = "tick\u{1B}" }, "")?.hasPrefix("Next") == false)
        let listed = HangsScreen(hangs: [hang()], stores: [], health: HealthReport(), now: Self.now)
        #expect(!listed.lines(width: 200, colours: false).joined().contains("Next"))
    }

    @Test("tell what the source took that it was in, where no view is blamed")
    func ownPart() {
        let lines = text(
            hang {
                ($0.view, $0.viewAtThreshold, $0.shares, $0.lastRendered) = (nil, nil, [], nil)
                ($0.source, $0.sourceNanoseconds) = ("count() a.c:4", 300_000_000)
                $0.unattributedNanoseconds = 412_000_000
            })
        #expect(lines[0].contains("  count() a.c:4, running"))
        #expect(
            lines.dropFirst() == [
                "nothing was evaluated or drawn", "███████▁▁▁ 72% in count() a.c:4 300ms",
                "███▁▁▁▁▁▁▁ 27% outside views 112ms",
            ])
    }

    @Test("tell the time in each phase, and in which phase the view had most of it")
    func phases() {
        let lines = text(
            hang {
                ($0.view, $0.viewAtThreshold, $0.phase, $0.attribution) = ("Chart", "Chart", .layout, .inPhase)
                $0.shares = [
                    .init(view: "Chart", phase: .layout, nanoseconds: 200_000_000),
                    .init(view: "Chart", phase: .snapshot, nanoseconds: 100_000_000),
                    .init(view: "Window", phase: .drawing, nanoseconds: 50_000_000),
                    .init(view: "Save", handler: "clicked", phase: .handler, nanoseconds: 20_000_000),
                ]
                $0.unattributedNanoseconds = 42_000_000
            })
        #expect(lines[0].contains("  Chart (in layout), running"))
        #expect(
            lines[1...5] == [
                "█████▁▁▁▁▁ 48% in layouts: Chart 200ms", "██▁▁▁▁▁▁▁▁ 24% in snapshots: Chart 100ms",
                "█▁▁▁▁▁▁▁▁▁ 12% drawn by GSK: Window 50.0ms", "█▁▁▁▁▁▁▁▁▁ 10% outside views 42.0ms",
                "parts of less than 5%: 20.0ms (4%)",
            ])
        let late = text(
            hang {
                ($0.view, $0.phase, $0.attribution) = ("Chart", .snapshot, .share)
                $0.shares = [.init(view: "Chart", phase: .snapshot, nanoseconds: 206_000_000)]
            })
        #expect(late[0].contains("  Chart (share of 50% in snapshot), running"))
    }

    @Test("say that no view is blamed, and that nothing was evaluated or drawn")
    func nobody() {
        let lines = text(
            hang {
                $0.view = nil
                $0.attribution = .none
                $0.verdict = .blocked
                $0.waitingOn = "futex"
                ($0.shares, $0.viewAtThreshold) = ([], nil)
                $0.unattributedNanoseconds = 412_000_000
                $0.lastRendered = nil
            })
        #expect(lines[0].hasSuffix("no view, blocked in futex, in shop[4711]"))
        #expect(lines.dropFirst() == ["nothing was evaluated or drawn", "██████████ 100% outside views 412ms"])
    }

    @Test("name the handler and its view, and tell the times in handlers beside those in bodies")
    func handler() {
        var hang = hang {
            ($0.view, $0.handler, $0.attribution, $0.viewAtThreshold) = ("Toolbar", "click on Save", .inHandler, nil)
            $0.shares[0] = .init(view: "Toolbar", handler: "click on Save", nanoseconds: 398_000_000)
        }
        var lines = text(hang)
        #expect(lines[0].hasSuffix("  Toolbar: click on Save (in handler), running, in shop[4711]"))
        #expect(
            lines.dropFirst() == [
                "██████████ 96% in handlers: Toolbar: click on Save 398ms", "parts of less than 5%: 14.0ms (3%)",
                "last rendered: Header",
            ])
        (hang.view, hang.handler, hang.guess) = (nil, "tick\u{1B}", true)
        (hang.viewStore, hang.viewAtThreshold) = (Hang.Store(number: 1, name: "sidebar"), "Row")
        hang.shares[0] = .init(
            view: "tick\u{1B}", handler: "tick\u{1B}", store: hang.viewStore, nanoseconds: 398_000_000)
        lines = text(hang)
        #expect(lines[0].contains("  ~tick\\u{1b} of sidebar (in handler), running"), "\(lines[0])")
        #expect(lines.contains("at the threshold: Row") && !lines[0].contains("\u{1B}"))
    }

    @Test("say how small a share is that a view is blamed for")
    func smallShare() {
        let line = text(
            hang {
                $0.attribution = .share
                $0.shares = [.init(view: "CartTotal", nanoseconds: 25_000)]
            })[0]
        #expect(line.contains("CartTotal (share of <1%), running"), "\(line)")
    }

    @Test(
        "have a word for each verdict",
        arguments: [
            (HangVerdict.running, "running"), (.blocked, "blocked"), (.starved, "no processor for 60%"),
            (.stopped, "stopped (not counted)"), (.suspended, "the machine was suspended (not counted)"),
            (.unknown, "mostly not observed"),
        ])
    func verdicts(verdict: HangVerdict, word: String) {
        let isCounted = verdict != .stopped && verdict != .suspended
        let starved: UInt64 = verdict == .starved ? 247_200_000 : 0
        let line = text(
            hang {
                ($0.verdict, $0.counts) = (verdict, isCounted)
                $0.starvedNanoseconds = starved
            })[0]
        #expect(line.contains(", \(word), in shop"), "\(line)")
    }

    @Test("say beside the verdict for how long there was no processor, if that was more than a moment")
    func starved() {
        #expect(text(hang { $0.starvedNanoseconds = 100_000_000 })[0].contains(", running, no processor for 24%, in"))
        #expect(text(hang { $0.starvedNanoseconds = 1_000_000 })[0].contains(", running, in"))
    }

    @Test("say who ran at the threshold where that is not the view that is named")
    func threshold() {
        #expect(!text(hang { $0.viewAtThreshold = "CartTotal" }).contains { $0.contains("at the threshold") })
        let other = text(
            hang {
                $0.attribution = .share
                $0.viewAtThreshold = "Row"
            })
        #expect(other[0].contains("CartTotal (share of 96%), running"))
        #expect(other.contains("at the threshold: Row"))
        let none = text(
            hang {
                ($0.attribution, $0.viewAtThreshold) = (.share, nil)
            })
        #expect(none.contains("at the threshold: nothing was evaluated or drawn"))
        let nobody = text(
            hang {
                $0.view = nil
                $0.viewAtThreshold = "Row"
            })
        #expect(nobody.contains("at the threshold: Row"))
        // Not where it is not known.
        let killed = text(
            hang {
                ($0.ended, $0.viewAtThreshold) = (.killed, nil)
            })
        #expect(!killed.contains { $0.contains("at the threshold") })
    }

    @Test("mark a guess: while it goes on, and where the app's record was lost")
    func guess() {
        let open = text(
            hang {
                ($0.open, $0.ended, $0.guess) = (true, nil, true)
            })
        #expect(open[0].contains("~CartTotal (in body), running") && !open.contains { $0.contains("at the threshold") })
        let lost = text(
            hang {
                ($0.guess, $0.view, $0.shares) = (true, nil, [])
            })
        #expect(lost.contains("how long each part of it took is not known"))
    }

    @Test("say that the times of parts are not known, never that there were none", arguments: [true, false])
    func unknownShares(isOpen: Bool) {
        let lines = text(
            hang {
                ($0.open, $0.ended, $0.guess) = (isOpen, isOpen ? nil : .normally, true)
                ($0.shares, $0.unattributedNanoseconds) = ([], nil)
            })
        #expect(lines[1] == "how long each part of it took is not known")
        #expect(!lines.contains { $0.contains("nothing was evaluated") || $0.contains("outside views") })
    }

    @Test("say for how long the process was stopped in a hang that counts")
    func stoppedInPart() {
        let most = text(
            hang {
                ($0.verdict, $0.stoppedNanoseconds) = (.stopped, 271_920_000)
            })[0]
        #expect(most.contains("CartTotal (in body), stopped for 66%, in shop"), "\(most)")
        let part = text(hang { $0.stoppedNanoseconds = 100_000_000 })[0]
        #expect(part.contains(", running, stopped for 24%, in shop"), "\(part)")
    }

    @Test("do not say how many other views there were where nobody counted them")
    func otherViews() {
        let many = text(
            hang {
                $0.shares = (1...5).map { .init(view: ViewKey(rawValue: "V\($0)"), nanoseconds: 10_000_000) }
                $0.shares.append(.init(view: .otherViews, nanoseconds: 200_000_000))
            })
        #expect(many[1] == "█████▁▁▁▁▁ 48% in bodies: other views 200ms", "\(many)")
        #expect(many[2] == "parts of less than 5%: 60.9ms (14%)")
    }

    @Test("the time of views beyond the listed ones is one in bodies only where no phase is known")
    func anyPhase() {
        let some = text(
            hang {
                $0.shares = [
                    .init(view: "Panel", phase: .layout, nanoseconds: 114_000_000),
                    .init(view: .otherViews, phase: nil, nanoseconds: 218_000_000),
                ]
            })
        #expect(some[1] == "█████▁▁▁▁▁ 52% in any phase: other views 218ms", "\(some)")
        #expect(some[2] == "███▁▁▁▁▁▁▁ 27% in layouts: Panel 114ms")
        let recorded = text(
            hang {
                $0.shares = [
                    .init(view: "Panel", phase: nil, nanoseconds: 114_000_000),
                    .init(view: .otherViews, phase: nil, nanoseconds: 218_000_000),
                ]
            })
        #expect(recorded[1].hasSuffix("in bodies: other views 218ms"), "\(recorded)")
        #expect(recorded[2].hasSuffix("in bodies: Panel 114ms"))
    }

    @Test("tell views of two stores with the same key apart")
    func stores() {
        let (main, side) = (Hang.Store(number: 0, name: "main"), Hang.Store(number: 1, name: "side"))
        let lines = text(
            hang {
                ($0.viewStore, $0.viewAtThreshold, $0.viewAtThresholdStore) = (side, "CartTotal", main)
                $0.attribution = .share
                $0.shares = [
                    .init(view: "CartTotal", store: side, nanoseconds: 300_000_000),
                    .init(view: "CartTotal", store: main, nanoseconds: 100_000_000),
                ]
                $0.lastRenderedStore = main
            })
        #expect(lines[0].contains("CartTotal of side (share of 72%)"), "\(lines)")
        #expect(lines[1] == "███████▁▁▁ 72% in bodies: CartTotal of side 300ms", "\(lines)")
        #expect(lines[2] == "██▁▁▁▁▁▁▁▁ 24% in bodies: CartTotal of main 100ms")
        #expect(
            lines.contains("at the threshold: CartTotal of main") && lines.contains("last rendered: Header of main"))
        let only = text(hang { $0.viewStore = main })
        #expect(only[0].contains("  CartTotal (in body)"))
        let same = text(
            hang {
                ($0.viewStore, $0.viewAtThresholdStore) = (main, Hang.Store(number: 1, name: "main"))
                $0.shares = []
            })
        #expect(same[0].contains("CartTotal of main#0") && same.contains("at the threshold: CartTotal of main#1"))
    }

    @Test("say that it goes on, and how the process ended")
    func endings() {
        #expect(
            text(
                hang {
                    $0.open = true
                    $0.ended = nil
                })[0].hasSuffix("GOING ON"))
        #expect(text(hang { $0.ended = .killed }).contains("the process was killed during it"))
        #expect(text(hang { $0.ended = .exited }).contains("the process ended during it"))
    }

    @Test("tell what the thread was seen doing, and how much earlier it may have begun and later have ended")
    func activities() {
        let lines = text(
            hang {
                $0.mayHaveBegunEarlierNanoseconds = 5_100_000
                $0.mayHaveEndedLaterNanoseconds = 12_000_000
                $0.activities = [.init(text: "reads from pipe 7", count: 5), .init(text: "runs", count: 3)]
            })
        #expect(lines.contains("it may have begun up to 5.10ms earlier"), "\(lines)")
        #expect(lines.contains("it may have ended up to 12.0ms later"), "\(lines)")
        #expect(lines.contains("reads from pipe 7 (5 of 8 looks)"), "\(lines)")
        let running = text(hang { $0.activities = [.init(text: "runs", count: 8)] })
        #expect(!running.contains { $0.contains("runs") }, "\(running)")
    }

    @Test("show what all stacks have in common, and not the one function of a late sample")
    func stacks() {
        let frames = [
            ["sqrt()", "price() Cart.swift:9", "render() Cart.swift:12", "main"],
            ["add()", "price() Cart.swift:9", "render() Cart.swift:12", "main"],
            ["add()", "price() Cart.swift:9", "render() Cart.swift:12", "main"],
        ]
        let lines = text(hang { $0.stacks = frames.map { Hang.Stack(atNanoseconds: 1, frames: $0) } })
        #expect(lines.contains("stack (3 samples): price() Cart.swift:9 ← render() Cart.swift:12 ← main"))
        #expect(lines.contains("most often in: add() (2 of 3)"))
    }

    @Test("name the function of a source or handler, and the call that it waited in, where no view is blamed")
    func source() {
        let source = hang {
            ($0.view, $0.viewAtThreshold, $0.attribution, $0.verdict) = (nil, nil, .none, .blocked)
            ($0.source, $0.call) = ("on_clicked() cases.c:44", "g_dbus_connection_call_sync()")
        }
        #expect(
            text(source)[0].contains("  on_clicked() cases.c:44, in g_dbus_connection_call_sync(), blocked, in shop"))
        let handler = text(
            hang {
                ($0.view, $0.handler, $0.attribution) = ("GtkButton#go", "clicked", .inHandler)
                ($0.source, $0.call) = ("on_clicked() cases.c:44", "g_dbus_connection_call_sync()")
            })
        #expect(handler[0].contains("  GtkButton#go: clicked (in handler), running, in shop"))
        #expect(handler[1] == "in on_clicked() cases.c:44, in g_dbus_connection_call_sync()")
        #expect(!text(hang { $0.source = "tick() cases.c:3" }).contains { $0.contains("tick") }, "a body is blamed")
    }

    @Test("say that a stack ends before a function of the program, and how to have one where there is none")
    func noProgram() {
        let loop = ["poll() in libc.so.6", "g_main_context_iteration() in libglib-2.0.so.0"]
        func lines(_ frames: [String]) -> [String] {
            text(hang { $0.stacks = [.init(atNanoseconds: 1, frames: frames)] })
        }
        let ends = "the stack ends before a function of the program: what called this is not known"
        #expect(lines(loop).last == ends)
        #expect(lines(loop + ["main cases.c:70"]).last == "no function of the program is in it but main")
        #expect(!lines(["poll() in libc.so.6", "tick() cases.c:3"]).contains(ends))
        let running = text(hang { $0.activities = [.init(text: "runs", count: 8)] })
        #expect(
            running.last == "no stack: one of a running thread is taken after rerenderctl config set hangStacks=true")
        #expect(!text(hang { $0.activities = [.init(text: "sleeps", count: 8)] }).contains { $0.hasPrefix("no stack") })
        #expect(!text(hang()).contains { $0.hasPrefix("no stack") }, "a recording has none")
    }

    @Test("of one stack, of equal stacks and of none are what they are")
    func fewStacks() throws {
        #expect(StackSummary([]) == nil)
        #expect(StackSummary([.init(atNanoseconds: 1, frames: [])]) == nil)
        let one = try #require(StackSummary([.init(atNanoseconds: 1, frames: ["a", "b"])]))
        #expect(one.common == ["a", "b"] && one.inner == nil)
        let apart = try #require(
            StackSummary([.init(atNanoseconds: 1, frames: ["a", "x"]), .init(atNanoseconds: 2, frames: ["b", "y"])]))
        #expect(apart.common.isEmpty && apart.inner?.samples == 1)
    }

    @Test("show the app's functions, the innermost after what it called, and not what they run on")
    func folded() throws {
        let stack = [
            "clock_nanosleep() in libc.so.6", "nanosleep() in libc.so.6", "usleep() in libc.so.6",
            "closure #1 in Slow.body shop/Slow.swift:12",
            "closure #1 in StoreCore.run(_:comparing:_:) Rerender/EvaluationFrame.swift:133",
            "RerenderStore.evaluate(_:of:) Rerender/RerenderStore+Evaluate.swift:80", "swift_task_switch() in shop",
            "Shop.render() shop/Shop.swift:40", "_dispatch_client_callout() in libdispatch.so",
            "unknown in libFoundation.so", "main shop/main.swift:3", "__libc_start_main() in libc.so.6",
        ]
        func summary(_ stacks: [String]...) throws -> StackSummary {
            try #require(StackSummary(stacks.map { Hang.Stack(atNanoseconds: 1, frames: $0) }))
        }
        let one = try summary(stack)
        #expect(
            one.common == [
                "usleep() in libc.so.6", "closure #1 in Slow.body shop/Slow.swift:12",
                "Shop.render() shop/Shop.swift:40",
                "main shop/main.swift:3",
            ])
        #expect(one.inner == nil)
        // Another place of the same call, and once in the function itself.
        #expect(try summary(stack, Array(stack.dropFirst(2))).common == one.common)
        let running = try summary(stack, stack, Array(stack.dropFirst(3)))
        #expect(running.common == Array(one.common.dropFirst()))
        #expect(running.inner?.function == "usleep() in libc.so.6" && running.inner?.samples == 2)
        // A library of the app's, a function that is named like one of the runtime's, and nothing of the app's at all.
        #expect(try summary(["draw() in libshop.so"]).common == ["draw() in libshop.so"])
        #expect(try summary(["restart in Swift game/Swift.swift:9"]).common == ["restart in Swift game/Swift.swift:9"])
        let idle = ["epoll_wait() in libc.so.6", "_dispatch_event_loop_drain() in libdispatch.so"]
        #expect(try summary(idle).common == idle)
    }

    @Test("hold no control characters of an app's names")
    func hostile() {
        let lines = text(
            hang {
                $0.process = "sh\u{1B}[31mop"
                $0.view = "Cart\u{7}"
                $0.waitingOn = "fu\u{1B}tex"
                $0.verdict = .blocked
            })
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 32 })
    }

    @Test("fit a terminal, with the micro-hangs and where nobody looks below them")
    func screen() {
        var store = Sample.store()
        store.microHangs = 12
        store.mainLoop = .none
        let screen = HangsScreen(hangs: [hang()], stores: [store], health: nil, now: Self.now)
        for width in [40, 60, 100] {
            let lines = screen.lines(width: width, colours: false)
            #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
            let text = lines.joined(separator: " ").replacingOccurrences(of: "  ", with: " ")
            #expect(text.contains("12 micro-hangs"))
            #expect(text.contains("shop[4711]: no watched main loop, so no"))
        }
        var quiet = HangsScreen(hangs: [], stores: [], health: HealthReport())
        #expect(quiet.lines(width: 80, colours: false) == ["No hang."])
        quiet.interactions = ["shop[9] click on GtkButton#save took 310ms to the frame"]
        #expect(
            quiet.lines(width: 80, colours: false) == [
                "No hang.", "", "From input to the frame that shows what it led to, the slowest first:",
                "  shop[9] click on GtkButton#save took 310ms to the frame",
            ])
    }

    @Test("of more interactions than are listed, the slowest are, and the option that shows the others")
    func cutInteractions() {
        var screen = HangsScreen(hangs: [], stores: [], health: HealthReport())
        (screen.interactions, screen.limit) = (["a", "b", "c"], 1)
        #expect(screen.lines(width: 80, colours: false).suffix(2) == ["  a", "  … 2 more lines; --limit 3 shows them"])
        screen.limit = 2
        #expect(screen.lines(width: 80, colours: false).last == "  … 1 more line; --limit 3 shows it")
    }

    @Test("have a bound in a pipe, in which no command is cut, and none is named that would be too long")
    func pipe() {
        func lines(_ key: ViewKey) -> [String] {
            let blamed = hang { ($0.view, $0.viewAtThreshold) = (key, key) }
            var screen = HangsScreen(hangs: [blamed], stores: [], health: HealthReport(), now: Self.now)
            screen.asks = " last"
            return screen.lines(width: TerminalSize.unlimitedColumns, colours: false)
        }
        let row = String(repeating: "x", count: 150)
        #expect(lines(ViewKey(rawValue: row)).last == "    Next: rerenderctl explain \(row) last")
        let longer = lines(ViewKey(rawValue: row + row))
        #expect(longer.allSatisfy { DisplayWidth.of($0) <= 150 } && !longer.joined().contains("Next"), "\(longer)")
    }

    @Test("say how long micro-hangs took, and which sources and handlers took most of them")
    func microHangs() {
        var store = Sample.store()
        (store.microHangs, store.loop) = (12, LoopStats(LoopTotals()))
        store.hangs.addMicro(nanoseconds: 2_160_000_000)
        let micro: [(String, UInt64)] = [("rare", 1), ("count", 1_550), ("none", 0), ("draw", 300), ("load", 200)]
        for (name, milliseconds) in micro {
            var row = LoopRow(.timer, name: "\(name)()", place: "a.c:4")
            (row.numbers.micro, row.numbers.longest) = (milliseconds * 1_000_000, 197_000_000)
            store.loop?.rows.append(row)
        }
        let end = ", whose longest call took 197ms"
        #expect(
            HangsScreen(hangs: [], stores: [store], health: HealthReport()).lines(width: 100, colours: false) == [
                "No hang.", "", "12 micro-hangs (100 ms or more), 2.16s in all, in shop[4711]/main",
                "  1.55s of that in the timer count() a.c:4" + end, "  300ms of that in the timer draw() a.c:4" + end,
                "  200ms of that in the timer load() a.c:4" + end,
            ])
    }

    @Test("come below what costs most, which does not send to this command again")
    func verdict() {
        var finding = Verdict.Finding(.hangs, text: "Feed blocked the main loop once, for 410ms")
        finding.command = "rerenderctl hangs --process 9"
        var waste = Verdict.Finding(.waste, text: "Row wasted 2.00ms")
        waste.command = "rerenderctl explain Row"
        let screen = HangsScreen(
            hangs: [], stores: [], health: HealthReport(), verdict: Verdict(findings: [finding, waste]))
        #expect(
            screen.lines(width: 80, colours: false) == [
                "! Feed blocked the main loop once, for 410ms", "! Row wasted 2.00ms. Next: rerenderctl explain Row",
                "",
                "No hang.",
            ])
    }

    @Test("say that there was no hang only where every long turn was watched")
    func missed() {
        var health = HealthReport()
        (health.watchdog.missed, health.watchdog.dropped) = (2, 1)
        #expect(
            HangsScreen(hangs: [], stores: [], health: health).lines(width: 100, colours: false) == [
                "No hang was seen.", "",
                "! 3 long turns could not be watched for hangs since the daemon started: hangs may be missing",
            ])
        let listed = HangsScreen(hangs: [hang()], stores: [], health: health).lines(width: 100, colours: false)
        #expect(listed.last?.hasPrefix("! 3 long turns") == true)
        #expect(
            HangsScreen(hangs: [], stores: [], health: nil).lines(width: 100, colours: false) == [
                "No hang was seen.", "", "! it is unknown whether the daemon missed a hang",
            ])
    }

    @Test("say how many older ones are not in the list")
    func forgotten() {
        var health = HealthReport()
        for (count, number) in [(1, "1 older hang"), (1_200, "1,200 older hangs")] as [(UInt64, String)] {
            health.watchdog.hangsForgotten = count
            let lines = HangsScreen(hangs: [hang()], stores: [], health: health).lines(width: 100, colours: false)
            #expect(lines.last == "! \(number) dropped to save memory")
        }
    }
}

@Suite("--since")
struct SinceTimeTests {
    @Test(
        "takes a time ago", arguments: [("90s", 90), ("10m", 600), ("2h", 7_200), ("3d", 259_200), ("0s", 0)])
    func ago(text: String, seconds: Int64) {
        let time = SinceTime(argument: text)?.time(now: Sample.now)
        #expect(time?.nanosecondsSince1970 == Sample.now.nanosecondsSince1970 - seconds * 1_000_000_000)
    }

    @Test("takes ISO 8601", arguments: ["2026-11-20T22:45:00Z", "2026-11-20T22:45:00.000Z"])
    func iso(text: String) {
        #expect(SinceTime(argument: text)?.time().iso8601 == "2026-11-20T22:45:00.000Z")
    }

    @Test("refuses what is no time", arguments: ["", "10", "m", "-5m", "1e3s", "yesterday", "100001d"])
    func refused(text: String) {
        #expect(SinceTime(argument: text) == nil)
    }
}
