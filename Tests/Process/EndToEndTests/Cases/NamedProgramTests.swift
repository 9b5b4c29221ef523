// SPDX-License-Identifier: MIT
// Twelve programs in six languages, whose sources say what has to be named: nothing has a wrong name, and nine of ten have one.

import RerenderModel
import TestSupport
import Testing

@Suite(
    "Names of functions in programs of all languages",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct NamedProgramTests {
    @Test("60 changes, timers, idle functions, handlers and hangs are labelled, five in each of twelve programs")
    func labels() throws {
        #expect(NamedProgram.all.count == 12)
        for language in NamedLanguage.allCases {
            #expect(NamedProgram.all.count { $0.language == language } == 2, "\(language)")
        }
        for program in NamedProgram.all {
            let labels = try program.labels()
            #expect(labels.count == 5 && Set(labels.map(\.subject)).count == 5, "\(program.name): \(labels)")
            #expect(labels.count { $0.subject == .hang } == 1, "\(program.name)")
            // Nothing but JavaScript has functions without names.
            #expect(labels.allSatisfy { ($0.name == nil) == (program.language == .javaScript) }, "\(program.name)")
        }
    }

    @Test(
        "A name is right in the label's line with its function, missing without a place, and else wrong",
        arguments: [
            ("tick() a.vala:2", NamedLabel.Naming.right), ("_tick_gsource_func() a.vala:5", .right),
            ("tick() a.vala:3, in GtkButton#go: clicked", .right), ("a.vala:2", .right), ("tick() in a", .unnamed),
            ("_tick_gsource_func() a.vala.c:40", .unnamed), ("_ZN1A4tickEv() a.cpp:2", .unnamed),
            ("unknown", .unnamed), ("a timer of Python (every 40 ms)", .unnamed), ("tick() a.vala:6", .wrong),
            ("tock() a.vala:2", .wrong), ("g_idle_add() in libglib-2.0.so.0", .wrong), ("_timers.js:60", .wrong),
        ])
    func naming(text: String, expected: NamedLabel.Naming) {
        let source = """
            // A source in Vala.
            bool tick() { // names: source timer 40 ms -> tick()
                return true;
            }
            add(40, tick); // names: too -> tick()
            """
        let labels = NamedLabel.all(in: source, file: "a.vala")
        #expect(labels.map(\.subject) == [.timer(milliseconds: 40)] && labels.first?.lines == [2, 3, 4, 5])
        #expect(labels.first?.naming(text, sources: ["a.vala"]) == expected)
    }

    /// How many labels have a right name, no name, and a wrong one.
    private struct Tally {
        private(set) var counts: [NamedLabel.Naming: Int] = [:]
        /// What is not right, a line for each label.
        private(set) var lines: [String] = []

        var labels: Int { counts.values.reduce(0, +) }
        func count(_ naming: NamedLabel.Naming) -> Int { counts[naming] ?? 0 }

        mutating func add(_ naming: NamedLabel.Naming, _ line: String) {
            counts[naming, default: 0] += 1
            if naming != .right { lines.append("\(naming.rawValue): \(line)") }
        }

        mutating func add(_ other: Tally) {
            counts.merge(other.counts, uniquingKeysWith: +)
            lines += other.lines
        }
    }

    private func tally(_ program: NamedProgram, on server: XServer) async throws -> Tally {
        let environment = server.environment.merging(NamedProgram.environment) { $1 }
        let (_, export) = try await CaseRun.export(
            try await program.command(), hangThreshold: NamedProgram.hangThreshold, environment: environment)
        var tally = Tally()
        for label in try program.labels() {
            let names = program.names(of: label, in: export)
            let namings = names.map { label.naming($0, sources: program.files) }
            let naming: NamedLabel.Naming =
                namings.contains(.wrong) ? .wrong : namings.contains(.right) ? .right : .unnamed
            let place = "\(label.name ?? "a function") \(label.file):\(label.lines.min() ?? 0)"
            tally.add(naming, "\(program.name), \(label.subject), which is \(place): \(names)")
        }
        return tally
    }

    @Test("are right wherever there is one, and there are at least 54 of 60", .timeLimit(.minutes(10)))
    func names() async throws {
        let server = try await XServer()
        var all = Tally()
        for language in NamedLanguage.allCases {
            if let obstacle = language.obstacle {
                print("programs in \(language.rawValue) are skipped: \(obstacle)")
                continue
            }
            var own = Tally()
            for program in NamedProgram.all where program.language == language {
                own.add(try await tally(program, on: server))
            }
            Figure.note("labels named in \(language.rawValue)", own.count(.right), "of \(own.labels)")
            all.add(own)
        }
        Figure.note("labels named in all languages", all.count(.right), "of \(all.labels)")
        for line in all.lines { print(line) }
        try #require(all.labels > 0, "none of the languages is installed")
        let report = all.lines.joined(separator: "\n")
        #expect(all.count(.wrong) == 0, "\(report)")
        // 54 of 60, and as many in proportion where a language is skipped.
        #expect(all.count(.right) * 10 >= all.labels * 9, "\(report)")
        withExtendedLifetime(server) {}
    }
}
