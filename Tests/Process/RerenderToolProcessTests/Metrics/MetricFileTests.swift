// SPDX-License-Identifier: MIT
// Metrics of a real daemon and a real app, as Prometheus' own tools read them.

import Foundation
import Glibc
import RerenderModel
@testable import RerenderShow
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

/// Prometheus' promtool and node_exporter, which Scripts/lib/fetch-checkers fetches.
private enum MetricChecker {
    private static let folder = Checkout.url(".build/prometheus")

    static let promtool = folder.path + "/promtool"
    static let nodeExporter = folder.path + "/prometheus-node-exporter"

    static var isThere: Bool { access(promtool, X_OK) == 0 && access(nodeExporter, X_OK) == 0 }

    /// What promtool says against a file; empty if nothing.
    static func complaints(_ path: String) async throws -> String {
        let shell = "\(promtool) check metrics < \(path) 2>&1"
        let output = try await TestSupport.ChildProcess.run(["/bin/sh", "-c", shell])
        return output.standardOutput + (output.succeeded ? "" : "\(output.exit)")
    }

    /// What node_exporter serves of the files in directories, which it is started for.
    static func served(_ directories: String) async throws -> String {
        let exporter = try Spawned([
            nodeExporter, "--collector.disable-defaults", "--collector.textfile",
            "--collector.textfile.directory=\(directories)", "--web.listen-address=127.0.0.1:0",
        ])
        try await exporter.expectError("TLS is disabled")
        let address = exporter.standardError.firstMatch(of: /"Listening on" address=(\S+)/)?.1 ?? ""
        let output = try await TestSupport.ChildProcess.run(["/usr/bin/curl", "-sS", "http://\(address)/metrics"])
        exporter.send(SIGTERM)
        try await exporter.wait()
        guard output.succeeded else { throw NotSeen(description: output.standardError) }
        return output.standardOutput
    }
}

@Suite("rerenderctl export --format prometheus")
struct MetricFileTests {
    private static func file(_ bench: Bench) -> String { bench.path + "/rerender.prom" }

    private static func export(_ bench: Bench) async throws -> String {
        let outcome = try await bench.ctl("export", "--format", "prometheus", "-o", file(bench))
        #expect(outcome.ending == .exited(0) && outcome.output.isEmpty, "\(outcome)")
        return try String(contentsOfFile: file(bench), encoding: .utf8)
    }

    /// The samples of a metric by the rest of their labels.
    private static func samples(_ name: String, _ text: String) -> [Substring: Double] {
        let start = "\(name){uid=\"\(geteuid())\","
        return text.split(separator: "\n").filter { $0.hasPrefix(start) }.reduce(into: [:]) { samples, line in
            guard let end = line.lastIndex(of: "}") else { return }
            samples[line[line.index(line.startIndex, offsetBy: start.count)..<end]] =
                Double(line[end...].dropFirst(2))
        }
    }

    /// What the app counted itself.
    private static func truth(_ app: Spawned) async throws -> [String: Double] {
        let before = app.outputBytes.count
        app.type("counts\n")
        try await app.expect("\n", after: before)
        let line = String(decoding: app.outputBytes.dropFirst(before), as: UTF8.self).dropLast()
        return line.split(separator: ";").reduce(into: [:]) { truth, entry in
            let sides = entry.split(separator: "=")
            truth[String(sides[0])] = Double(sides[1])
        }
    }

    /// The sum over the processes, stores and views of a metric.
    private static func sum(_ name: String, _ text: String) -> Double {
        samples(name, text).values.reduce(0, +)
    }

