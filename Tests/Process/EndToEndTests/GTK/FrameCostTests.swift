// SPDX-License-Identifier: MIT
// What names cost GTK's thread in frames: nothing where there are no scripts. What a daemon costs it is a figure of the proof.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite(
    "The cost of a frame of GTK", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct FrameCostTests {
    private static let program = "gtk4-widget-factory"
    private static let count = 20
    private static let widgets = 200

    private static let obstacle: String? = {
        let missing = ["valgrind", program].filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }()

    /// What GTK's thread did in some frames: each draws widgets again that look as before.
    private struct Frames {
        let instructions: Int
        let profile: CallgrindProfile

        /// From a file of callgrind's; nil for one that has no total.
        init?(_ text: String) {
            let total = text.split(separator: "\n").last { $0.hasPrefix("totals: ") }
            guard let total, let number = Int(total.dropFirst("totals: ".count)) else { return nil }
            (instructions, profile) = (number, CallgrindProfile(text))
        }

        func calls(of function: String) -> Int {
            profile.functions.values.compactMap { $0.calls[function] }.reduce(0, +)
        }

        /// Instructions of the functions themselves whose names begin so.
        func own(_ prefixes: [String]) -> Int {
            profile.functions.filter { function in prefixes.contains(where: function.key.hasPrefix) }
                .reduce(0) { $0 + $1.value.instructions }
        }
    }

    /// Counts under callgrind, as the row gtk.frame of Scripts/bench does: other threads are left out.
    private func frames(_ more: [String: String]) async throws -> Frames {
        let (server, directory) = (try await XServer(), try TemporaryDirectory())
        let (preload, driver) = (try await Fixture.preload(), try await Fixture.made("c/frame-driver.so"))
        let settings = [
            "LD_PRELOAD": "\(preload):\(driver)", "BENCH_FRAMES": "\(Self.count)", "BENCH_SETTLING": "120",
            "BENCH_UNCHANGED": "1",
        ]
        // A child that GTK forks would write over it. The driver begins to count when the window has settled.
        let output = try await ChildProcess.run(
            [
                try ReleaseCost.path("valgrind"), "--tool=callgrind", "--separate-threads=yes", "--instr-atstart=no",
                "--compress-strings=no", "--compress-pos=no", "--dump-line=no",
                "--callgrind-out-file=\(directory.path)/%p", try ReleaseCost.path(Self.program),
            ], environment: server.whole(settings.merging(more) { $1 }))
        try #require(output.exit == .status(0) && output.standardOutput.hasPrefix("\(Self.widgets) "), "\(output)")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix("-01") }
        let texts = try files.map { try String(contentsOfFile: "\(directory.path)/\($0)", encoding: .utf8) }
        withExtendedLifetime((server, directory)) {}
        return try #require(texts.compactMap { Frames($0) }.max { $0.instructions < $1.instructions }, "\(files)")
    }

    @Test(
        "A program without scripts is asked for no name of one",
        .enabled(if: obstacle == nil, "\(obstacle ?? "")"))
    func names() async throws {
        let plain = try await frames(["RERENDER_RUNTIME_DIR": try TestFile.makeDirectory()])
        // The writer of each widget's drawing is looked for, or nothing is counted here.
        let drawn = Self.count * Self.widgets
        #expect(plain.calls(of: "writers_origin") > drawn / 4, "\(plain.calls(of: "writers_origin")) of \(drawn)")
        for function in ["crerender_may_name", "crerender_python_begin", "crerender_python_place", "swift_demangle"] {
            #expect(plain.calls(of: function) == 0, "\(function)")
        }
        // What asks whether there are scripts, or a binding's functions, is in front of it.
        let asking = plain.own([
            "crerender_script_", "crerender_called_function", "crerender_lasting_function", "crerender_is_passed_over",
            "javascript_", "engine_here",
        ])
        Figure.note("instructions that ask for names in a frame of GTK without any", asking / Self.count, "")
        #expect(asking * 200 <= plain.instructions, "\(asking) of \(plain.instructions)")

        let daemon = try await DaemonProcess()
        let named = try await frames(["RERENDER_RUNTIME_DIR": daemon.directory, "RERENDER_WAIT_AT_EXIT": "60000"])
        let views = try daemon.http.get("/v1/stats").json(StatsExport.self).processes.flatMap(\.views)
        let writers = Set(views.flatMap(\.reasons).flatMap(\.writers).map(\.writer))
        #expect(writers.contains { $0.hasPrefix("tick() ") }, "\(writers)")
        let parts = Double(named.instructions) / Double(plain.instructions)
        Figure.note("instructions of a frame of GTK whose writers are named, to one without a daemon", parts, "")
    }
}
