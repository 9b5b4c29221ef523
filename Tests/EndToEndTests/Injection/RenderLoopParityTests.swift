// SPDX-License-Identifier: MIT
// The demo as it is shipped, injected, tells what the instrumented demo tells.

import Foundation
import TestSupport
import Testing

@Suite(
    "The demo in a release build without probes, injected",
    .enabled(if: ChildProcess.path(of: "swift") != nil, "needs swift to build the demo"))
struct RenderLoopParityTests {
    init() async throws { _ = try await ViewFixture.shared.library() }

    /// Each screen, with steps that change all that it shows.
    static let scripts = [
        "showmax-1": "tap:heart,tap:season,wait", "showmax-2": "tap:heart,tap:season,wait",
        "showmax-3": "tap:heart,tap:season,wait", "showmax-4": "tap:heart,tap:season,wait",
        "dashboard-wasteful": "wait,tap:count,wait", "dashboard-optimised": "wait,tap:count,wait",
        "isolation-observable": "tap:skip,tap:like", "isolation-object": "tap:skip,tap:like",
        "form-wasteful": "type:abc,slide:0.7,tap:save", "form-isolated": "type:abc,slide:0.7,tap:save",
        "on-appear": "tap:finish", "flow-layout": "tap:grow,tap:grow",
    ]

    /// What the instrumented demo counts and the injected engine does not, with the cause.
    static let knownDifferences: [String: Set<String>] = [
        // A `ScopeView` is of RenderLoop's own module: one of the framework's building blocks, which are left out.
        "isolation-observable": ["LikesScope", "TrackScope"], "isolation-object": ["LikesScope", "TrackScope"],
    ]

    @Test(
        "has the counts of the instrumented one, nine tenths of its reasons, and no other reason", arguments: scripts)
    func parity(scenario: String, script: String) async throws {
        let arguments = ["--scenario", scenario, "--script", script]
        let told = try await InjectedRun.run([ChildProcess.product("rerender-demo")] + arguments, isInjected: false)
        let injected = try await InjectedRun.run([try await Self.release.value] + arguments)
        #expect(Set(injected.stores.keys) == ["injected"])
        let known = Self.knownDifferences[scenario] ?? []
        let wanted = told.stores["main", default: [:]].filter { !known.contains($0.key) }
        #expect(Set(told.counts("main").keys).isSuperset(of: known), "a difference that is none any more")

        var found: [String: InjectedRun.View] = [:]
        for (key, view) in injected.stores["injected", default: [:]] { found[try Self.plain(key)] = view }
        #expect(!wanted.isEmpty && found.mapValues(\.count) == wanted.mapValues(\.count))

        var (all, same) = (UInt64(0), UInt64(0))
        for (key, view) in wanted {
            var left = view.reasons
            for (reason, count) in found[key]?.reasons ?? [:] {
                let equal = min(count, left[try Self.plain(reason), default: 0])
                left[try Self.plain(reason), default: 0] -= equal
                same += equal
                #expect(equal == count || reason == "<external signal>", "\(key): \(reason)")
            }
            all += view.reasons.values.reduce(0, +)
        }
        #expect(same * 10 >= all * 9, "\(same) of \(all)")
    }

    /// The shop has a framework of its own: which instance is evaluated is not known, so nothing is compared.
    @Test(
        "has the counts of the shop, whose framework nobody knows, and the writes that its bodies read as reasons",
        arguments: ["wasteful", "isolated", "hang"])
    func shop(scenario: String) async throws {
        let run = try await InjectedRun.run([
            try await Self.release.value, "--scenario", scenario, "--seconds", "2", "--print-counts",
        ])
        let views = try #require(run.stores["injected"])
        let truth = try #require(run.output.split(separator: "\n").last { $0.hasPrefix("{") })
        let counted = try JSONDecoder().decode(ShopCounts.self, from: Data(truth.utf8))
        #expect(views.mapValues(\.count) == counted.evaluations && views.count == (scenario == "hang" ? 7 : 6))
        // What is written at a tick, and who reads it.
        let reader = scenario == "wasteful" ? "Shop" : "TickerLabel"
        #expect(views[reader]?.reasons == ["initial": 1, "Ticker.tick": counted.ticks])
        let written = Set(["Ticker.tick", "Item.inCart", "ShopModel.items", "Report.edition"])
        for (key, view) in views {
            let named = view.reasons.keys.filter { !["initial", "<external signal>"].contains($0) }
            #expect(written.isSuperset(of: named.flatMap { $0.components(separatedBy: ", ") }), "\(key): \(named)")
        }
    }

