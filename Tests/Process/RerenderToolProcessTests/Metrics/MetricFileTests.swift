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

    /// How much counters have grown in the files that were read, as a reader of Prometheus adds it up.
    ///
    /// A view that loses its place takes its counter along, and begins with 0 if it gets one again.
    private struct Growth {
        private var latest: [Substring: Double] = [:]
        private(set) var total = 0.0

        mutating func add(_ samples: [Substring: Double]) {
            for (labels, value) in samples {
                let before = latest[labels] ?? 0
                #expect(value >= before, "\(labels)")
                total += value - before
            }
            latest = samples
        }
    }

    @Test("shows what a real app counted itself, and goes on from it, also with another daemon", .promise)
    func groundTruth() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 12_345)
        let text = try await Self.export(bench)
        let truth = try await Self.truth(app)
        let views = Self.samples("rerender_view_evaluations_total", text)
        var growth = Growth()
        growth.add(views)
        #expect(views.count == min(truth.count, 20) + 1 && views.values.reduce(0, +) == 12_345)
        for (name, count) in truth {
            let parts = name.split(separator: "/")
            let labels = "process=\"counting\",store=\"\(parts[0])\",view=\"\(parts[1])\""
            let shown = views[labels[...]]
            #expect(shown == nil && truth.count > 20 || shown == count, "\(name)")
        }
        #expect(Self.samples("rerender_evaluations_total", text)["process=\"counting\""] == 12_345)
        #expect(Self.samples("rerender_connected_processes", text)["process=\"counting\""] == 1)

        // A daemon that knows nothing, and that the app then tells everything.
        bench.daemon?.send(SIGTERM)
        try await bench.daemon?.wait()
        let second = try Spawned([Program.rerenderd, "--foreground", "--runtime-dir", bench.path])
        try await second.expectError(" ready ")
        growth.add(Self.samples("rerender_view_evaluations_total", try await Self.export(bench)))
        let before = app.outputBytes.count
        app.type("run 1000\n")
        try await app.expect("done", after: before)
        // The store's number is there at once, and those of its views follow.
        try await bench.seen("the evaluations of all views", in: "/v1/stats") {
            $0.viewEvaluations(of: app.pid) == 13_345
        }
        let after = try await Self.export(bench)
        growth.add(Self.samples("rerender_view_evaluations_total", after))
        #expect(growth.total == 13_345)
        #expect(Self.samples("rerender_evaluations_total", after)["process=\"counting\""] == 13_345)
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
        let counted = Self.samples("rerender_view_evaluations_total", text).values.reduce(0, +)
        let lost = Self.samples("rerender_lost_evaluations_total", text)["process=\"counting\""] ?? 0
        #expect(
            counted + lost == 100 && Self.samples("rerender_connected_processes", text)["process=\"counting\""] == 0)
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
        var (ledger, store) = (MetricLedger(), Sample.store("a{b=\"c\"}\n", store: "\\"))
        store.views = names.map { Sample.view(ViewKey(rawValue: $0), count: 3) }
        ledger.add(store)
        let result = ledger.result(at: Sample.now)
        for uid in [1_000, 1_001] as [UInt32] {
            let directory = "\(bench.path)/metrics-\(uid)"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let text = MetricText.text(result, forgotten: 0, uid: uid, isContinued: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/rerender.prom"))
        }
        let served = try await MetricChecker.served(bench.path + "/metrics-*").split(separator: "\n")
        #expect(served.contains("node_textfile_scrape_error 0"), "\(served)")
        let views = served.filter { $0.hasPrefix("rerender_view_evaluations_total{") }
        let hasUnicode = views.contains { $0.contains("view=\"日本 🛒\"") }
        #expect(views.count == 2 * (names.count + 1) && hasUnicode, "\(views)")
    }

    @Test("on standard output there is one look, and nothing to go on from")
    func standardOutput() async throws {
        let bench = try await Bench(withDaemon: ())
        for arguments in [["export", "--format", "prometheus"], ["export", "--format=prometheus", "-o", "-"]] {
            let process = try bench.start(arguments)
            #expect(try await process.wait() == .exited(0))
            #expect(process.standardOutput.hasPrefix("# Not for scraping"))
        }
        #expect(try await bench.ctl("export", "--format", "xml").ending == .exited(64))
    }

    @Test("a file without counters is replaced, and that is said; one that cannot be read or is too long is kept")
    func otherFiles() async throws {
        let bench = try await Bench(withDaemon: ())
        let file = Self.file(bench)
        try Data("old".utf8).write(to: URL(fileURLWithPath: file))
        let replaced = try await bench.ctl("export", "--format", "prometheus", "-o", file)
        #expect(replaced.ending == .exited(0) && replaced.errors.contains("begin anew"), "\(replaced)")
        #expect(try await Self.export(bench).contains("rerender-state"))
        #expect(truncate(file, 17 << 20) == 0)
        let long = try await bench.ctl("export", "--format", "prometheus", "-o", file)
        #expect(long.ending == .exited(74) && long.errors.contains("Remove it"), "\(long)")
        let nowhere = try await bench.ctl("export", "--format", "prometheus", "-o", bench.path + "/no/such/dir.prom")
        #expect(nowhere.ending == .exited(73) && nowhere.errors.contains("No such file or directory"))
        #expect(try await bench.ctl("export", "--format", "prometheus", "-o", "/dev/full").ending == .exited(74))
    }

    @Test("waits while another export has the file, and many at once let no counter fall")
    func atOnce() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 100)
        let file = Self.file(bench)
        let first = try await Self.export(bench)
        let held = open(file, O_RDONLY | O_CLOEXEC)
        #expect(held >= 0 && flock(held, LOCK_EX) == 0)
        let waiting = try bench.start(["export", "--format", "prometheus", "-o", file])
        let descriptors = "/proc/\(waiting.pid)/fd"
        try await eventually("the export at the file") {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
            return files.contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")) == file
            } ? () : nil
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == first)
        flock(held, LOCK_UN)
        close(held)
        #expect(try await waiting.wait() == .exited(0))

        var latest = 100.0
        for round in 1...3 {
            let exports = try (0..<6).map { _ in try bench.start(["export", "--format", "prometheus", "-o", file]) }
            app.type("run 50\n")
            for export in exports { #expect(try await export.wait() == .exited(0), "\(round)") }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let count = Self.samples("rerender_evaluations_total", text)["process=\"counting\""] ?? 0
            #expect(count >= latest)
            latest = count
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: bench.path).filter { $0.contains("prom") } == [
                "rerender.prom"
            ])
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
