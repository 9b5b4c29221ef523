// SPDX-License-Identifier: MIT
// A real daemon, and an app in which there are several copies of the library.

import Foundation
import RerenderModel
import TestSupport
import Testing

/// A real daemon, and an app with plug-ins.
final class CopiesLab {
    private(set) var daemon: DaemonProcess
    let app: ChildProcess
    let program: String
    private let state: String

    /// - Parameter exportsSymbols: The program is one that was linked with `-rdynamic`, and the loader writes down what it binds.
    init(plugIns: Int, exportsSymbols: Bool = false) async throws {
        state = try TestFile.makeDirectory()
        daemon = try await DaemonProcess(["--state-dir", state])
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = daemon.directory
        environment["RERENDER_WAIT_AT_EXIT"] = "20000"
        if exportsSymbols {
            program = try await Fixture.made("copies/counting")
            environment.merge(["LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": "\(state)/bindings"]) { $1 }
        } else {
            program = ChildProcess.product("counting")
        }
        app = try ChildProcess([program, "copies"], environment: environment)
        let plugIn = try await Fixture.made("copies/plug-in.so")
        for number in 0..<plugIns {
            // A file of another name is another library.
            try FileManager.default.copyItem(atPath: plugIn, toPath: "\(state)/plug-in-\(number).so")
        }
        try await load(plugIns: plugIns)
    }

    /// Has the app load the first plug-ins.
    func load(plugIns: Int) async throws {
        for number in 0..<plugIns {
            let answer = try await app.ask("load \(state)/plug-in-\(number).so")
            #expect(answer == "loaded")
        }
    }

    /// What the loader bound, a line for each symbol: `binding file A [0] to B [0]: normal symbol ...`.
    var bindings: [Substring] {
        get throws {
            try String(contentsOfFile: "\(state)/bindings.\(app.processID)", encoding: .utf8).split(separator: "\n")
                .filter { $0.contains("binding file") }
        }
    }

    /// How many pages the app has mapped.
    func pages() throws -> Int {
        try TestFile.text("/proc/\(app.processID)/maps").split(separator: "\n").count {
            $0.contains("/memfd:rerender-\(app.processID).page")
        }
    }

    func health() throws -> HealthReport { try daemon.http.get("/v1/health").json(HealthReport.self) }

    /// A program without the library that does nothing until it is killed, whatever its arguments.
    func sleeper() async throws -> String {
        let path = state + "/sleeper"
        try await ChildProcess.makeScript("#!/bin/sh\nexec sleep 100000\n", at: path)
        return path
    }

    /// Ends the daemon by a signal, does something, and starts another one in its place.
    func restartDaemon(after signal: Int32, _ meanwhile: () async throws -> Void) async throws {
        daemon.process.send(signal)
        _ = try await daemon.process.wait()
        try await meanwhile()
        daemon = try await DaemonProcess(directory: daemon.directory, ["--state-dir", state])
    }

    func stores() throws -> [ProcessStats] {
        try daemon.http.get("/v1/stats").json(StatsExport.self).processes.filter { $0.pid == app.processID }
    }

    func hangs() throws -> [Hang] {
        try daemon.http.get("/v1/hangs?process=\(app.processID)").json(HangList.self).hangs
    }

    /// Waits until the daemon lists these stores with these evaluations, and none beside them; what the app still sends changes nothing.
    ///
    /// - Parameter connected: Whether all are; nil if some are.
    func expect(_ truth: [String: [UInt64]], connected: Bool? = true) async throws {
        func listed() throws -> [String: [UInt64]] {
            Dictionary(grouping: try stores(), by: \.store).mapValues { $0.map(\.evaluations).sorted() }
        }
        try await daemon.http.eventually("the counts", seen: { try self.stores() }) { () -> Void? in
            let stores = try stores()
            if let connected, !stores.allSatisfy({ $0.connected == connected }) { return nil }
            return try listed() == truth ? () : nil
        }
        // Each copy that is connected answers after what it had to send. Copies that superseded each other would not all be connected.
        try await daemon.http.eventually("an answer of each copy", seen: { try self.stores() }) { () -> Void? in
            let report = try daemon.http.post("/v1/pulse", #"{"key": "no view"}"#).json(CommandReport.self)
            return report.confirmed == report.sent ? () : nil
        }
        let now = try listed()
        #expect(now == truth)
        // What nothing was counted of would be equal, too.
        #expect(now.values.joined().contains { $0 > 0 }, "nothing was counted")
    }
}