    private struct ShopCounts: Decodable {
        let evaluations: [String: UInt64]
        let ticks: UInt64
    }

    /// A key as the demo's probes name the view, and a reason with such a key: without the module and the enum around it.
    private static func plain(_ text: String) throws -> String {
        let parts = text.matches(of: #/RenderLoopScenarios\.(?:\w+\.)?(\w+)/#)
        guard let last = parts.last else { return text }
        return text.replacingCharacters(in: parts[0].range.lowerBound..<last.range.upperBound, with: last.1)
    }

    /// The demo as it is shipped: built once, without probes. Kept between runs.
    private static let release = Task {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let scratch = root + "/.build/demo-release"
        // The plan of the last build does not know of files that the package has got since.
        try? FileManager.default.removeItem(atPath: scratch + "/release.yaml")
        try await ReleaseCost.succeed(
            [
                try ReleaseCost.path("swift"), "build", "--configuration", "release", "--package-path", root,
                "--scratch-path", scratch, "--product", "rerender-demo",
            ])
        return scratch + "/release/rerender-demo"
    }

    // MARK: What misleads

    /// Whether a reason of the injected engine is one that the loop told of an evaluation.
    private static func isTold(_ reason: String, _ told: String) -> Bool {
        let causes = told.split(separator: ", ").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        let names = Set(causes.compactMap { $0.count == 2 ? $0[1] : nil })
        if reason == "initial" { return told == "initial" }
        // Other inputs that no comparison can tell.
        if reason.hasPrefix("parent: ") { return causes.count == 1 && causes[0][0] == "input" }
        // It may say less: of a binding it knows nothing.
        return names.isSuperset(of: reason.split(separator: ", ").map(String.init))
    }

    @Test("names no reason that the loop does not, where state is not read, bindings change and objects are replaced")
    func misleading() async throws {
        let run = try await InjectedRun.run([ChildProcess.product("LoopReasons")])
        var told: [String: [String]] = [:]
        for line in run.output.split(separator: "\n") {
            let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            told[words[0], default: []].append(words[1])
        }
        let views = try #require(run.stores["injected"])
        #expect(Set(views.keys) == Set(told.keys) && told.count == 7)
        var (named, unnamed) = (0, 0)
        for (key, view) in views {
            var left = try #require(told[key])
            #expect(Int(view.count) == left.count, "\(key)")
            for (reason, count) in view.reasons {
                if reason == "<external signal>" {
                    unnamed += Int(count)
                    continue
                }
                for _ in 0..<count {
                    let place = left.firstIndex { Self.isTold(reason, $0) }
                    #expect(place != nil, "\(key): \(reason) is none of \(left)")
                    if let place { left.remove(at: place) }
                    named += 1
                }
            }
        }
        // What only a binding or `objectWillChange` tells.
        #expect(named > 2 * unnamed && unnamed > 0, "\(named), \(unnamed)")
    }

    // MARK: A framework of this name that is another one

    @Test("but a framework called RenderLoop with another protocol is counted as any other, and that is said")
    func stranger() async throws {
        let run = try await InjectedRun.run([
            ViewFixture.shared.program(of: "Strangers", on: "RenderLoop", ["-O"])
        ])
        #expect(run.counts("injected") == ["Label": 5])
        #expect(run.stores["injected"]?["Label"]?.reasons == ["initial": 1, "<external signal>": 4])
        #expect(
            run.said.contains(
                "the protocol View of RenderLoop is not the one that rerender knows: the instances of its views are "))
    }
}