    @Test("shows what a real app counted itself, and no counter falls with another daemon", .promise)
    func groundTruth() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 12_345)
        let text = try await Self.export(bench)
        let truth = try await Self.truth(app)
        let process = "process=\"counting\",pid=\"\(app.pid)\""
        let views = Self.samples("rerender_view_evaluations_total", text)
        let counted = truth.reduce(into: [:] as [Substring: Double]) { counted, view in
            let parts = view.key.split(separator: "/")
            let labels = "\(process),store=\"\(parts[0])\",view=\"\(parts[1])\""
            counted[labels[...]] = view.value
        }
        #expect(views.count == 20 && views.allSatisfy { counted[$0.key] == $0.value }, "\(views)")
        #expect(Self.samples("rerender_left_out_series", text)["of=\"views\""] == Double(truth.count - 20))
        let evaluations = Self.samples("rerender_evaluations_total", text)
        #expect(evaluations.count == 3 && Self.sum("rerender_evaluations_total", text) == 12_345)
        #expect(Self.samples("rerender_connected_processes", text) == [process[...]: 1])

        // A daemon that knows nothing, and that the app then tells everything.
        bench.daemon?.send(SIGTERM)
        try await bench.daemon?.wait()
        let second = try Spawned([Program.rerenderd, "--foreground", "--runtime-dir", bench.path])
        try await second.expectError(" ready ")
        let before = app.outputBytes.count
        app.type("run 1000\n")
        try await app.expect("done", after: before)
        // The store's number is there at once, and those of its views follow.
        try await bench.seen("the evaluations of all views", in: "/v1/stats") {
            $0.viewEvaluations(of: app.pid) == 13_345
        }
        let after = try await Self.export(bench)
        #expect(Self.sum("rerender_evaluations_total", after) == 13_345)
        for metric in ["rerender_evaluations_total", "rerender_view_evaluations_total"] {
            let fallen = Self.samples(metric, after).filter { $1 < Self.samples(metric, text)[$0] ?? 0 }
            #expect(fallen.isEmpty)
        }
        let created = "rerender_evaluations_created"
        #expect(Self.samples(created, after) == Self.samples(created, text), "nothing began anew")
    }

    @Test("a process that is killed has its lost evaluations, and its counters stay")
    func lost() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 100)
        _ = try await Self.export(bench)
        app.send(SIGKILL)
        try await app.wait()
        try await bench.seen("the app's end") { $0.processes.allSatisfy { $0["connected"] as? Bool == false } }
        let text = try await Self.export(bench)
        #expect(Self.sum("rerender_evaluations_total", text) == 100)
        #expect(Array(Self.samples("rerender_connected_processes", text).values) == [0])
    }

    @Test(
        "promtool finds nothing to complain about, whatever apps name",
        .enabled(if: MetricChecker.isThere, "needs promtool: run Scripts/lib/fetch-checkers"))
    func promtool() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 1)
        let before = app.outputBytes.count
        app.type("hostile\n")
        try await app.expect("done", after: before)
        try await bench.seen("the hostile labels", in: "/v1/stats") { $0.viewEvaluations(of: app.pid) == 5 }
        let text = try await Self.export(bench)
        #expect(text.contains("nul\\\\u{0}inside"))
        #expect(try await MetricChecker.complaints(Self.file(bench)) == "")
        // It does find what is wrong.
        try Data("# TYPE a_total gauge\na_total{x=\"\\q\"} 1\n".utf8).write(to: URL(fileURLWithPath: Self.file(bench)))
        #expect(try await MetricChecker.complaints(Self.file(bench)) != "")
    }

    @Test(
        "node_exporter serves the files of several users without an error",
        .enabled(if: MetricChecker.isThere, "needs node_exporter: run Scripts/lib/fetch-checkers"))
    func nodeExporter() async throws {
        let bench = try Bench()
        let names = ["Cart", "a\"b\\c\n", "\u{1B}[2J", "日本 🛒", ""]
        var store = Sample.store("a{b=\"c\"}\n", store: "\\")
        store.views = names.map { Sample.view(ViewKey(rawValue: $0), count: 3) }
        for uid in [1_000, 1_001] as [UInt32] {
            let directory = "\(bench.path)/metrics-\(uid)"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let text = MetricText.text(Sample.export([store]), forgotten: 0, uid: uid)
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/rerender.prom"))
        }
        let served = try await MetricChecker.served(bench.path + "/metrics-*").split(separator: "\n")
        #expect(served.contains("node_textfile_scrape_error 0"), "\(served)")
        let views = served.filter { $0.hasPrefix("rerender_view_evaluations_total{") }
        let hasUnicode = views.contains { $0.contains("view=\"日本 🛒\"") }
        #expect(views.count == 2 * names.count && hasUnicode, "\(views)")
    }

    @Test("standard output has the same metrics")
    func standardOutput() async throws {
        let bench = try await Bench(withDaemon: ())
        for arguments in [["export", "--format", "prometheus"], ["export", "--format=prometheus", "-o", "-"]] {
            let process = try bench.start(arguments)
            #expect(try await process.wait() == .exited(0))
            let text = try await Self.export(bench)
            #expect(process.standardOutput == text)
        }
        #expect(try await bench.ctl("export", "--format", "xml").ending == .exited(64))
    }

    @Test("another file is replaced, and one that cannot be made or written to is said")
    func otherFiles() async throws {
        let bench = try await Bench(withDaemon: ())
        let file = Self.file(bench)
        try Data("old".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try await Self.export(bench).hasPrefix("# HELP"))
        let nowhere = try await bench.ctl("export", "--format", "prometheus", "-o", bench.path + "/no/such/dir.prom")
        #expect(nowhere.ending == .exited(73) && nowhere.errors.contains("No such file or directory"))
        #expect(try await bench.ctl("export", "--format", "prometheus", "-o", "/dev/full").ending == .exited(74))
    }

    @Test("without a daemon the file stays as it was, and none is left where there was none")
    func noDaemon() async throws {
        let bench = try Bench()
        let file = Self.file(bench)
        #expect(try await bench.ctl("export", "--format", "prometheus", "-o", file).ending == .exited(69))
        #expect(access(file, F_OK) != 0)
        try Data("old".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try await bench.ctl("export", "--format", "prometheus", "-o", file).ending == .exited(69))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path).sorted() == ["rerender.prom"])
    }
}
