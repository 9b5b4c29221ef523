// SPDX-License-Identifier: MIT
// The demo as it is shipped, injected, tells what the instrumented demo tells.

import Foundation
import TestSupport
import Testing

@Suite(
    "The demo in a release build without probes, injected",
    .enabled(if: Fixture.hasSwift, "needs swiftc, cc and make"))
struct RenderLoopParityTests {
    init() async throws { try await Fixture.preload() }

    /// Each screen, with steps that change all that it shows, and the shop, with ticks at which items are bought, sold out and
    /// delivered; in `hang` the main loop is also blocked in each way.
    static let runs = [
        "showmax-1": "--script tap:heart,tap:season,wait", "showmax-2": "--script tap:heart,tap:season,wait",
        "showmax-3": "--script tap:heart,tap:season,wait", "showmax-4": "--script tap:heart,tap:season,wait",
        "dashboard-wasteful": "--script wait,tap:count,wait", "dashboard-optimised": "--script wait,tap:count,wait",
        "isolation-observable": "--script tap:skip,tap:like", "isolation-object": "--script tap:skip,tap:like",
        "form-wasteful": "--script type:abc,slide:0.7,tap:save",
        "form-isolated": "--script type:abc,slide:0.7,tap:save",
        "on-appear": "--script tap:finish", "flow-layout": "--script tap:grow,tap:grow",
        "wasteful": "--ticks 250 --rate 500", "isolated": "--ticks 250 --rate 500", "hang": "--ticks 410 --rate 100",
    ]

    /// What the instrumented demo counts and the injected engine does not, with the cause.
    static let knownDifferences: [String: Set<String>] = [
        // A `ScopeView` is of RenderLoop's own module: one of the framework's building blocks, which are left out.
        "isolation-observable": ["LikesScope", "TrackScope"], "isolation-object": ["LikesScope", "TrackScope"],
    ]

    @Test(
        "has the counts of the instrumented one, nine tenths of its reasons, and no other reason", arguments: runs)
    func parity(scenario: String, options: String) async throws {
        let arguments = ["--scenario", scenario, "--print-counts"] + options.split(separator: " ").map(String.init)
        let told = try await InjectedRun.run([ChildProcess.product("rerender-demo")] + arguments, isInjected: false)
        let injected = try await InjectedRun.run([try await ReleaseCost.product("rerender-demo")] + arguments)
        #expect(Set(injected.stores.keys) == ["injected"])
        let known = Self.knownDifferences[scenario] ?? []
        let wanted = told.stores["main", default: [:]].filter { !known.contains($0.key) }
        #expect(Set(told.counts("main").keys).isSuperset(of: known), "a difference that is none any more")

        var found: [String: InjectedRun.View] = [:]
        for (key, view) in injected.stores["injected", default: [:]] { found[try Self.plain(key)] = view }
        #expect(!wanted.isEmpty && found.mapValues(\.count) == wanted.mapValues(\.count))
        // What each run counted itself.
        let counted = (try Self.counted(told), try Self.counted(injected))
        #expect(counted.0 == counted.1 && counted.1.isSuperset(of: wanted))

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
        // The shop's models are observed in both ways.
        if counted.1.ticks != nil { #expect(same == all, "\(same) of \(all)") }
    }

    /// What a run of the demo counted itself.
    private struct Counted: Decodable, Equatable {
        let evaluations: [String: UInt64]
        let commits: [String: UInt64]?
        let ticks: Int?

        func isSuperset(of views: [String: InjectedRun.View]) -> Bool {
            views.allSatisfy { key, view in evaluations[key] == view.count }
        }
    }

    private static func counted(_ run: InjectedRun) throws -> Counted {
        let line = try #require(run.output.split(separator: "\n").last { $0.hasPrefix("{") })
        return try JSONDecoder().decode(Counted.self, from: Data(line.utf8))
    }

    /// A key as the demo's probes name the view, and a reason with such a key: without the module and the enum around it.
    private static func plain(_ text: String) throws -> String {
        let parts = text.matches(of: #/RenderLoopScenarios\.(?:\w+\.)?(\w+)/#)
        guard let last = parts.last else { return text }
        return text.replacingCharacters(in: parts[0].range.lowerBound..<last.range.upperBound, with: last.1)
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
        let run = try await InjectedRun.run([ChildProcess.product("screens"), "reasons"])
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
            Fixture.made("on/Strangers/speed/App")
        ])
        #expect(run.counts("injected") == ["Label": 5])
        #expect(run.stores["injected"]?["Label"]?.reasons == ["initial": 1, "<external signal>": 4])
        #expect(
            run.said.contains(
                "the protocol View of RenderLoop is not the one that rerender knows: the instances of its views are "))
    }
}
