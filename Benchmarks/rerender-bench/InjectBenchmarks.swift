// SPDX-License-Identifier: MIT
// What --inject costs: an evaluation, a program that is not counted, and the start of programs with and without views.

import CBench
import Foundation
import Rerender
import RerenderInject

/// A framework's protocol, as programs without the library have it.
private protocol View {
    associatedtype Body
    var body: Body { get }
}

private struct Total: View {
    let cents: Int
    var body: Int { cents &+ 1 }
}

/// Where the programs and libraries are that `Scripts/bench` has built.
struct InjectBenchmarks {
    /// The library that is preloaded.
    let preload: String

    // MARK: One evaluation

    /// An evaluation through the hook, against `evaluate` around the same body, with the same engine in the same process.
    static func evaluate() throws -> Row {
        #if !RERENDER_PROBES
            throw Fault("the probes are compiled out: build with --traits AlwaysOn")
        #else
            let store = RerenderStore(name: "bench")
            guard store.isEnabled else { throw Fault("RERENDER=0 is in the environment") }
            guard rerender_inject_look() > 0 else { throw Fault("no view was found in this program") }
            let end = Date() + 0.5
            while Date() < end {
                injected(1000)
                evaluations(store, 1000)
            }
            let rounds = Rounds(201, of: 10_000) {
                time($0, injected)
            } baseline: {
                time($0) { evaluations(store, $0) }
            }
            return rounds.row("inject.evaluate", target: "ratio at most 1.25")
        #endif
    }

    @inline(never)
    private static func injected(_ count: Int) {
        for step in 0..<count { cbench_use(Int64(evaluated(Total(cents: step)))) }
    }

    /// As a framework in another module does it, this asks the witness table.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    private static func evaluated<Shown: View>(_ view: Shown) -> Shown.Body { view.body }

    @inline(never)
    private static func evaluations(_ store: RerenderStore, _ count: Int) {
        for step in 0..<count {
            let view = Total(cents: step)
            cbench_use(Int64(store.evaluate("Total") { view.body }))
        }
    }

    // MARK: Switched off

    /// A program of which nothing is counted, against the same program without the library; its body takes a microsecond.
    func off() throws -> Row {
        let injected = try AnsweringChild(
            Self.program("plain-views"), adding: ["LD_PRELOAD": preload, "RERENDER": "0"])
        let plain = try AnsweringChild(Self.program("plain-views"))
        func ask(_ child: AnsweringChild, _ count: Int) throws -> Double {
            guard let time = Double(try child.ask("\(count)")) else { throw Fault("the program gives no number") }
            return time
        }
        let rounds = try Rounds(201, of: 5_000) {
            try ask(injected, $0)
        } baseline: {
            try ask(plain, $0)
        }
        return rounds.row("inject.off", target: "ratio at most 1.03")
    }

    // MARK: Start

    /// The demo without probes and with the library, against the demo with probes: a screen that is shown once.
    ///
    /// - Parameter demo: The demo that was built without probes.
    func start(demo: String) throws -> Row {
        let screen = ["--scenario", "showmax-1", "--script", "wait", "--virtual-clock"]
        let rounds = try Rounds(101, of: 1) { _ in
            try Self.milliseconds([demo] + screen, ["LD_PRELOAD": preload])
        } baseline: { _ in
            try Self.milliseconds(["rerender-demo"] + screen)
        }
        return Self.row("inject.start", rounds, target: "ratio at most 1.5")
    }

    /// Programs without views, against themselves without the library.
    func inert() throws -> Row {
        func rounds(_ command: [String]) throws -> Rounds {
            try Rounds(201, of: 1) { _ in
                try Self.milliseconds(command, ["LD_PRELOAD": preload])
            } baseline: { _ in
                try Self.milliseconds(command)
            }
        }
        let (inC, inSwift) = try (rounds(["/bin/true"]), rounds(["swift-format", "--version"]))
        var row = Self.row(
            "inject.inert", inSwift, target: "at most 2 ms more for a C program, and 25 ms for a Swift program")
        row.more = [("moreInC", Self.more(inC)), ("moreInSwift", Self.more(inSwift))]
        return row
    }

    private static func row(_ name: String, _ rounds: Rounds, target: String) -> Row {
        Row(
            name: name, unit: "ms", ours: Spread(rounds.ours).median, baseline: Spread(rounds.baseline).median,
            ratio: Spread(rounds.ratios), target: target)
    }

    private static func more(_ rounds: Rounds) -> Double {
        Spread(zip(rounds.ours, rounds.baseline).map { $0 - $1 }).median
    }

    /// From the start of a program to its end.
    private static func milliseconds(_ command: [String], _ variables: [String: String] = [:]) throws -> Double {
        try Child.run(command, adding: variables).wallSeconds * 1000
    }

    /// A program beside this one.
    private static func program(_ name: String) -> String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return own.deletingLastPathComponent().appendingPathComponent(name).path
    }
}
