// SPDX-License-Identifier: MIT
// Whose a hang is by its stacks, and what that waited in.

import RerenderModel
import Testing

@Suite("The culprit of a hang")
struct HangCulpritTests {
    private static let loop = [
        "g_main_context_iteration() in libglib-2.0.so.0", "g_application_run() in libgio-2.0.so.0", "main cases.c:70",
        "unknown in libc.so.6", "__libc_start_main() in libc.so.6",
    ]
    private static let emission = [
        "g_closure_invoke() in libgobject-2.0.so.0", "unknown in libgobject-2.0.so.0",
        "g_signal_emit_valist() in libgobject-2.0.so.0", "g_signal_emit_by_name() in libgobject-2.0.so.0",
    ]
    private static let timer = ["click() cases.c:46", "unknown in libglib-2.0.so.0"]
    private static let call = [
        "poll() in libc.so.6", "unknown in libglib-2.0.so.0", "g_main_loop_run() in libglib-2.0.so.0",
        "g_dbus_connection_send_message_with_reply_sync() in libgio-2.0.so.0",
        "g_dbus_connection_call_sync() in libgio-2.0.so.0",
    ]

    private func find(_ frames: [String]...) -> [String?] {
        let found = HangCulprit.find(in: frames.map { Hang.Stack(atNanoseconds: 1, frames: $0) })
        return [found.source, found.call]
    }

    @Test("is the handler, and not the timer that emitted its signal, with the call that the handler waits in")
    func handler() {
        let stack = Self.call + ["on_clicked() cases.c:44"] + Self.emission + Self.timer + Self.loop
        #expect(find(stack) == ["on_clicked() cases.c:44", "g_dbus_connection_call_sync()"])
    }

    @Test("is the function that the loop called, and the call is that of the innermost function of the program")
    func helper() {
        let stack = ["usleep() in libc.so.6", "wait_for_it() cases.c:9", "g_list_foreach() in libglib-2.0.so.0"]
        #expect(find(stack + ["tick() cases.c:30"] + Self.loop) == ["tick() cases.c:30", "usleep()"])
        #expect(find(["tick() cases.c:31"] + Self.loop) == ["tick() cases.c:31", nil])
    }

    @Test("waits for a mutex of the thread that more than half of the looks name")
    func holder() {
        func holder(_ activities: (String, UInt32)..., looks: Int) -> String? {
            HangCulprit.holder(in: activities.map { Hang.Activity(text: $0.0, count: $0.1) }, of: looks)
        }
        let (wait, first) = ("waits for a mutex that", "thread indexer[12]")
        let (sleeps, runs) = ("\(wait) \(first) holds, which sleeps for 900 ms", "\(wait) \(first) holds, which runs")
        #expect(holder((sleeps, 2), (runs, 1), looks: 5) == first && holder((sleeps, 2), looks: 4) == nil)
        #expect(holder((sleeps, 1), ("\(wait) thread other[13] holds", 2), looks: 3) == "thread other[13]")
        #expect(holder(("\(wait) it holds itself (a deadlock)", 3), looks: 3) == nil)
        #expect(holder(("waits for a mutex of GLib", 3), ("\(wait) thread odd", 3), looks: 4) == nil)
    }

    @Test("is no function where the toolkit waits for the display server by itself, which is no fault")
    func display() {
        func display(_ frames: [String]..., looks: Int) -> String? {
            HangCulprit.display(in: frames.map { Hang.Stack(atNanoseconds: 1, frames: $0) }, of: looks)
        }
        let x11 = ["poll() in libc.so.6", "xcb_wait_for_reply() in libxcb.so.1", "_XReply() in libX11.so.6"]
        let frame = ["unknown in libgtk-4.so.1"] + Self.loop
        let wayland = ["poll() in libc.so.6", "wl_display_roundtrip() in libwayland-client.so.0"] + frame
        #expect(display(x11 + frame, looks: 1) == "a wait for the display server" && display(wayland, looks: 1) != nil)
        #expect(display(x11 + frame, frame, looks: 2) == nil && display(x11 + frame, wayland, frame, looks: 3) != nil)
        #expect(display(x11 + ["grab() shot.c:9"] + frame, looks: 1) == nil, "the program called it")
        #expect(display(["poll() in libc.so.6"] + frame, looks: 1) == nil)
        var hang = Hang(id: 1, pid: 7, process: "cases", startedAt: Timestamp(nanosecondsSince1970: 0), turn: 1)
        (hang.call, hang.verdict) = (Hang.displayWait, .blocked)
        #expect(hang.isExcused)
        hang.verdict = .running
        #expect(!hang.isExcused)
    }

