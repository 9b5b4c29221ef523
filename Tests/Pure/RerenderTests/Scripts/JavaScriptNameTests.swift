// SPDX-License-Identifier: MIT
// What is known of JavaScript's engine by its version, and what scripts are called. No engine is here.

import CRerender
import Testing

@Suite("Names in JavaScript")
struct JavaScriptNameTests {
    private func function(_ version: UInt32) -> String? { javascript_function(version).map { String(cString: $0) } }

    private func file(_ uri: String) -> String? {
        // What it returns is a part of what it gets.
        uri.withCString { javascript_file($0).map { String(cString: $0) } }
    }

    @Test(
        "The engine's version is in the name of its library, and of nothing else",
        arguments: [
            ("libmozjs-102.so.0", 102), ("libmozjs-128.so.128.14.0", 128), ("libmozjs-140.so", 140),
            ("libmozjs-.so.0", 0), ("libmozjs-128", 0), ("libmozjs-128x.so.0", 0), ("libmozjs--1.so.0", 0),
            ("libmozjs-99999999999999999999.so", 0), ("libgjs.so.0", 0), ("", 0),
        ] as [(String, UInt32)])
    func version(library: String, version: UInt32) { #expect(javascript_version(library) == version) }

    @Test("Each version that is known has the function with its own types, and no other has any")
    func functions() throws {
        let old = try #require(function(102))
        #expect(function(115) == old && old.hasSuffix("P9JSContextPNS_12AutoFilenameEPjS4_"))
        let column = try #require(function(128))
        #expect(column.hasSuffix("P9JSContextPNS_12AutoFilenameEPjPNS_21ColumnNumberOneOriginE"))
        let fileFirst = try #require(function(140))
        #expect(fileFirst.hasSuffix("PNS_12AutoFilenameEP9JSContextPjPNS_21ColumnNumberOneOriginE"))
        for version in [0, 78, 91, 103, 127, 129, 150] as [UInt32] { #expect(function(version) == nil, "\(version)") }
    }

    @Test("A script is called by its path, or by its name where it is in a resource; gjs's own modules are passed over")
    func files() {
        #expect(file("clock.js") == "clock.js" && file("/opt/app/clock.js") == "/opt/app/clock.js")
        #expect(file("file:///opt/app/clock.js") == "/opt/app/clock.js")
        #expect(file("resource:///org/gnome/Weather/js/app/window.js") == "window.js")
        #expect(file("clock.js line 15 > eval") == "clock.js line 15 > eval")
        #expect(file("resource:///org/gnome/gjs/modules/esm/_timers.js") == nil && file("") == nil)
        #expect(file("resource:///org/gnome/gjsapp/window.js") == "window.js")
    }

    @Test("Without an engine, nothing is named, and nothing is said to be missing")
    func absent() {
        #expect(!javascript_is_known() && javascript_place() == 0 && javascript_gap() == nil)
        #expect(javascript_file(nil) == nil && javascript_closure(nil) == 0)
        #expect(javascript_closure(UnsafeRawPointer(bitPattern: 8)) == 0)
        #expect(!javascript_is_closure(UnsafeRawPointer(bitPattern: 8)) && javascript_code() == 0)
        #expect(!javascript_has_code(8))
        let call = javascript_begins(0, 0)
        #expect(call.engine == nil)
        javascript_ends(call)
        let around = javascript_handler_begins(0x00F5_0000_0000_0018, 16)
        #expect(around.place == 0 && javascript_running().place == 0)
        javascript_handler_ends(around)
    }
}
