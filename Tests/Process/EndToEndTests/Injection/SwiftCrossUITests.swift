// SPDX-License-Identifier: MIT
// A program on a framework with SwiftCrossUI's requirements: what its nodes count is what its views are counted with.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite(
    "Views of a framework with SwiftCrossUI's requirements",
    .enabled(if: Fixture.hasSwift, "needs swiftc, cc and make"))
struct SwiftCrossUITests {
    /// What the program's nodes and bodies counted.
    private struct Truth {
        var bodies: UInt64
        var instances: UInt64
        var updates: UInt64
        var layouts: UInt64
        var commits: UInt64
    }

    @Test(
        "have the instances, passes, layouts and commits of the framework's nodes, with a backend of one protocol and of fifteen",
        arguments: ["none", "release", "second-none", "second"])
    func nodes(way: String) async throws {
        let (truth, views) = try await run(way, rounds: 53)
        #expect(truth.count == 6 && Set(views.keys) == Set(truth.keys))
        for (name, truth) in truth {
            let view = try #require(views[name])
            #expect(view.count == truth.bodies, "\(name)")
            // `Part` has no node of its own: it is shown in those of two groups.
            guard name != "Part" else { continue }
            #expect(view.instances == truth.instances, "\(name)")
            #expect(view.updates == truth.updates, "\(name)")
            #expect(view.framework?.layouts == truth.layouts, "\(name)")
            #expect(view.commits == truth.commits, "\(name)")
        }
        let part = try #require(views["Part"]), header = try #require(truth["Header"])
        #expect(part.instances == 2 && part.updates == 2 * header.updates && part.commits == part.updates)
    }

    @Test("are found by what symbols tell of their requirements, also in an invented version")
    func third() async throws {
        let (truth, views) = try await run("release", rounds: 5, of: "ThirdCrossUI")
        #expect(truth.count == 3 && Set(views.keys) == Set(truth.keys))
        for (name, truth) in truth {
            let view = try #require(views[name])
            #expect(view.count == truth.bodies && view.instances == truth.instances, "\(name)")
            #expect(view.updates == truth.updates && view.commits == truth.commits, "\(name)")
            #expect(view.framework?.layouts == truth.layouts, "\(name)")
        }
        func reasons(_ name: String) -> [String: UInt64] {
            Dictionary(uniqueKeysWithValues: (views[name]?.reasons ?? []).map { ($0.reason, $0.updates) })
        }
        #expect(reasons("Root") == ["initial": 1, "heading": 5])
        #expect(reasons("Header") == ["initial": 1, "count": 5, "text": 5])
        #expect(reasons("Row") == ["initial": 1, "parent: Root": 5])
        #expect(views["Row"]?.wasted.count == 5)
    }

    @Test(
        "have reasons that count updates: state, changed inputs, and the parent that shows them with all that led to it",
        arguments: ["release", "second"])
    func reasons(way: String) async throws {
        let views = try await run(way, rounds: 3).views
        func reasons(_ name: String) -> [String: UInt64] {
            Dictionary(
                uniqueKeysWithValues: (views[name]?.reasons ?? []).map { ($0.reason, $0.updates) })
        }
        #expect(reasons("Root") == ["initial": 1, "title": 3, "rows": 3])
        #expect(reasons("Header") == ["initial": 1, "title": 3, "count": 43, "parent: Root": 3])
        #expect(reasons("Rows") == ["initial": 1, "count": 3, "parent: Root": 3])
        #expect(reasons("Part") == ["initial": 2, "text": 3, "parent: Header": 95])
        #expect(reasons("Row") == ["initial": 6, "parent: Rows": 24])
        let badge = try #require(views["Badge"]?.reasons.first { $0.reason == "parent: Row" })
        #expect(badge.updates == 24 && badge.attribution == .exact)
        #expect(Set(badge.chains.map(\.chain)) == ["Row ← Rows ← Root ← title", "Row ← Rows ← count"])
        // Rows whose number is the same were shown again for nothing; further passes are the framework's.
        #expect(views["Row"]?.wasted.count == 24 && views["Root"]?.wasted.count == 0)
    }

