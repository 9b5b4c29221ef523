// SPDX-License-Identifier: MIT
// What the taker of stacks notices, and threads that it leaves alone.

import Foundation
import RerenderModel
import Testing

@testable import Rerender

@Suite("Stacks of hangs")
struct HangStackTests {
    @Test("a file that is unloaded is noticed, after which addresses are asked about anew")
    func unloaded() throws {
        let libraries: [String] = ["libanl.so.1", "libnss_hesiod.so.2", "libBrokenLocale.so.1"]
        let library = try #require(libraries.first { dlopen($0, RTLD_LAZY | RTLD_NOLOAD) == nil })
        let before = LoadedFile.unloads
        let handle = try #require(dlopen(library, RTLD_LAZY))
        #expect(dlclose(handle) == 0 && LoadedFile.unloads > before)
    }

    @Test("a thread that is none of the process has no stack, and nothing happens")
    func foreignThread() {
        var stacks = HangStacks()
        #expect(stacks.frames(of: 1) == [] && stacks.frames(of: 0) == [] && stacks.frames(of: -1) == [])
    }

    @Test("our own functions are in no stack, in a file of their own or in the program's")
    func ours() {
        for part in ["librerender-gtk.so", "librerender-inject.so"] {
            #expect(StackFrameText.standIn(forFile: part) == [], "\(part)")
        }
        let own = SymbolicFrame(mangled: "crerender_tick", name: "crerender_tick", path: nil, line: nil)
        let others = SymbolicFrame(mangled: "on_tick", name: "on_tick", path: "/a/clock.c", line: 4)
        #expect(HangStacks.texts([own, others], file: "clock") == ["on_tick() clock.c:4"])
        #expect(
            HangStacks.texts([own], file: "clock") == [] && HangStacks.texts([], file: "clock") == ["unknown in clock"])
    }

    @Test(
        "an interpreter has one line in a stack, which is no function of the program, and other files have none for it")
    func interpreters() {
        for file in [
            "python3.11", "libpython3.15.so.1.0", "gjs", "gjs-console", "libgjs.so.0.0.0", "libmozjs-150.so.0.0.0",
        ] {
            let line = "the interpreter (functions of its script are not known) in \(file)"
            #expect(StackFrameText.standIn(forFile: file) == [line])
            let frame = StackFrameText(text: line)
            #expect(StackFrameText.isStandIn(line) && !frame.isProgram && !frame.isRuntime && !frame.isNameless)
        }
        for file in [
            "clock", "python-app", "gjsapp", "libglib-2.0.so.0", "libffi.so.8", "_gi.cpython-311-x86_64-linux-gnu.so",
        ] {
            #expect(StackFrameText.standIn(forFile: file) == nil, "\(file)")
        }
        #expect(!StackFrameText.isStandIn("interpret() clock.c:4"))
    }
}
