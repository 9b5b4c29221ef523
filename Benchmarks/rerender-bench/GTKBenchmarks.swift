// SPDX-License-Identifier: MIT
// What watching the widgets of a GTK 4 program costs: its frames, the HUD above them, and its sleep.

import Foundation

/// Where the program and the library are that `Scripts/bench` has built.
struct GTKBenchmarks {
    /// The library that is preloaded.
    let preload: String
    /// `Benchmarks/gtk-widgets`.
    let program: String

    private var watched: [String: String] { ["LD_PRELOAD": preload] }

    /// The instructions of a frame that draws 200 widgets again, against the same without the library.
    ///
    /// From the difference of two runs, so that the start is no part of it. Instructions do not spread.
    func frame() throws -> Row {
        let (ours, baseline) = try (instructions(watched), instructions([:]))
        let ratio = Spread([ours / baseline])
        return Row(
            name: "gtk.frame", unit: "instructions", ours: ours, baseline: baseline, ratio: ratio,
            target: "ratio at most 1.1")
    }

    private func instructions(_ variables: [String: String]) throws -> Double {
        func collected(_ frames: Int) throws -> Double {
            let output = try Child.output(
                ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "frames", "\(frames)"],
                adding: variables)
            // A child that GTK forks ends before it.
            let line = output.errors.split(separator: "\n").last { $0.contains("Collected : ") }
            guard let number = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
                throw Fault("callgrind does not tell how many instructions there were")
            }
            return number
        }
        let (few, many) = (5, 25)
        return try (collected(many) - collected(few)) / Double(many - few)
    }

    /// The processor time of such a frame with the HUD, against one that is watched without it.
    func hud() throws -> Row {
        let rounds = try Rounds(15, of: 120) {
            try nanoseconds($0, watched.merging(["RERENDER_HUD": "top-right"]) { $1 })
        } baseline: {
            try nanoseconds($0, watched)
        }
        return Row(
            name: "gtk.hud", unit: "ns", ours: Spread(rounds.ours).median, baseline: Spread(rounds.baseline).median,
            ratio: Spread(rounds.ratios), target: "ratio at most 1.05")
    }

    private func nanoseconds(_ frames: Int, _ variables: [String: String]) throws -> Double {
        try number(["frames", "\(frames)"], variables)
    }

    /// How often a thread of an idle program is woken in 30 s, against the same without the library.
    func idle() throws -> Row {
        let (ours, baseline) = try (number(["idle", "30"], watched), number(["idle", "30"], [:]))
        return Row(
            name: "gtk.idle", unit: "wake-ups", ours: ours, baseline: baseline, ratio: nil,
            target: "not more than without")
    }

    private func number(_ arguments: [String], _ variables: [String: String]) throws -> Double {
        let output = try Child.output([program] + arguments, adding: variables).output
        guard let number = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Fault("\(program) gives no number")
        }
        return number
    }
}
