// SPDX-License-Identifier: MIT
// What watching the widgets of a GTK 4 program costs: its frames, the HUD above them, and its sleep.

import Foundation

/// Where the programs and libraries are that `Scripts/bench` has built.
struct GTKBenchmarks {
    /// The library that is preloaded.
    let preload: String
    /// `Benchmarks/CBench/Programs/gtk-frames`, which is preloaded in front of both sides: it has 200 widgets drawn again in each frame.
    let driver: String
    /// `Benchmarks/CBench/Programs/gtk-widgets`, which is idle.
    let idleProgram: String

    private static let program = "gtk4-widget-factory"
    private static let widgets = 200

    private var watched: [String: String] { ["LD_PRELOAD": "\(preload):\(driver)"] }
    private var plain: [String: String] { ["LD_PRELOAD": driver] }

    /// The instructions of GTK's thread in a frame of `gtk4-widget-factory` that draws 200 widgets again, against the same without
    /// the library. The window's content fades a bit in each frame, so that all of it is painted.
    ///
    /// Other threads are left out: what the uplink sends, it sends a few times a second, and a frame takes fifty times as long here.
    func frame() throws -> Row {
        let rounds = try Rounds(3, of: 20) {
            try instructions(watched, $0)
        } baseline: {
            try instructions(plain, $0)
        }
        // The same where everything looks as before, so that GTK paints nothing: all of it is the widgets' snapshots.
        let unchanged = ["BENCH_UNCHANGED": "1"]
        let bare = try instructions(watched.merging(unchanged) { $1 }, 20)
        let plainBare = try instructions(plain.merging(unchanged) { $1 }, 20)
        let (ours, baseline) = (Spread(rounds.ours).median, Spread(rounds.baseline).median)
        return Row(
            name: "gtk.frame", unit: "instructions", ours: ours, baseline: baseline, ratio: Spread(rounds.ratios),
            more: [
                ("more-a-widget", (bare - plainBare) / Double(Self.widgets)), ("unpainted", bare),
                ("unpainted-baseline", plainBare), ("unpainted-ratio", bare / plainBare),
            ], target: "ratio at most 1.1")
    }

    /// The instructions of the first thread, which is GTK's, in a frame.
    private func instructions(_ variables: [String: String], _ frames: Int) throws -> Double {
        let directory = FileManager.default.temporaryDirectory.appending(path: "rerender-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        // A child that GTK forks would write over it. The driver begins to count when the window has settled.
        let command = [
            "valgrind", "--tool=callgrind", "--separate-threads=yes", "--instr-atstart=no",
            "--callgrind-out-file=\(directory.path)/%p", Self.program,
        ]
        let settings = ["BENCH_FRAMES": "\(frames)", "BENCH_SETTLING": "120"]
        _ = try Child.output(command, adding: variables.merging(settings) { $1 })
        let totals = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix("-01") }
            .compactMap { try Self.total(String(contentsOf: directory.appending(path: $0), encoding: .utf8)) }
        guard let most = totals.max(), most > 0 else {
            throw Fault("callgrind does not tell how many instructions there were")
        }
        return most / Double(frames)
    }

    /// The total of a file of callgrind's.
    static func total(_ dump: String) -> Double? {
        let line = dump.split(separator: "\n").last { $0.hasPrefix("totals: ") }
        return line.flatMap { Double($0.dropFirst("totals: ".count)) }
    }

    /// The processor time of such a frame with the HUD, against one that is watched without it.
    ///
    /// Of all threads, while frames come as often as they do for a user. One process shows and hides the HUD in turn: between two
    /// processes the same frame differs by more than the HUD takes. The first second is left out, as LTTng is loaded in it.
    func hud() throws -> Row {
        let rounds = 80
        let library = URL(filePath: preload).deletingLastPathComponent().appending(path: "librerender-gtk.so").path
        let settings = [
            "BENCH_FRAMES": "30", "BENCH_SETTLING": "60", "BENCH_HUD": library, "BENCH_ROUNDS": "\(rounds)",
        ]
        let output = try Child.output([Self.program], adding: watched.merging(settings) { $1 }).output
        let pairs = output.split(separator: "\n").compactMap { line -> (ours: Double, baseline: Double)? in
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            return numbers.count == 3 && numbers[0] == Double(Self.widgets) ? (numbers[1], numbers[2]) : nil
        }
        guard pairs.count == rounds else {
            throw Fault("\(Self.program) did not draw \(Self.widgets) widgets \(rounds) times, but said: \(output)")
        }
        return Rounds(pairs.dropFirst()).row("gtk.hud", target: "ratio at most 1.05")
    }

    /// How often a thread of an idle program is woken in 30 s, against the same without the library.
    func idle() throws -> Row {
        let (ours, baseline) = try (switches(["LD_PRELOAD": preload]), switches([:]))
        return Row(
            name: "gtk.idle", unit: "wake-ups", ours: ours, baseline: baseline, ratio: nil,
            target: "not more than without")
    }

    private func switches(_ variables: [String: String]) throws -> Double {
        let output = try Child.output([idleProgram, "idle", "30"], adding: variables).output
        guard let number = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Fault("\(idleProgram) gives no number")
        }
        return number
    }
}
