// SPDX-License-Identifier: MIT
// GLib as far as the cases need it, loaded at run time: the package builds where it is not installed.

import Glibc

typealias PollFunction = @convention(c) (UnsafeMutableRawPointer?, UInt32, Int32) -> Int32
typealias SourceFunction = @convention(c) (UnsafeMutableRawPointer?) -> Int32

/// GLib's functions by their own names.
struct GLib: Sendable {
    nonisolated(unsafe) private let library: UnsafeMutableRawPointer

    /// Loads GLib, from the file that `$GLIB_FILE` names if there is one; ends the process with EX_UNAVAILABLE where there is none.
    init() {
        let file = getenv("GLIB_FILE").map { String(cString: $0) } ?? "libglib-2.0.so.0"
        // Local, as what a plugin needs is: who does not know the file finds no symbol of it.
        guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
            say("no GLib")
            exit(EX_UNAVAILABLE)
        }
        self.library = library
    }

    private func function<Function>(_ name: String, as type: Function.Type) -> Function {
        guard let symbol = dlsym(library, name) else { fatalError("no \(name)") }
        return unsafeBitCast(symbol, to: type)
    }

    typealias Pointer = UnsafeMutableRawPointer

    func makeLoop() -> Pointer {
        function("g_main_loop_new", as: (@convention(c) (Pointer?, Int32) -> Pointer).self)(nil, 0)
    }

    func run(_ loop: Pointer) {
        function("g_main_loop_run", as: (@convention(c) (Pointer) -> Void).self)(loop)
    }

    func quit(_ loop: Pointer) {
        function("g_main_loop_quit", as: (@convention(c) (Pointer) -> Void).self)(loop)
    }

    /// Calls `function` every so many milliseconds until it returns 0.
    func addTimeout(_ milliseconds: UInt32, _ body: SourceFunction) {
        let add = function("g_timeout_add", as: (@convention(c) (UInt32, SourceFunction, Pointer?) -> UInt32).self)
        _ = add(milliseconds, body, nil)
    }

    func iterate() {
        _ = function("g_main_context_iteration", as: (@convention(c) (Pointer?, Int32) -> Int32).self)(nil, 0)
    }

    /// The poll function that a context has until another one is set.
    var firstPollFunction: PollFunction { function("g_poll", as: PollFunction.self) }

    var pollFunction: PollFunction {
        get { function("g_main_context_get_poll_func", as: (@convention(c) (Pointer?) -> PollFunction).self)(nil) }
        nonmutating set {
            function("g_main_context_set_poll_func", as: (@convention(c) (Pointer?, PollFunction) -> Void).self)(
                nil, newValue)
        }
    }
}
