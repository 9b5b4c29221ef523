// SPDX-License-Identifier: MIT
// Programs that are started to be measured.

import CBench
import Foundation

/// Runs programs to their end.
enum Child {
    /// What one run took.
    struct Usage {
        /// From its start to its end.
        let wallSeconds: Double
        let processorSeconds: Double
        let megabytes: Double
    }

    /// Runs a program to its end, which must be a good one, and returns what it used, as the kernel counts it. Its output is
    /// thrown away.
    ///
    /// Proof of the unsafe parts: texts are copied by the call that starts the process, and freed after it.
    static func run(_ command: [String], adding variables: [String: String] = [:]) throws -> Usage {
        let all = ProcessInfo.processInfo.environment.merging(variables) { $1 }.map { "\($0)=\($1)" }
        let texts = unsafe ((command + all).map { unsafe strdup($0) })
        defer { for index in 0..<(command.count + all.count) { unsafe free(texts[index]) } }
        let arguments = unsafe Array(texts.prefix(command.count)) + [nil]
        let environment = unsafe Array(texts.dropFirst(command.count)) + [nil]
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            unsafe posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        let start = cbench_now()
        var pid: pid_t = 0
        guard unsafe posix_spawnp(&pid, command[0], &actions, nil, arguments, environment) == 0 else {
            throw Fault("\(command[0]) does not start")
        }
        var status: CInt = 0
        var usage = rusage()
        guard unsafe wait4(pid, &status, 0, &usage) == pid, status == 0 else { throw Fault("\(command) failed") }
        let wall = Double(cbench_now() - start) / 1e9
        let microseconds =
            (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + usage.ru_utime.tv_usec
            + usage.ru_stime.tv_usec
        return Usage(
            wallSeconds: wall, processorSeconds: Double(microseconds) / 1e6,
            megabytes: Double(usage.ru_maxrss) * 1_024 / 1e6)
    }
}

extension Child {
    /// Runs a program to its end, which must be a good one, and returns what it wrote.
    static func output(
        _ command: [String], adding variables: [String: String] = [:]
    ) throws -> (output: String, errors: String) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // What these programs write fits into a pipe.
        let texts = (output.text, errors.text)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Fault("\(command) failed: \(texts.1)")
        }
        return texts
    }
}

extension Pipe {
    fileprivate var text: String { String(decoding: fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
}

/// A program that answers lines, and runs until this is released.
final class AnsweringChild {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ program: String, adding variables: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func ask(_ line: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        var answer = Data()
        while answer.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Fault("\(process.executableURL?.path ?? "the program") has ended") }
            answer.append(more)
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }
}
