// SPDX-License-Identifier: MIT
// `rerenderctl mcp`: answers an agent on standard input and output.

import ArgumentParser
import Glibc
import NIOPosix
import RerenderShow

/// Answers by the Model Context Protocol until the input ends.
struct MCPCommand: AsyncParsableCommand, RunsWithoutSettings {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Answer an agent by the Model Context Protocol.",
        discussion: """
            For agents that have no shell, or ask by tools. It reads messages from
            standard input and writes answers to standard output, one a line, until the
            input ends. Its tools are `stats`, `explain`, `hangs`, `mark`, `wait` and
            `look`: each runs that command. Programs are started without it.

            An answer has at most 12,000 bytes, which is less than 4,000 tokens. What is
            cut is said. A message of more than 64 KiB is refused, and so is a fifth call
            while four go on.

            Example: agents have it started by "command": "rerenderctl", "args": ["mcp"]
              rerenderctl mcp < messages.jsonl
            """)

    /// How long calls may go on behind the end of the input: a file of messages ends at once, and its answers are still read.
    private static let patience = Duration.seconds(10)

    func run() async throws {
        if isatty(STDIN_FILENO) == 1 {
            FailureText.note("rerenderctl: this reads messages for agents, which start it; see: rerenderctl help mcp")
        }
        let server = MCPServer(run: { await Self.outcome(of: $0, $1) }) { line in
            // A client that is gone has closed the input, too.
            try? OutputStream.standardOutput.write(line)
        }
        // Commands are in process groups of their own: a signal to ours does not reach them.
        SignalPipe.forward(try SignalPipe.open([SIGINT, SIGTERM, SIGHUP])) { signal in
            Task {
                await server.end()
                Disposition.die(by: signal.number)
            }
        }
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        defer { pool.shutdownGracefully { _ in } }
        while let piece = try await pool.runIfActive({ try Self.nextPiece() }) { await server.take(piece) }
        await server.endInput(patience: Self.patience)
    }

    private static func nextPiece() throws -> [UInt8]? {
        try InputFile.next(STDIN_FILENO) {
            ToolFailure(ExitStatus.unreadable, "cannot read the input: \(SystemText.of($0))")
        }
    }

    private static func outcome(of words: [String], _ limit: Duration) async -> CapturedOutput {
        do {
            return try await CapturedCommand.run(
                [OwnProgram.path] + words, limit: limit, values: ["NO_COLOR": "1"], endsWithCaller: true)
        } catch {
            let failure = error.failure(of: "rerenderctl")
            return CapturedOutput(ending: .exited(failure.status), errors: failure.message)
        }
    }
}
