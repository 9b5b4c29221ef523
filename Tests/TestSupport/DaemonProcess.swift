// SPDX-License-Identifier: MIT
// The real rerenderd as a child process.

import Foundation
import Glibc

/// A child process with its output in files, so that nothing blocks on a full pipe.
package final class TestProcess {
    private let process = Process()
    private let input: FileHandle
    private let outputFile: String
    package var pid: Int32 { process.processIdentifier }

    /// Starts a program; the environment is `environment` and PATH.
    package init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        outputFile = try TestFile.makeDirectory() + "/output"
        try TestFile.write([], to: outputFile)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { own, _ in own }
        let output = FileHandle(forWritingAtPath: outputFile)
        process.standardOutput = output
        process.standardError = output
        let pipe = try ChildPipe()
        process.standardInput = pipe.reading
        input = pipe.writing
        try process.run()
        try? pipe.reading.close()
    }

    deinit {
        if process.isRunning { Glibc.kill(pid, SIGKILL) }
    }

    /// What it wrote so far to stdout and stderr.
    package var output: String { (try? String(contentsOfFile: outputFile, encoding: .utf8)) ?? "" }

    package func send(signal: Int32) {
        Glibc.kill(pid, signal)
    }

    package func closeInput() {
        try? input.close()
    }

    /// Waits for the end; returns the exit status, or minus the signal.
    package func wait(within seconds: Double = 20) async throws -> Int32 {
        try await eventually(within: seconds, "the end of \(name)", seen: { "it runs and said: \(output)" }) {
            process.isRunning ? nil : ()
        }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Waits until it wrote a text. Throws at once if it ends without.
    package func waitFor(_ text: String, within seconds: Double = 20) async throws {
        let isWritten: Bool = try await eventually(
            within: seconds, "\"\(text)\" of \(name)", seen: { "it said: \(output)" }
        ) {
            let isRunning = process.isRunning
            return output.contains(text) ? true : isRunning ? nil : false
        }
        guard isWritten else {
            throw NeverHappened(description: "\(name) ended without \"\(text)\"; it said: \(output)")
        }
    }

    private var name: String { process.executableURL?.lastPathComponent ?? "" }
}

/// A real `rerenderd` in a directory of its own.
package final class DaemonProcess {
    package let directory: String
    package let process: TestProcess
    package var http: UnixHTTP { UnixHTTP(directory + "/query.sock") }
    package var pushSocket: String { directory + "/push.sock" }

    package init(
        directory: String? = nil, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws {
        self.directory = try directory ?? TestFile.makeDirectory()
        process = try TestProcess(
            ChildProcess.product("rerenderd"), ["--foreground", "--runtime-dir", self.directory] + arguments,
            environment: environment)
        try await process.waitFor(" ready ")
    }
}
