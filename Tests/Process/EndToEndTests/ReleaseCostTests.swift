// SPDX-License-Identifier: MIT
// The promise to whoever ships an app: a release build of an instrumented body is the bare body.

import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(
    "Release builds", .serialized,
    .enabled(if: ReleaseCost.isMeasurable, "needs valgrind, binutils, swiftc, cc and make"))
struct ReleaseCostTests {
    /// The functions of the fixture, as their mangled names begin after the module.
    static let functions = [
        "9withLabel", "12withoutLabel", "14withEverything", "11asParameter", "8throwing", "13throwingTyped", "6nested",
        "14changingLocals", "12aroundCommit", "9inHandler", "14returningTexts", "6ScreenC3row", "7RowViewV2id",
        "7RowViewV4body",
    ]
    static let calls = 1000

    @Test("An instrumented function costs the instructions of its bare twin, and calls nothing more", .promise)
    func costsNothing() async throws {
        let profile = try await ReleaseCost.plain().profile()
        for name in Self.functions {
            let bare = try #require(profile.function(name, of: "Bare"), "\(name)")
            let probed = try #require(profile.function(name, of: "Probed"), "\(name)")
            #expect(probed == bare, "\(name)")
            #expect(profile.callCount(of: name, of: "Bare") == Self.calls, "\(name)")
            #expect(profile.callCount(of: name, of: "Probed") == Self.calls, "\(name)")
        }
    }

    @Test("With the trait AlwaysOn the same functions cost more")
    func costsWithProbes() async throws {
        let profile = try await ReleaseCost.alwaysOn().profile()
        for name in Self.functions {
            let bare = try #require(profile.function(name, of: "Bare"), "\(name)")
            let probed = try #require(profile.function(name, of: "Probed"), "\(name)")
            #expect(probed.instructions > bare.instructions, "\(name)")
            #expect(probed.calls != bare.calls, "\(name)")
        }
    }

    /// Instructions of an evaluation of a view with a value, an instance and a body of one instruction, without the clock's, when
    /// they were last counted, on Debian 12. Who makes it cheaper writes down the new number. Other C libraries, and processors for which
    /// they choose other functions, need some percent more or less: `Scripts/proof` shows the figure beside the one before on the same machine.
    static let instructionsOfEvaluation = 1_058

    @Test("An evaluation that nothing explains takes at most 5 % more instructions than it did", .promise)
    func instructions() async throws {
        let count = 20_000
        let profile = try await ReleaseCost.alwaysOn().profile(["\(count)"], within: "*8repeated*")
        // Until the counter's rate is known, the clock is the kernel's, which is no part of this.
        let counted = profile.functions.filter { !$0.key.contains("gettime") && !$0.key.contains("vdso") }
        let each = counted.values.reduce(0) { $0 + $1.instructions } / count
        Figure.note("an evaluation that nothing explains", each, "instructions")
        #expect(each <= Self.instructionsOfEvaluation * 105 / 100, "\(each) instructions")
        #expect(each > Self.instructionsOfEvaluation * 3 / 4, "\(each) instructions: is it counted at all?")
    }

    @Test("No argument of a probe is evaluated")
    func evaluatesNoArgument() async throws {
        let plain = try await ReleaseCost.succeed([ReleaseCost.plain().program])
        #expect(plain.standardOutput == "0\n")
        let alwaysOn = try await ReleaseCost.succeed([ReleaseCost.alwaysOn().program])
        #expect(Int(alwaysOn.standardOutput.prefix { $0 != "\n" }) ?? 0 > 20 * Self.calls)
    }

    @Test("The caller's object code names nothing of the machinery", .promise)
    func hasNoSymbols() async throws {
        let plain = try await symbols(of: ReleaseCost.plain())
        #expect(plain.contains { $0.hasPrefix("$s6Probed9withLabel") })
        #expect(plain.filter(isMachinery).isEmpty)
        #expect(plain.filter(isArgument).isEmpty)
        let alwaysOn = try await symbols(of: ReleaseCost.alwaysOn())
        #expect(alwaysOn.filter(isMachinery).count > 5)
        #expect(!alwaysOn.filter(isArgument).isEmpty)
    }

    @Test("An app in release loads no tracer, and links none in debug", .promise)
    func loadsNothing() async throws {
        let loaded = try await loadedLibraries(of: ReleaseCost.plain())
        #expect(!loaded.contains("lttng"))
        if LTTngDaemon.isInstalled {
            let loaded = try await loadedLibraries(of: ReleaseCost.alwaysOn())
            #expect(loaded.contains("lttng"))
        }
        let plain = try await ReleaseCost.plain()
        for program in [plain.program, ChildProcess.product("rerender-demo")] {
            let linked = try await ReleaseCost.succeed([ReleaseCost.path("ldd"), program]).standardOutput
            #expect(linked.contains("libswiftCore"))
            #expect(!linked.contains("lttng"))
        }
    }

    @Test("An app without the trait resolves no package but this one")
    func resolvesNoPackage() async throws {
        #expect(try await checkouts(of: ReleaseCost.plain()).isEmpty)
        #expect(try await checkouts(of: ReleaseCost.alwaysOn()).contains("swift-nio"))
    }

    /// Whether a symbol is of Rerender, other than the name of the store's type.
    ///
    /// That one stands in the signatures of the app's own functions, and where the app's types are described to
    /// reflection with the types of their stored properties. (Mangling writes "Store" or where it stood before.)
    private func isMachinery(_ symbol: String) -> Bool {
        let rest = symbol.replacing(/8Rerender0(?:[A-Za-z]5Store|[A-Za-z]{2}0)V/, with: "")
        return ["Rerender", "Signpost", "csignpost", "crerender", "csymbols", "lttng", "dlopen"].contains {
            rest.contains($0)
        }
    }

    /// Whether a symbol is the code of an argument of a probe.
    private func isArgument(_ symbol: String) -> Bool {
        symbol.contains("expensive") || symbol.contains(/fu[0-9]*_/)
    }

    private func symbols(of build: ReleaseCost) async throws -> Set<String> {
        try #require(!build.objects.isEmpty)
        let list = try await ReleaseCost.succeed([ReleaseCost.path("nm"), "--format=just-symbols"] + build.objects)
        return Set(list.standardOutput.split(separator: "\n").map(String.init))
    }

    /// What the dynamic loader says about the libraries that it was asked for, at start and later.
    private func loadedLibraries(of build: ReleaseCost) async throws -> String {
        var environment = ProcessInfo.processInfo.environment
        environment["LD_DEBUG"] = "files"
        environment["RERENDER_WAIT_FOR_TRACER"] = "10000"
        let output = try await ReleaseCost.succeed([build.program], environment: environment)
        #expect(output.standardError.contains("libswiftCore"))
        return output.standardError
    }

    private func checkouts(of build: ReleaseCost) -> [String] {
        let directory = build.scratch.appendingPathComponent("checkouts").path
        return (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }
}
