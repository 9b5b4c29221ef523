// SPDX-License-Identifier: MIT
// More than 150 hangs of a real app on three kinds of main loop, each compared with what the app saw itself.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("Labelled hangs", .exclusive, .serialized, .timeLimit(.minutes(15)))
struct LabelledHangTests {
    private static let threshold = 100
    /// A hang of that many nanoseconds is listed also where its beginning is not seen: a ping goes out in it, the library's thread being late.
    private static let certain = (threshold + 30) * 1_000_000

    /// What a run of the app came to.
    private struct Run {
        var labels: [LabelledHang] = []
        /// What the app's handler was called with: the view of each hang.
        var told: [UInt64: String] = [:]
    }

    /// - Parameters:
    ///   - count: How many hangs: first one of each kind, then some by chance.
    ///   - scale: A pinged loop's hangs are longer, because they are noticed up to 100 ms late.
    @Test(
        "have the view with most of them, the one at the threshold, and the app's own duration",
        arguments: [("glib", 70, 1.0), ("cfrunloop", 70, 1.0), ("main", 50, 3.0)])
    func labelled(loop: String, count: Int, scale: Double) async throws {
        let lab = try await HangLab(loop: loop, threshold: Self.threshold, micro: 50)
        let before = Set(try lab.hangs().map(\.id))
        var run = try await collect(lab, "labelled 0 \(count) \(scale)")
        let hangs = try await lab.daemon.http.eventually("all hangs", seen: { try lab.hangs().count }) {
            let hangs = try lab.hangs().filter { !before.contains($0.id) }
            let missed = try lab.daemon.http.get("/v1/health").json(HealthReport.self).watchdog.missed
            let expected = run.labels.count { $0.isExact || $0.duration.least > Self.certain }
            return hangs.allSatisfy { !$0.open } && hangs.count + Int(missed) >= expected ? hangs : nil
        }.sorted { $0.startedAtNanoseconds < $1.startedAtNanoseconds }
        #expect(run.labels.count == count)
        let missed = try lab.daemon.http.get("/v1/health").json(HealthReport.self).watchdog.missed
        var faults = compare(run.labels, hangs, missed: Int(missed))
        for (hang, next) in zip(hangs, hangs.dropFirst())
        where hang.startedAtNanoseconds + Int64(hang.durationNanoseconds) > next.startedAtNanoseconds {
            faults.append("\(hang.id) ends after \(next.id) begins")
        }
        #expect(faults.isEmpty, "\(loop): \(faults.joined(separator: "\n"))")
        try await counted(lab, hangs, &run)
    }

    /// Asks for hangs and takes in what the app says of them.
    private func collect(_ lab: HangLab, _ order: String) async throws -> Run {
        try lab.app.send(order)
        var run = Run()
        while true {
            let line = try await lab.app.nextLine()
            if line == "labelled all" { return run }
            take(line, into: &run)
        }
    }

    private func take(_ line: String, into run: inout Run) {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        if line.hasPrefix("truth "),
            let label = try? JSONDecoder().decode(LabelledHang.self, from: Data(line.utf8.dropFirst(6)))
        {
            run.labels.append(label)
        } else if words.count == 4, words[0] == "told", let id = UInt64(words[1]) {
            run.told[id] = words[2] == "false" ? String(words[3]) : "a guess"
        }
    }

    /// What is wrong about the hangs, each compared with the label in whose end it ended.
    ///
    /// A hang may be missing if the daemon counted it as missed: of a loop that says nothing, outside of bodies, while the thread
    /// that looks had no processor.
    private func compare(_ labels: [LabelledHang], _ hangs: [Hang], missed: Int) -> [String] {
        let ahead = Int(Timestamp.now.nanosecondsSince1970) - Int(Stall.monotonic())
        let millisecond = 1_000_000
        var faults: [String] = []
        var compared = Set<Int>()
        for hang in hangs {
            let start = Int(hang.startedAtNanoseconds) - ahead
            let end = start + Int(hang.durationNanoseconds)
            guard let index = labels.firstIndex(where: { $0.ends.allows(end, within: 5 * millisecond) }) else {
                faults.append("no label for \(hang)")
                continue
            }
            let label = labels[index]
            #expect(compared.insert(index).inserted, "one hang for each label: \(label.kind)")
            var wrong = label.faults(hang, beganAt: start, threshold: Self.threshold * millisecond)
            let duration = Int(hang.durationNanoseconds)
            if label.isExact {
                if !label.duration.allows(duration, within: millisecond) {
                    wrong.append("duration; true: \(label.duration)")
                }
                if !label.begins.allows(start, within: 5 * millisecond) {
                    wrong.append("began at \(start - label.begins.least)")
                }
            } else {
                let longest = duration + Int(hang.mayHaveBegunEarlierNanoseconds)
                if duration > label.duration.most + millisecond || longest < label.duration.least - millisecond {
                    wrong.append("duration up to \(longest); true: \(label.duration)")
                }
            }
            if !wrong.isEmpty { faults.append("\(label.kind): \(wrong.joined(separator: "; ")): \(hang)") }
        }
        let unlisted = labels.enumerated().filter { index, label in
            !compared.contains(index) && (label.isExact || label.duration.least > Self.certain)
        }.map(\.element)
        if unlisted.count > missed || unlisted.contains(where: { $0.isExact || $0.hasBodies }) {
            faults += unlisted.map { "not listed, with \(missed) missed: \($0.kind), \($0.duration)" }
        }
        print("compared \(compared.count) hangs with \(labels.count) labels, \(missed) missed")
        return faults
    }

    /// The app's handler and its counts say the same as the list, after the guesses of open hangs.
    private func counted(_ lab: HangLab, _ hangs: [Hang], _ run: inout Run) async throws {
        // One more, which is told after all others.
        try lab.app.send("body 600")
        var stall: Stall?
        while stall == nil {
            let line = try await lab.app.nextLine()
            take(line, into: &run)
            stall = Stall(line)
        }
        let last = try await lab.hang(holding: try #require(stall))
        try lab.app.send("export")
        while run.told[last.id] == nil { take(try await lab.app.nextLine(), into: &run) }
        for hang in hangs { #expect(run.told[hang.id] == hang.view?.rawValue ?? "", "\(hang)") }
        let expected = Dictionary(grouping: hangs + [last], by: { $0.view?.rawValue ?? "-" }).mapValues(\.count)
        let views = try lab.processes().flatMap(\.views)
        for view in views where view.key != "Slow" {
            #expect(view.hangs.count == UInt64(expected[view.key.rawValue] ?? 0), "\(view.key)")
        }
        let counted = views.reduce(0) { $0 + $1.hangs.count }
        let named = (try lab.hangs()).count { $0.view != nil }
        #expect(counted == UInt64(named))
    }
}