    @Test(
        "have what is published, the environment and two writes of one handler as reasons, and state that stays the same as waste",
        arguments: ["release", "second"])
    func wrappers(way: String) async throws {
        let (truth, views) = try await run(way, rounds: 3, showing: "panel")
        #expect(truth.count == 3 && Set(views.keys) == Set(truth.keys))
        for (name, truth) in truth {
            let view = try #require(views[name])
            #expect(view.count == truth.bodies && view.updates == truth.updates, "\(name)")
            #expect(view.framework?.layouts == truth.layouts && view.commits == truth.commits, "\(name)")
        }
        func reasons(_ name: String) -> [String: UInt64] {
            Dictionary(uniqueKeysWithValues: (views[name]?.reasons ?? []).map { ($0.reason, $0.updates) })
        }
        // What comes from outside of the views, as another environment, has no cause that is seen in the first of them.
        #expect(reasons("Panel") == ["initial": 1, "meter.level": 3, Reason.externalSignal: 3])
        #expect(reasons("Dial") == ["initial": 1, "colour": 3, "parent: Panel": 3])
        #expect(
            reasons("Knob") == ["initial": 1, "first, second": 3, "parent: Panel": 6, Reason.externalSignal: 3])
        let chains = try #require(views["Knob"]?.reasons.first { $0.reason == "parent: Panel" }).chains
        #expect(chains.contains { $0.chain == "Panel ← meter.level" }, "\(chains)")
        // Panel's meter is an object that may change, and only its published properties are compared.
        #expect(views["Knob"]?.wasted.count == 9 && views["Panel"]?.wasted.count == 0)
    }

    /// Programs with a main loop, and what they call the state of the view that all others are in.
    private static let loops = [
        ("CrossUI/loop", "title"), ("CrossUI/second-loop", "title"), ("ThirdCrossUI/loop", "heading"),
    ]

    @Test("have the hangs of their layouts, with what the framework's own views in them take", arguments: loops)
    func hangs(program: String, state: String) async throws {
        let lab = try await InjectionLab()
        let app = try await lab.start([Fixture.made("on/\(program)/App"), "1"])
        try await lab.daemon.http.eventually("the loop being watched", seen: { try lab.stores(of: app) }) {
            try app.send("count 1")
            return try lab.stores(of: app).contains { $0.mainLoop == .cfrunloop } ? () : nil
        }
        try app.send("slow row 1")
        try app.send("\(state) 7")
        func hangs() throws -> [Hang] { try lab.daemon.http.get("/v1/hangs").json(HangList.self).hangs }
        // A busy machine may make others.
        let hang = try await lab.daemon.http.eventually("the hang", seen: { try hangs() }) {
            try hangs().first {
                !$0.open && !$0.guess && $0.durationNanoseconds >= 500_000_000 && $0.view == "Row"
                    && $0.phase == .layout
            }
        }
        #expect(hang.share ?? 0 >= 500_000_000, "\(hang)")
        let sum = hang.shares.reduce(hang.unattributedNanoseconds ?? 0) { $0 + $1.nanoseconds }
        #expect(sum == hang.durationNanoseconds)
        app.closeInput()
        let output = await app.finish()
        #expect(output.exit == .status(0))
        try await lab.expect(truth(output.standardOutput).mapValues(\.bodies), of: app)
        #expect(try lab.views(of: app).first { $0.key == "Row" }?.hangs.count ?? 0 >= 1)
    }

    @Test(
        "have the code that wrote their state as its writer, in both versions",
        arguments: ["none", "release", "second-none", "second"])
    func writers(way: String) async throws {
        let views = try await run(way, rounds: 3).views
        func writers(_ view: String, _ reason: String) throws -> [String: UInt64] {
            let found = try #require(views[view]?.reasons.first { $0.reason == reason })
            #expect(found.attribution == .diff)
            return Dictionary(uniqueKeysWithValues: found.writers.map { ($0.writer, $0.count) })
        }
        // Each round writes both once; forty more counts follow.
        for (view, property, function, count) in [
            ("Root", "title", "Root.rename(_:) ", UInt64(3)), ("Header", "count", "Header.setCount(_:) ", 43),
        ] {
            let found = try writers(view, property)
            #expect(found.count == 1 && found.first?.key.hasPrefix(function) == true, "\(found)")
            #expect(found.first?.value == count, "\(found)")
        }
        // The input of that name has none.
        let inputs = (try writers("Header", "title"), try writers("Rows", "count"))
        #expect(inputs.0.isEmpty && inputs.1.isEmpty, "\(inputs)")
    }

    @Test("are counted without instances where the backend's widgets are no objects")
    func values() async throws {
        let (truth, views) = try await run("values", rounds: 3)
        for (name, truth) in truth {
            let view = try #require(views[name])
            #expect(view.count == truth.bodies && view.instances == 0 && view.passes == 0, "\(name)")
            #expect(view.framework == nil && view.wasted.count == 0, "\(name)")
        }
    }

    @Test("are counted without instances in a stripped program, and it is said that symbols are what lacks")
    func stripped() async throws {
        try await Fixture.preload()
        let run = try await InjectedRun.run([Fixture.made("on/CrossUI/static/App"), "3"])
        #expect(try run.counts("injected") == truth(run.output).mapValues(\.bodies))
        #expect(run.stores["injected"]?.values.allSatisfy { $0.stats.instances == 0 } == true)
        #expect(
            run.said.contains("has no symbols that tell whether the protocol View of SwiftCrossUI is the one"),
            "\(run.said)")
        #expect(!run.said.contains("is not the one"))
    }

    @Test("that are the framework's own are not said to be unseen where they show themselves without their body")
    func ownViews() async throws {
        try await Fixture.preload()
        let run = try await InjectedRun.run([Fixture.made("on/CrossUI/no-views/App")])
        let group = try #require(run.unevaluated["injected"]?["SwiftCrossUI.Group"])
        #expect(group.commits > 0 && group.notSeen == nil)
        #expect(!run.said.contains("not seen"), "\(run.said)")
    }

    private func run(
        _ way: String, rounds: Int, of framework: String = "CrossUI", showing argument: String? = nil
    ) async throws -> (truth: [String: Truth], views: [String: Stats]) {
        let program = try await Fixture.made("on/\(framework)/\(way)/App")
        let lab = try await InjectionLab()
        let app = try await lab.start([program, "\(rounds)"] + (argument.map { [$0] } ?? []))
        let output = await app.finish()
        try #require(output.exit == .status(0), "\(output.standardError)")
        let truth = try truth(output.standardOutput)
        try await lab.expect(truth.mapValues(\.bodies), of: app)
        let views = try lab.views(of: app).map { ($0.key.rawValue, $0) }
        return (truth, Dictionary(uniqueKeysWithValues: views))
    }

    private func truth(_ output: String) throws -> [String: Truth] {
        var truth: [String: Truth] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: "\t"), numbers = words.dropFirst().compactMap { UInt64($0) }
            try #require(numbers.count == 5)
            truth[String(words[0])] = Truth(
                bodies: numbers[0], instances: numbers[1], updates: numbers[2], layouts: numbers[3],
                commits: numbers[4])
        }
        return truth
    }
}
