// SPDX-License-Identifier: MIT
// The promise to whoever protects an app's memory: nothing that we make it load asks for stacks that can be executed.

import Foundation
import TestSupport
import TestTraits
import Testing

@Suite("Executable stacks", .enabled(if: ChildProcess.path(of: "ldd") != nil, "needs ldd"))
struct ExecutableStackTests {
    @Test("a program with this library and all that it loads leave stacks as they are", .promise) func leavesStacks()
        async throws
    {
        let program = ChildProcess.product("corpus")
        let libraries = try await Self.libraries(of: program)
        #expect(libraries.contains { $0.contains("libswiftCore") })
        #expect(!libraries.contains { $0.contains("libswiftRuntime") })
        for file in [program] + libraries { #expect(try Self.asksForExecutableStack(file) == false, "\(file)") }
        // The reader of headers finds the bit where it is set.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: program))
        let header = try #require(Self.stackHeader(in: bytes))
        bytes[header + 4] |= 1
        #expect(Self.isExecutable(bytes))
    }

    private static func libraries(of program: String) async throws -> [String] {
        let ldd = try #require(ChildProcess.path(of: "ldd"))
        let output = try await ChildProcess.run([ldd, program])
        #expect(output.succeeded)
        return output.standardOutput.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("/") }.map(String.init)
        }
    }

    private static func asksForExecutableStack(_ path: String) throws -> Bool {
        isExecutable(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// A file without the header gets what the machine's default is: executable on some.
    private static func isExecutable(_ file: Data) -> Bool {
        stackHeader(in: file).map { file[$0 + 4] & 1 != 0 } ?? true
    }

    /// Where the program header of kind PT_GNU_STACK is.
    private static func stackHeader(in file: Data) -> Int? {
        func number(_ at: Int, _ size: Int) -> Int { (0..<size).reduce(0) { $0 | Int(file[at + $1]) << (8 * $1) } }
        let start = number(0x20, 8), step = number(0x36, 2), count = number(0x38, 2)
        return (0..<count).map { start + $0 * step }.first { number($0, 4) == 0x6474_E551 }
    }
}
