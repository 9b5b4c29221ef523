// SPDX-License-Identifier: MIT
// Addresses that stand for places in scripts: what they tell, and how stacks and names take them.

import CRerender
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Rerender

@Suite("Places in scripts")
struct ScriptPlaceTests {
    private func address(_ function: String, _ file: String, _ line: UInt32) -> UInt {
        crerender_address_of_script_place(function, file, line)
    }

    @Test("have one address each, and the addresses beside it stand for them, too")
    func addresses() throws {
        let tick = address("tick", "/home/me/clock.py", 19)
        #expect(tick >> 48 == 0xF5 && tick == address("tick", "/home/me/clock.py", 19))
        let others = [
            address("tick", "/home/me/clock.py", 20), address("tock", "/home/me/clock.py", 19),
            address("tick", "/home/you/clock.py", 19), address("", "/home/me/clock.py", 19),
        ]
        #expect(Set(others + [tick]).count == 5)
        for near in [tick - 1, tick, tick + 1] {
            let place = try #require(ScriptPlace(near))
            #expect(place.function == "tick()" && place.path == "/home/me/clock.py" && place.line == 19)
            #expect(place.text == "tick() clock.py:19")
        }
        #expect(address("", "", 0) == 0)
        for none in [0, 1, UInt(0xF5) << 48 - 1, UInt(0xF5) << 48 | 0xFFFF_FFFF, UInt(0xF6) << 48, .max] {
            #expect(ScriptPlace(none) == nil, "\(none)")
        }
    }

    @Test("say as much as the language tells")
    func texts() {
        #expect(ScriptPlace(address("<lambda>", "/a/clock.py", 28))?.text == "<lambda> clock.py:28")
        #expect(ScriptPlace(address("Clock.<lambda>", "/a/clock.py", 28))?.text == "Clock.<lambda> clock.py:28")
        #expect(ScriptPlace(address("Clock.tick", "/a/clock.py", 9))?.text == "Clock.tick() clock.py:9")
        #expect(ScriptPlace(address("", "file:///a/clock.js", 6))?.text == "clock.js:6")
        #expect(ScriptPlace(address("f", "<string>", 0))?.text == "f() <string>")
        #expect(ScriptPlace(address("Meter.__call__", "", 0))?.text == "Meter.__call__()")
    }

    @Test("keep the beginning of a function's name and the end of a path")
    func long() throws {
        let path = String(repeating: "d/", count: 200) + "clock.py"
        let place = try #require(ScriptPlace(address(String(repeating: "n", count: 300), path, 1)))
        #expect(place.function == String(repeating: "n", count: 127) + "()")
        #expect(path.hasSuffix(place.path) && place.path.utf8.count == 255)
    }

    @Test("are the same for threads that meet them at the same time")
    func threads() {
        let found = Mutex<Set<UInt>>([])
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            let address = address("concurrent", "/a/threads.py", 3)
            found.withLock { _ = $0.insert(address) }
        }
        #expect(found.withLock { $0.count } == 1)
    }

    @Test("name writers, rows and frames of stacks, whatever a function is called")
    func names() throws {
        for name in ["update_label", "main", "swift_retain", "crerender_tick", "$s4Shop1fyyFTm"] {
            let address = address(name, "/a/b/clock.py", 24)
            var symbolicator = Symbolicator { _ in "wrong" }
            let frames = symbolicator.frames(before: address)
            let frame = try #require(frames.first)
            #expect(frames.count == 1 && WriterName.text(frame, file: "python3.11") == "\(name)() clock.py:24")
            #expect(WriterName.role(of: frame, accessorsOf: nil) == .writer && !WriterName.isOwn(frame))
            let found = try #require(WriterStacks.function(at: address))
            #expect(found.name == "\(name)()" && found.place == "clock.py:24")
        }
    }

    @Test("are passed over where they are a binding's, the interpreter's own, or the user's")
    func passedOver() {
        crerender_pass_over_scripts("vendor:helpers.py::")
        for path in [
            "/usr/lib/python3/dist-packages/gi/overrides/GLib.py", "/usr/lib/python3/dist-packages/gi/types.py",
            "<frozen importlib._bootstrap>", "<frozen runpy>", "<shim>", "/app/vendor/x.py", "/app/helpers.py",
            "vendor/x.py",
        ] { #expect(crerender_passes_over_script(path), "\(path)") }
        for path in [
            "/app/clock.py", "<string>", "<stdin>", "<template>", "<ipython-input-1>", "<frozen>", "/app/vendors/x.py",
            "/app/my_helpers.py", "gi.py", "",
        ] {
            #expect(!crerender_passes_over_script(path), "\(path)")
        }
    }

    @Test("stay what they are, as functions in files do; nothing stays of what lies in no file")
    func lastingFunctions() throws {
        let place = address("tick", "/a/lasting.py", 3)
        #expect(crerender_lasting_function(place) == place)
        let function = try #require(dlsym(nil, "malloc"))
        #expect(crerender_lasting_function(UInt(bitPattern: function)) == UInt(bitPattern: function))
        #expect(crerender_called_function(UInt(bitPattern: function), nil) == UInt(bitPattern: function))
        let memory = (0..<2).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16) }
        for pointer in memory {
            #expect(crerender_lasting_function(UInt(bitPattern: pointer)) == 0)
            #expect(crerender_called_function(UInt(bitPattern: pointer), UnsafeRawPointer(pointer)) == 0)
            pointer.deallocate()
        }
        #expect(crerender_lasting_function(0) == 0 && crerender_binding() == 0)
    }

    // MARK: Stacks

    private func merged(_ addresses: [UInt], _ ends: [UInt], _ frames: [(UInt, UInt)], room: Int = 16) -> [UInt] {
        var stack = crerender_script_stack()
        stack.count = UInt32(frames.count)
        withUnsafeMutableBytes(of: &stack.frames) { bytes in
            let places = bytes.bindMemory(to: crerender_script_frame.self)
            for (index, frame) in frames.enumerated() {
                places[index] = crerender_script_frame(place: frame.0, call: frame.1)
            }
        }
        return Array(unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            // The interpreter's are the even ones.
            let merged = crerender_merge_scripts(
                addresses, ends, UInt32(addresses.count), &stack, { $0 % 2 == 0 }, start, UInt32(room))
            count = Int(merged)
        }
    }

    @Test("stand where the interpreter's functions were that ran them")
    func stacks() {
        // A wait in C, two functions of a script, a main loop, the script that runs it, and the beginning in C.
        let addresses: [UInt] = [1, 2, 4, 3, 5, 6, 8, 7], ends: [UInt] = [10, 20, 30, 40, 50, 60, 70, .max]
        let frames: [(UInt, UInt)] = [(101, 25), (102, 25), (103, 65)]
        #expect(merged(addresses, ends, frames) == [1, 101, 102, 3, 5, 103, 7])
        #expect(merged(addresses, ends, []) == addresses)
        #expect(
            merged(addresses, ends, frames, room: 4) == [1, 101, 102, 3]
                && merged(addresses, ends, [], room: 2) == [1, 2])
    }

    @Test("come behind all others where the walk over the stack ended early")
    func early() {
        #expect(merged([1, 3], [10, 20], [(101, 15), (102, 90)]) == [1, 101, 3, 102])
        #expect(merged([], [], [(101, 15)]) == [101] && merged([], [], []) == [])
    }
}
