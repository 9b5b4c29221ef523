// SPDX-License-Identifier: MIT
// Gives a target changed inputs without libFuzzer, so that nothing is counted and many more are read in the same time.

import CFuzzer
import FuzzWire
import Glibc
import TestSupport

/// `mutator TARGET SEED PROGRESS END DIRECTORY` reads inputs from where the file PROGRESS is up to the number END.
/// `mutator TARGET SEED show NUMBER DIRECTORY` writes one of them.
@main
private enum MutatorProgram {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.dropFirst() == ["--list"] {
            for target in FuzzTarget.wire { print(target.name) }
            return
        }
        guard arguments.count == 6, let seed = UInt64(arguments[2]), let number = UInt64(arguments[4]) else {
            end("usage: mutator TARGET SEED PROGRESS|show NUMBER DIRECTORY, or mutator --list", status: 64)
        }
        do {
            let target = try target(arguments[1])
            var mutator = try Mutator(inputs(in: arguments[5]), for: target, seed: seed)
            if arguments[3] == "show" {
                let input = mutator.input(number)
                guard write(STDOUT_FILENO, input, input.count) == input.count else { end("cannot write", status: 74) }
            } else {
                try run(target, &mutator, progress: arguments[3], to: number)
            }
        } catch {
            end("finding: \(error)", status: 1)
        }
    }

    private static func target(_ name: String) throws -> FuzzTarget {
        if name == "planted-c" {
            return FuzzTarget(name, longest: 8) { bytes in
                bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { cfuzzer_planted(start, $0.count) } }
            }
        }
        let found = (FuzzTarget.wire + FuzzTarget.planted).first { $0.name == name }
        guard let found else { throw FuzzFinding("there is no target \(name); see --list") }
        return found
    }

    /// The files of a directory, in the order of their names.
    private static func inputs(in directory: String) throws -> [[UInt8]] {
        guard let entries = opendir(directory) else { throw FuzzFinding("cannot read \(directory)") }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return try names.sorted().map { try TestFile.read("\(directory)/\($0)") }
    }

    private static func run(
        _ target: FuzzTarget, _ mutator: inout Mutator, progress path: String, to end: UInt64
    ) throws {
        let progress = try MutationProgress(path: path)
        cfuzzer_limit(target.seconds)
        try MutationRun.run(target, &mutator, progress, to: end) { begins in
            if begins { cfuzzer_begin() } else { cfuzzer_end() }
        }
    }

    private static func end(_ text: String, status: CInt) -> Never {
        let line = Array((text + "\n").utf8)
        write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
