// SPDX-License-Identifier: MIT
// Gives a target bytes: those of files, or with libFuzzer as many as it makes.

import CFuzzer
import FuzzTargets
import FuzzWire
import Glibc

/// What is run; libFuzzer's function has no other way to know.
private enum Chosen {
    static nonisolated(unsafe) var read: @Sendable ([UInt8]) throws -> Bool = { _ in false }
    /// Ends the process where something does not hold, so that libFuzzer keeps the input.
    static func run(on bytes: [UInt8]) {
        cfuzzer_begin()
        defer { cfuzzer_end() }
        do {
            _ = try read(bytes)
        } catch {
            say("finding: \(error)")
            abort()
        }
    }

    /// Chooses the target of that name; returns the longest input that is worth while.
    static func choose(_ name: String) -> Int {
        let planted = FuzzTarget.planted + [FuzzTarget("planted-c", longest: 8, plantedInC)]
        guard let target = planted.first(where: { $0.name == name }) ?? FuzzTarget.named(name) else {
            fail("there is no target \(name); see --list")
        }
        read = target.read
        // Not of a clock's: others may keep the machine busy.
        cfuzzer_limit(target.seconds)
        return target.longest
    }

    private static func plantedInC(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { cfuzzer_planted(start, $0.count) } }
    }

    static func list() {
        for target in FuzzTarget.all { print(target.name) }
    }

    static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        write(STDERR_FILENO, line, line.count)
    }

    static func fail(_ text: String) -> Never {
        say("fuzzer: \(text)")
        exit(64)
    }
}

#if RERENDER_FUZZ
    /// Takes the target's name out of the arguments, before libFuzzer looks at them.
    @_cdecl("LLVMFuzzerInitialize")
    func initialize(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
    ) -> CInt {
        // libFuzzer starts this program again with arguments of its own, which have no target.
        let variable = "RERENDER_FUZZ_TARGET"
        if let name = getenv(variable) {
            _ = Chosen.choose(String(cString: name))
        } else if count.pointee > 1, let name = arguments.pointee[1].map({ String(cString: $0) }) {
            if name == "--list" {
                Chosen.list()
                exit(0)
            }
            setenv(variable, name, 1)
            arguments.pointee[1] = strdup("-max_len=\(Chosen.choose(name))")
        } else {
            Chosen.fail("needs a target; see --list")
        }
        return 0
    }

    @_cdecl("LLVMFuzzerTestOneInput")
    func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        Chosen.run(on: Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
#else
    /// Without libFuzzer, it runs files: what was found is found again under a debugger.
    @main
    private enum Fuzzer {
        static func main() {
            let arguments = CommandLine.arguments.dropFirst()
            guard let name = arguments.first else { Chosen.fail("needs a target and files; see --list") }
            guard name != "--list" else { return Chosen.list() }
            _ = Chosen.choose(name)
            for path in arguments.dropFirst() {
                guard let file = fopen(path, "r") else { Chosen.fail("cannot read \(path)") }
                var bytes = [UInt8](repeating: 0, count: 1 << 20)
                bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
                fclose(file)
                Chosen.run(on: bytes)
                print("\(path): holds")
            }
        }
    }
#endif
