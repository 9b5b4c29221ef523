// SPDX-License-Identifier: MIT
// Runs the scripts in the analyses as Trace Compass would, with another engine: Node.js.

import Foundation
import Synchronization
import TestSupport
@testable import ToolSupport

/// One Node.js for all tests. Trace Compass's own engine, Rhino, is not at hand where the tests run.
final class AnalysisScriptRunner: Sendable {
    static let shared = AnalysisScriptRunner()
    /// Whether there is a Node.js.
    static var isInstalled: Bool { TestSupport.ChildProcess.path(of: "node") != nil }

    private struct Engine {
        let child: StartedChild
        let input: FileHandle
        let output: FileHandle
        var unread = Data()
    }

    private struct State {
        var engine: Engine?
        var known: [String: StateValue] = [:]
    }

    private let state = Mutex(State())

    /// Answers each line of JSON with one, the result of the script as text.
    private static let server = """
        const vm = require('vm');
        require('readline').createInterface({ input: process.stdin }).on('line', line => {
            const { code, inputs } = JSON.parse(line);
            let result;
            try { result = String(vm.runInNewContext(code, inputs)) } catch (error) { result = 'failed: ' + error }
            process.stdout.write(JSON.stringify({ result }) + '\\n');
        });
        """

    /// What a script makes of its inputs; a text that says why where it fails.
    func run(_ code: String, _ inputs: [(String, StateValue)], isNumber: Bool) -> StateValue {
        let values = inputs.map { (name, value) -> (String, Any) in
            switch value {
            case .none: (name, NSNull())
            case .number(let number): (name, number)
            case .text(let text), .choice(let text): (name, text)
            }
        }
        let question: [String: Any] = ["code": code, "inputs": Dictionary(values) { $1 }]
        let key = code + inputs.map { "\u{1F}\($0.0)=\($0.1.spelled)" }.joined()
        return state.withLock { state in
            if let known = state.known[key] { return known }
            let value: StateValue
            do {
                let line = try JSONSerialization.data(withJSONObject: question) + Data("\n".utf8)
                let result = try Self.ask(line, &state.engine)
                value = isNumber ? Double(result).map { .number(Int64($0)) } ?? .none : .text(result)
            } catch {
                value = .text("failed: \(error)")
            }
            state.known[key] = value
            return value
        }
    }

    private static func ask(_ line: Data, _ engine: inout Engine?) throws -> String {
        var running = try engine ?? start()
        try running.input.write(contentsOf: line)
        while !running.unread.contains(0x0A) {
            let more = running.output.availableData
            guard !more.isEmpty else { throw NotSeen(description: "node has ended") }
            running.unread += more
        }
        let end = running.unread.firstIndex(of: 0x0A) ?? running.unread.endIndex
        let answer = try JSONSerialization.jsonObject(with: running.unread[..<end]) as? [String: String]
        running.unread = Data(running.unread[running.unread.index(after: end)...])
        engine = running
        return answer?["result"] ?? ""
    }

    private static func start() throws -> Engine {
        let (input, output) = try (ChildPipe(), ChildPipe())
        let node = TestSupport.ChildProcess.path(of: "node") ?? "/usr/bin/node"
        let child = try StartedChild(
            [node, "-e", server],
            [.copy(of: input.reading.fileDescriptor), .copy(of: output.writing.fileDescriptor)])
        for end in [input.reading, output.writing] { try? end.close() }
        // It ends with its input, when the tests end.
        return Engine(child: child, input: input.writing, output: output.reading)
    }
}