    @Test("is further out where the innermost handler is a toolkit's")
    func toolkit() {
        let stack =
            ["poll() in libc.so.6", "gtk_clipboard_wait() in libgtk-4.so.1"] + Self.emission + Self.timer + Self.loop
        #expect(find(stack) == ["click() cases.c:46", "g_signal_emit_by_name()"])
        #expect(find(["poll() in libc.so.6", "unknown in libgtk-4.so.1"] + Self.loop) == [nil, nil])
        let timeout = ["timeout() in libgtk-4.so.1", "g_timeout_dispatch() in libglib-2.0.so.0"]
        #expect(find(timeout + Self.loop) == [nil, nil])
        // A program's own names may be like those of a toolkit.
        #expect(find(["g_list_shops() gdk-shop.c:31"] + Self.loop) == ["g_list_shops() gdk-shop.c:31", nil])
    }

    @Test("is known of Swift's loops, and of a stack that ends early")
    func swift() {
        let body = ["usleep() in libc.so.6", "closure #1 in Shop.load() shop/Shop.swift:12"]
        let loop = [
            "__CFRunLoopRun in libFoundation.so", "RunLoop.run() in libFoundation.so", "Shop.main() shop/Shop.swift:3",
        ]
        #expect(
            find(body + ["Shop.tick() shop/Shop.swift:30"] + loop) == ["Shop.tick() shop/Shop.swift:30", "usleep()"])
        #expect(find(body) == ["closure #1 in Shop.load() shop/Shop.swift:12", "usleep()"])
    }

    @Test("is what most of the stacks say, with the line that is there most often")
    func several() {
        func stack(_ line: Int, in call: String) -> [String] {
            ["\(call) in libc.so.6", "on_clicked() cases.c:\(line)"] + Self.emission
        }
        #expect(
            find(stack(44, in: "read()"), stack(44, in: "read()"), stack(46, in: "write()"))
                == ["on_clicked() cases.c:44", "read()"])
        #expect(find(stack(44, in: "read()"), stack(46, in: "write()")) == ["on_clicked() cases.c:44", nil])
        #expect(find(stack(44, in: "read()"), ["tick() cases.c:30"] + Self.loop) == [nil, nil], "half is not most")
        #expect(find(stack(44, in: "read()"), [], stack(44, in: "read()")) == ["on_clicked() cases.c:44", "read()"])
        #expect(find() == [nil, nil] && find([]) == [nil, nil])
    }

    @Test("is said to have no name where its file has no symbols, and never to be a binding or an interpreter")
    func nameless() {
        let stack = ["poll() in libc.so.6", "unknown in gnome-calendar"] + Self.emission
        #expect(find(stack) == ["a function of gnome-calendar (no symbols)", "poll()"])
        #expect(
            find(Array(stack.prefix(2)) + ["on_key() in gnome-calendar"] + Self.emission)[0]
                == "on_key() in gnome-calendar")
        let python = ["usleep() in libc.so.6", "_PyEval_EvalFrameDefault() in python3.11", "ffi_call() in libffi.so.8"]
        #expect(find(python + Self.emission) == [nil, nil])
        #expect(find(["unknown", "unknown"]) == [nil, nil])
    }

    @Test("is a script's function, whatever it is called, and the script itself is what the program begins with")
    func scripts() {
        let wait = ["clock_nanosleep() in libc.so.6", "hold() clock.py:22"]
        let loop = Self.loop.prefix(2) + ["<module> clock.py:69"]
        for handler in ["on_save() clock.py:64", "dispatch_save() clock.py:64", "g_main_context_save() clock.js:64"] {
            #expect(
                find(wait + [handler] + Self.emission + ["press() clock.py:56"] + loop) == [
                    handler, "clock_nanosleep()",
                ])
        }
        #expect(find(wait + ["<lambda> clock.py:9"] + loop) == ["<lambda> clock.py:9", "clock_nanosleep()"])
        #expect(find(["poll() in libc.so.6"] + loop) == [nil, nil])
    }

    @Test("is the function that imports a module whose code takes long, and what a loop calls, whatever that is called")
    func modules() {
        let sleep = "clock_nanosleep() in libc.so.6", module = "<module> heavy.py:2", script = "<module> clock.py:72"
        let loop = ["g_main_loop_run() in libglib-2.0.so.0", script], imports = "load_plugin() clock.py:46"
        let begins = ["main() clock.py:60", script, "__libc_start_main() in libc.so.6"]
        for outer in [[script], loop, begins] {
            let frames = [sleep, module, imports] + outer
            #expect(find(frames) == [imports, "clock_nanosleep()"], "\(frames)")
            #expect(HangCulprit.hasProgram(Hang.Stack(atNanoseconds: 1, frames: frames)))
        }
        // A module that another one imports as the program begins, and a program that runs its loop in one.
        for frames in [[sleep, module, script], [sleep] + begins, [sleep, loop[0], module, script]] {
            #expect(find(frames) == [nil, nil], "\(frames)")
        }
        for handler in ["main() clock.py:9", "<module> <string>:1", "Clock.main() clock.py:9"] {
            #expect(find([sleep, handler] + loop) == [handler, "clock_nanosleep()"])
        }
        #expect(StackFrameText(text: "Shop.main() shop/Shop.swift:3").isMain)
    }

    @Test("is no function that Swift's compiler made beside one")
    func thunks() {
        let call = "clock_nanosleep() in libc.so.6", outer = "thunk for @escaping @callee_guaranteed () -> () in shop"
        let stack = [call, "reload() shop/Feed.swift:7", outer, "partial apply in shop"] + Self.loop
        #expect(find(stack) == ["reload() shop/Feed.swift:7", "clock_nanosleep()"])
        #expect(find([call, outer] + Self.loop) == [nil, nil])
        #expect(StackFrameText(text: "now.getter (merged) in shop").function == "now.getter")
    }

    @Test("is a line of a script, whatever that is called")
    func scriptLines() {
        #expect(find(["unknown in libglib-2.0.so.0", "dispatch_jobs.js:41"] + Self.loop)[0] == "dispatch_jobs.js:41")
        #expect(StackFrameText(text: "swift_birds.js:7").function == "swift_birds.js:7")
    }

    @Test("is a wait for Python's lock where most looks saw one, with the function that most of them say has it")
    func interpreterLock() {
        let wait = HangCulprit.interpreterLock, row = "innocent() gil.py:11"
        let other = "\(wait) held by other() gil.py:20"
        func held(_ line: Int) -> String { "\(wait) held by gil_holder() gil.py:\(line)" }
        func lock(_ sources: String..., looks: Int) -> String? { HangCulprit.lock(in: sources, of: looks) }
        #expect(lock(held(8), held(8), row, looks: 3) == held(8))
        #expect(lock(held(7), held(8), held(8), looks: 3) == held(8))
        #expect(lock(held(8), other, wait, looks: 3) == wait && lock(wait, wait, looks: 2) == wait)
        #expect(lock(held(8), row, looks: 2) == nil && lock(held(8), looks: 2) == nil && lock(looks: 0) == nil)
    }

    @Test("a frame is told apart into its function and its place")
    func frames() {
        for (text, function) in [
            ("on_clicked() cases.c:44", "on_clicked()"), ("usleep() in libc.so.6", "usleep()"),
            ("usleep()", "usleep()"),
            ("closure #1 in Slow.body shop/Slow.swift:12", "closure #1 in Slow.body"), ("main", "main"),
            ("closure #1 in Slow.body in shop", "closure #1 in Slow.body"), ("unknown in libc.so.6", "unknown"),
            ("", ""),
        ] { #expect(StackFrameText(text: text).function == function) }
    }
}
