// SPDX-License-Identifier: MIT
// Functions of a program in Vala, of the C that Vala's compiler makes: with the lines of Vala's files, and without its wrappers.

import Foundation
import RerenderModel
import TestSupport
import Testing

@testable import Rerender

@Suite("Functions in Vala", .enabled(if: ChildProcess.path(of: "cc") != nil, "needs cc"))
struct ValaTests {
    /// As `valac -g -C` writes it, with entries for the test.
    private static let source = """
        #include <stddef.h>
        static int count;
        typedef int (*function)(void *);
        static int win_tick (void *self);
        static void win_on_clicked (void *self);
        static int __lambda4_ (void *self);
        static int
        _win_tick_gsource_func (void *self)
        {
        \tint result;
        \tresult = win_tick (self);
        #line 10 "win.vala"
        \treturn result;
        #line 14 "win.c"
        }
        static void
        _win_on_clicked_gtk_button_clicked (void *sender, void *self)
        {
        #line 5 "win.vala"
        \twin_on_clicked (self);
        #line 20 "win.c"
        }
        static int
        ___lambda4__gsource_func (void *self)
        {
        \tint result;
        \tresult = __lambda4_ (self);
        #line 11 "win.vala"
        \treturn result;
        #line 28 "win.c"
        }
        static int
        win_tick (void *self)
        {
        \tint result;
        #line 20 "win.vala"
        \tif (self == NULL) return 0;
        #line 21 "win.vala"
        \tcount = count + 1;
        #line 22 "win.vala"
        \tresult = count;
        #line 22 "win.vala"
        \treturn result;
        #line 41 "win.c"
        }
        static void
        win_on_clicked (void *self)
        {
        #line 16 "win.vala"
        \tcount = count + (self != NULL);
        #line 47 "win.c"
        }
        static int
        __lambda4_ (void *self)
        {
        #line 12 "win.vala"
        \tcount = count * 2;
        #line 13 "win.vala"
        \treturn count;
        #line 55 "win.c"
        }
        int plain (void *self)
        {
        \treturn self != NULL;
        }
        function functions[] = {_win_tick_gsource_func, (function)_win_on_clicked_gtk_button_clicked,
        \t___lambda4__gsource_func, plain};

        """

    @Test("a row is of the function that a wrapper calls, with its line", arguments: ["-O0", "-O2"])
    func rows(level: String) async throws {
        let folder = try TemporaryDirectory()
        let (file, library) = ("\(folder.path)/win.c", "\(folder.path)/libwin.so")
        try Self.source.write(toFile: file, atomically: true, encoding: .utf8)
        let cc = try #require(ChildProcess.path(of: "cc"))
        let output = try await ChildProcess.run([cc, "-g", level, "-shared", "-fPIC", "-o", library, file])
        #expect(output.succeeded, "\(output.standardError)")
        // Never closed: names are kept by address.
        let handle = try #require(dlopen(library, RTLD_NOW))
        let functions = try #require(dlsym(handle, "functions")).assumingMemoryBound(to: UInt.self)
        let named = (0..<4).map { WriterStacks.function(at: functions[$0]) }
        #expect(named.map { $0?.name } == ["win_tick()", "win_on_clicked()", "__lambda4_()", "plain()"])
        #expect(named.prefix(3).map { $0?.place } == ["win.vala:20", "win.vala:16", "win.vala:12"])
        #expect(named[3]?.place?.hasPrefix("win.c:") == true)
        // What called a writer.
        let callback = WorkCallback(source: "timer", function: functions[0]).named
        #expect(callback.function == "win_tick() win.vala:20")
    }
}
