// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderDaemon
@testable import RerenderTool
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("rerenderctl run")
struct RunTests {
    @Test("Next names explain without a key where the key cannot be typed, and nothing where there is nothing to fix")
    func next() {
        var view = Sample.view("a\u{1B}b", count: 10)
        #expect(RunCommand.next(Sample.export([Sample.store(views: [view])]), isKept: true, isPrivate: true) == nil)
        (view.wasted.count, view.wasted.measured, view.wasted.nanoseconds) = (9, 9, 90_000_000)
        // 90 ms of 5 s.
        var store = Sample.store(views: [view])
        store.countedSince = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 8_500_000_000)
        let export = Sample.export([store])
        #expect(RunCommand.next(export, isKept: true, isPrivate: true) == "rerenderctl explain")
        #expect(RunCommand.next(export, isKept: true, isPrivate: false) == "rerenderctl explain last")
        #expect(RunCommand.next(export, isKept: false, isPrivate: true) == nil)
    }

    private static let nothing = RunHost.Harvest(export: Sample.export([]), health: nil, isComplete: true)

    /// What an injection told that the user did not ask for, or asked for.
    private static func outcome(_ report: String, isAsked: Bool = false) -> InjectionOutcome {
        InjectionOutcome(InjectionReport(Array(report.utf8)), protocols: [], isAsked: isAsked)
    }

    @Test("a command without an instrumented process gets one line, with advice where it can be followed")
    func uninstrumented() {
        let what = "rerenderctl: make exited, and no instrumented process connected."
        #expect(
            RunSilence("make", mayInject: true).lines(Self.nothing, nil) == [
                "\(what) To count what it loads or starts, run: rerenderctl run --inject -- make"
            ])
        #expect(RunSilence("make").lines(Self.nothing, nil) == [what])
        // A line before the start said why.
        #expect(RunSilence("make", isExplained: true).lines(Self.nothing, nil).isEmpty)
    }

    @Test("where the injection says that nothing was there, that is the one line")
    func injected() {
        let silence = RunSilence("python3")
        #expect(silence.lines(Self.nothing, Self.outcome("")).isEmpty)
        #expect(silence.lines(Self.nothing, Self.outcome("", isAsked: true)).isEmpty)
        #expect(Self.outcome("").notes(isCounted: false).count == 1)
        // A main loop that told of nothing.
        var idle = Self.nothing
        idle.export.processes = [Sample.store("gjs", kind: .loop)]
        let loop = Self.outcome("7 loop begun\n")
        #expect(RunSilence.isMeant(for: idle, loop))
        #expect(RunSilence("gjs").lines(idle, loop) == ["rerenderctl: gjs exited, and nothing was evaluated."])
        // What the user asked for, or instrumented, has its table.
        #expect(!RunSilence.isMeant(for: idle, nil))
        #expect(!RunSilence.isMeant(for: idle, Self.outcome("", isAsked: true)))
        var busy = idle
        busy.export.processes[0].evaluations = 1
        #expect(!RunSilence.isMeant(for: busy, loop))
        var late = idle
        late.isComplete = false
        #expect(!RunSilence.isMeant(for: late, loop))
    }

    @Test("advice to inject is given for what can be injected, where the libraries are")
    func advice() {
        func canBeAsked(_ place: InjectionLibraries.Place, _ change: (inout MadeELF) -> Void = { _ in }) -> Bool {
            var made = MadeELF()
            change(&made)
            let file = ProgramFile(path: "/usr/bin/make", image: ProgramImage(made.bytes))
            return InjectionOffer.canBeAsked(of: file, place: place)
        }
        let found = InjectionLibraries.Place.found(InjectionLibraries(directory: "/nowhere"))
        #expect(canBeAsked(found) && !canBeAsked(found) { $0.loader = nil })
        #expect(!canBeAsked(found) { $0.needed = ["libtsan.so.2"] })
        #expect(!canBeAsked(.missing("they are gone", advice: "Build them")))
        #expect(!canBeAsked(.found(InjectionLibraries(directory: "/a b"))))
        let setUser = ProgramFile(path: "/bin/su", rights: .setUser, image: ProgramImage(MadeELF().bytes))
        #expect(!InjectionOffer.canBeAsked(of: setUser, place: found))
        #expect(!InjectionOffer.canBeAsked(of: nil, place: found))
    }

    @Test("look tells of its --for behind the command, and of no other word")
    func misplacedLength() {
        let misplaced = { LookCommand.misplacedLength(in: $0) }
        #expect(misplaced(["app", "--for", "5s"]) == "--for 5s" && misplaced(["app", "a", "--for=10"]) == "--for=10")
        for words in [[], ["--for", "5s"], ["app"], ["app", "--for"], ["app", "--for", "ever"], ["app", "--for=x"]] {
            #expect(misplaced(words) == nil, "\(words)")
        }
        #expect(misplaced(["app", "--for", "5s", "file"]) == nil)
    }

    @Test("look says of a daemon that ended whether the program goes on, as after an attach beside it")
    func unmeasured() {
        let texts = [false, true].map { LookCommand.unmeasured("clock", .seconds(10), goesOn: $0) }
        #expect(texts[0].hasPrefix("clock ended before 10"))
        #expect(texts[1].contains("that counted clock ended before 10") && texts[1].contains("and clock goes on.\n"))
    }

    @Test("a daemon of another protocol, or one that does not answer, is not used")
    func unusableDaemon() async throws {
        let own = try FakeClient.healthy { $0.protocolVersion = RerenderVersion.pushProtocol }
        #expect(await RunHost.isUsable(own))
        #expect(await !RunHost.isUsable(try FakeClient.healthy { $0.protocolVersion = 999 }))
        #expect(await !RunHost.isUsable(FakeClient()))
    }
}
