// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderShow
@testable import RerenderTool
import Synchronization
import TestSupport
import Testing
@testable import ToolSupport

@Suite("The libraries of --inject")
struct InjectionLibrariesTests {
    private let scratch: TemporaryDirectory
    init() throws { scratch = try TemporaryDirectory() }

    private func make(_ path: String, _ text: String = "", at time: TimeInterval = 1_000) throws {
        let file = URL(fileURLWithPath: "\(scratch.path)/\(path)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time), .posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    private func makeBoth(in directory: String, at time: TimeInterval = 1_000) throws {
        for name in InjectionLibraries.names { try make("\(directory)/\(name)", at: time) }
    }

    private func place(_ executable: String) -> InjectionLibraries.Place {
        InjectionLibraries.place(executable: "\(scratch.path)/\(executable)")
    }

    private func libraries(_ directory: String) -> InjectionLibraries {
        InjectionLibraries(directory: "\(scratch.path)/\(directory)")
    }

    private func missing(_ place: InjectionLibraries.Place) -> String? {
        if case .missing(let what, let advice) = place { "\(what) → \(advice)" } else { nil }
    }

    @Test("lie beside the program, or in lib/rerender of the prefix that it is installed in")
    func found() throws {
        try makeBoth(in: "prefix/lib/rerender")
        #expect(place("prefix/bin/rerenderctl") == .found(libraries("prefix/lib/rerender")))
        // The kernel's mark of a file that was replaced by an update.
        #expect(place("prefix/bin/rerenderctl (deleted)") == .found(libraries("prefix/lib/rerender")))
        #expect(missing(place("prefix/sbin/rerenderctl")) != nil)
        try makeBoth(in: "prefix/bin")
        #expect(place("prefix/bin/rerenderctl") == .found(libraries("prefix/bin")))
        try FileManager.default.removeItem(atPath: "\(scratch.path)/prefix/bin/librerender-inject.so")
        #expect(place("prefix/bin/rerenderctl") == .found(libraries("prefix/lib/rerender")), "one of them is none")
        try FileManager.default.removeItem(atPath: "\(scratch.path)/prefix/lib/rerender/librerender-preload.so")
        let what = missing(place("prefix/bin/rerenderctl"))
        #expect(what?.contains("\(scratch.path)/prefix/bin or \(scratch.path)/prefix/lib/rerender → ") == true)
        #expect(what?.contains("Scripts/install") == true)
    }

    @Test("are made in the build of a checkout, and again when something that they are made of is newer")
    func outdated() throws {
        let (build, program) = ("co/.build/x/debug", "co/.build/x/debug/rerenderctl")
        try make("co/Scripts/lib/inject")
        #expect(missing(place(program))?.hasSuffix("Run: swift build --product RerenderInject") == true)
        let release = missing(place("co/.build/x/release/rerenderctl"))
        #expect(release?.contains("swift build -c release --traits AlwaysOn --product RerenderInject") == true)

        let toBeMade = InjectionLibraries.Place.toBeMade(
            libraries(build), script: "\(scratch.path)/co/Scripts/lib/inject")
        try make("\(build)/libRerenderInject.a")
        #expect(place(program) == toBeMade)
        try makeBoth(in: build)
        #expect(place(program) == .found(libraries(build)))
        for newer in [
            "\(build)/libRerenderInject.a", "co/Scripts/lib/inject", "co/Sources/Inject/Preload/preload.c",
            "co/Sources/Inject/CInject/include/crerender_inject.h",
        ] {
            try make(newer, at: 1_000.5)
            #expect(place(program) == toBeMade, "\(newer)")
            try make(newer)
            #expect(place(program) == .found(libraries(build)), "\(newer)")
        }
        // What it is not made of.
        try make("co/Sources/Tool/other.swift", at: 2_000)
        #expect(place(program) == .found(libraries(build)))
    }

    @Test("say how a build without the part for GTK gets it: in a checkout, and where it is installed")
    func partForGTK() throws {
        func advice(_ place: InjectionLibraries.Place) -> String? {
            if case .missing(let advice) = place.gtkPart { advice } else { nil }
        }
        try makeBoth(in: "prefix/lib/rerender")
        #expect(advice(place("prefix/bin/rerenderctl")) == "Install libgtk-4-dev, and run Scripts/install again")
        try make("prefix/lib/rerender/rerender-gio/librerender-gio.so")
        #expect(place("prefix/bin/rerenderctl").gtkPart == .there)

        try make("co/Scripts/lib/inject")
        for (build, command) in [
            ("debug", "swift build --traits GTK"), ("release", "swift build -c release --traits AlwaysOn,GTK"),
        ] {
            let program = "co/.build/x/\(build)/rerenderctl"
            #expect(place(program).gtkPart == .unknown, "no libraries")
            try make("co/.build/x/\(build)/libRerenderInject.a")
            #expect(place(program).gtkPart == .unknown, "they are to be made first")
            try makeBoth(in: "co/.build/x/\(build)")
            #expect(advice(place(program)) == "Install libgtk-4-dev, and run: \(command)")
        }
    }

    @Test("are not used from a path that the loader would take apart", arguments: ["a b", "a:b", "a$LIB"])
    func paths(name: String) async throws {
        let failure = await #expect(throws: ToolFailure.self) {
            try await InjectionLibraries.need(.found(InjectionLibraries(directory: "/opt/\(name)")))
        }
        #expect(failure?.status == 69 && failure?.message.contains("/opt/\(name)/librerender-preload.so") == true)
        #expect(InjectionLibraries(directory: "/opt/a-b_c.d/é").pathFault == nil)
    }

    @Test("are made by the checkout's script, whose errors are passed on")
    func making() async throws {
        let wanted = libraries("build"), script = "\(scratch.path)/Scripts/lib/inject"
        try make("build/other")
        let failure = await #expect(throws: ToolFailure.self) {
            try await InjectionLibraries.need(.toBeMade(wanted, script: script)) { _ throws(SpawnError) in
                CapturedOutput(ending: .exited(65), errors: "inject: has no probes\n")
            }
        }
        #expect(failure?.status == 69 && failure?.message.contains("inject: has no probes") == true)
        let commands = Mutex<[[String]]>([])
        let succeeding: InjectionLibraries.Runner = { command throws(SpawnError) in
            commands.withLock { $0.append(command) }
            return CapturedOutput(ending: .exited(0))
        }
        await #expect(throws: ToolFailure.self, "it made nothing") {
            try await InjectionLibraries.need(.toBeMade(wanted, script: script), run: succeeding)
        }
        try makeBoth(in: "build")
        #expect(try await InjectionLibraries.need(.toBeMade(wanted, script: script), run: succeeding) == wanted)
        #expect(commands.withLock { $0 } == [[script, wanted.directory], [script, wanted.directory]])
        let missing = await #expect(throws: ToolFailure.self) {
            try await InjectionLibraries.need(.missing("there is nothing", advice: "Do this"))
        }
        #expect(missing?.status == 69 && missing?.message == "--inject cannot work: there is nothing.\nDo this")
    }
}

@Suite("What injected libraries report")
struct InjectionReportTests {
    private func outcome(_ text: String, protocols: [String] = []) -> InjectionOutcome {
        InjectionOutcome(InjectionReport(Array(text.utf8)), protocols: protocols)
    }

    @Test("one process with a view is enough, and more is not said")
    func views() {
        let outcome = outcome("12 views 3\n13 views 0\n")
        #expect(outcome.hasViews && outcome.notes(isCounted: true).isEmpty)
    }

    @Test("where no process had a view, it is said what was looked for, and where nobody looked")
    func nothing() {
        let unseen = ". Static programs, and those that a sandbox or the session bus starts, were not looked at"
        let none = "no process had a widget of GTK 4, or a type that conforms to View"
        #expect(
            outcome("").notes(isCounted: false) == [
                none + "; --view-protocol names another protocol" + unseen
            ])
        #expect(
            outcome("", protocols: ["Kit.Screen"]).notes(isCounted: false) == [
                none + " or Kit.Screen; --view-protocol names other protocols" + unseen
            ])
        #expect(outcome("7 views 0\n").notes(isCounted: false).first?.contains("cannot be replaced") == true)
    }

    @Test("where a main loop alone is looked at, it is said that it is, and not where views cannot be counted")
    func loopAlone() {
        let notes = outcome("7 loop begun\n").notes(isCounted: false)
        #expect(notes.count == 1 && notes[0].hasSuffix("what main loops did is shown"), "\(notes)")
        let locked = outcome("7 loop begun\n7 views 0\n").notes(isCounted: false)
        #expect(locked.first?.contains("cannot be replaced") == true)
        #expect(outcome("7 loop begun\n").notes(isCounted: true).isEmpty)
    }

    @Test("each reason to refuse is said once, with its processes, and then nothing of views that were not looked for")
    func refusals() {
        let text =
            "7 refused its runtime is old\n7 refused its runtime is old\n8 refused its runtime is old\n9 refused x\n"
        #expect(
            outcome(text).notes(isCounted: false) == [
                "process 7 and 1 other process were not counted: its runtime is old", "process 9 was not counted: x",
            ])
        let many = outcome((1...20).map { "\($0) refused reason \($0)\n" }.joined())
        #expect(many.refusals.count == InjectionOutcome.mostRefusals + 1)
        #expect(many.refusals.last == "12 further reasons not to count processes")
    }

    @Test(
        "views that a program instruments itself are said once for each process, and so is a framework that is not known"
    )
    func own() {
        let outcome = outcome(
            "7 views 3\n7 own Row\n7 own Row\n7 own Cart\n8 own Row\n7 unknown RenderLoop\n8 unknown RenderLoop\n"
                + "7 stripped SwiftCrossUI\n8 stripped SwiftCrossUI\n")
        #expect(
            outcome.notes(isCounted: false) == [
                "2 views of process 7 are instrumented by the program itself, and the injected engine leaves them to it: Cart, Row",
                "1 view of process 8 is instrumented by the program itself, and the injected engine leaves it to it: Row",
                "the protocol View of RenderLoop is not the one that rerender knows: the instances of its views are unknown, and so "
                    + "are waste and most reasons",
                "the program has no symbols that tell whether the protocol View of SwiftCrossUI is the one that rerender knows: the "
                    + "instances of its views are unknown, and so are waste and most reasons",
            ])
        let many = self.outcome("7 views 9\n" + (1...9).map { "7 own View\($0)\n" }.joined())
        #expect(many.own.count == 1 && many.own[0].hasSuffix("View7, View8, …"), "\(many.own)")
    }

    @Test(
        "a protocol of views whose types are not counted is named with its shape, and nothing says that there is none")
    func shapes() {
        let text =
            "7 shape Kit.View method,\n7 shape Kit.View method,\n7 shape Meta.View symbols\n7 shape A.View name\n"
            + "7 shape Html.View static,base,\n8 shape B.View \n9 shape C.View async,other,\n"
        let outcome = outcome(text + "7 views 0\n")
        #expect(!outcome.hasViews && outcome.nothing == nil)
        #expect(
            outcome.missed == [
                "types that conform to A.View were not counted: no property of its instances that waits for nothing is called body or view",
                "types that conform to B.View were not counted: it has no property that could be a body",
                "types that conform to C.View were not counted: it has no property that could be a body, but asynchronous properties",
                "types that conform to Html.View were not counted: it has no property that could be a body, but static properties and "
                    + "protocols that it refines, which --view-protocol can name",
                "types that conform to Kit.View were not counted: it has no property that could be a body, but methods",
                "types that conform to Meta.View were not counted: it has no associated type, and no symbols tell which property is "
                    + "the body",
            ])
        #expect(self.outcome(text + "7 widgets begun\n8 views 3\n").missed.count == 6)
    }

    @Test("of widgets it is said why none of a process are counted")
    func widgets() {
        let text = "7 widgets begun\n8 widgets its GTK is not version 4\n9 widgets begun\n"
        let outcome = outcome(text)
        #expect(outcome.hasWidgets && !outcome.hasViews)
        #expect(
            outcome.notes(isCounted: false) == [
                "the widgets of process 8 were not counted: its GTK is not version 4"
            ])
    }

    @Test("of a process that handed over it is said to which one, and nothing of what it had not")
    func handedOver() {
        func notes(_ text: String) -> [String] {
            InjectionOutcome(InjectionReport(Array(text.utf8)), protocols: [], wantsHUD: true).notes(isCounted: false)
        }
        #expect(
            notes("7 widgets handed 5\n") == [
                "process 7 handed over to a running instance, process 5, which is not counted: quit that first"
            ])
        // One that runs under a command, too, has its own counts.
        let counted = InjectionOutcome(
            InjectionReport(Array("7 widgets handed 5\n".utf8)), protocols: [], isInjected: { $0 == 5 })
        #expect(
            counted.widgets == [
                "process 7 handed over to a running instance, process 5, which rerenderctl started: rerenderctl stats --process 5"
            ])
        for unknown in ["0", "many", "-3"] {
            #expect(
                notes("7 widgets handed \(unknown)\n") == [
                    "process 7 handed over to a running instance, whose process is not known, which is not counted: quit that first"
                ])
        }
    }

    @Test("of the HUD it is said that no window was drawn only where widgets were looked for")
    func hud() {
        func notes(_ text: String) -> [String] {
            InjectionOutcome(InjectionReport(Array(text.utf8)), protocols: [], wantsHUD: true).notes(isCounted: true)
        }
        #expect(notes("7 widgets begun\n") == ["the HUD was not shown: no process drew a window of GTK 4"])
        // Widgets were counted, and nothing told of them: /tmp cannot be written to, or the process has other rights by now.
        let silent = InjectionOutcome(InjectionReport([]), protocols: [], wantsHUD: true).notes(isCounted: true)
        #expect(silent == ["it is not known whether the HUD was shown: no process could write its report"])
        #expect(notes("7 widgets begun\n7 widgets hud\n").isEmpty)
        #expect(
            notes("7 widgets rerender was built without its part for GTK\n") == [
                "the widgets of process 7 were not counted: rerender was built without its part for GTK"
            ])
    }

    @Test("of a build without the part for GTK it is said what to do, and nothing that was said before the start")
    func remedy() {
        let missing = "rerender was built without its part for GTK"
        let report = InjectionReport(Array("7 widgets \(missing)\n8 widgets another reason\n".utf8))
        func notes(_ said: Set<String>) -> [String] {
            InjectionOutcome(
                report, protocols: [], wantsHUD: true, gtk: .missing(advice: "Run: swift build --traits GTK"),
                said: said
            ).notes(isCounted: false)
        }
        let other = "the widgets of process 8 were not counted: another reason"
        let first = "the widgets of process 7 were not counted: \(missing). Run: swift build --traits GTK"
        #expect(notes([]) == [first, other])
        #expect(notes([missing]) == [other])
        #expect(notes([missing, "another reason"]).isEmpty)
    }

    @Test("views without room and calls without stack are said once for each process, with the last number")
    func missed() {
        let outcome = outcome(
            "7 views 4096\n7 full 3\n7 full 12\n8 full 1\n9 stack some\n8 resilient 2\n9 stack some\n10 forked some\n"
                + "8 locked 3\n7 guessed Kit.View\n8 guessed Kit.View\n8 outputs Kit.View\n"
                + "8 searched some\n")
        #expect(
            outcome.notes(isCounted: false) == [
                "12 views of process 7 were not counted: no more than 4,096 functions can be replaced",
                "1 view of process 8 was not counted: no more than 4,096 functions can be replaced",
                "2 views of process 8 were not counted: their body is that of the protocol, in a framework that was built with "
                    + "-enable-library-evolution; build it without",
                "3 views of process 8 were not counted: the system did not let the functions of their bodies be replaced",
                "some calls in process 9 were not counted: a quarter of the stack was in use, or a signal handler made them",
                "process 10 is a forked child that started no other program: its evaluations were not counted",
                "the first of several properties was taken for the body of Kit.View: the program has no symbols that tell which one "
                    + "it is",
                "views that were not seen are not named for Kit.View: without symbols, or with bodies that may be objects, their "
                    + "outputs are not looked at",
                "some outputs in process 8 were too large to be looked at each time: a view that was not seen may be missing",
            ])
    }

    @Test("a protocol that the user named and no process has is said where other views are counted")
    func misnamed() {
        let report = InjectionReport(Array("7 views 3\n7 protocol Kit.View\n7 protocol Kit.Screen\n".utf8))
        let outcome = InjectionOutcome(report, protocols: ["Kit.Screen", "Kit.Scren"])
        #expect(
            outcome.notes(isCounted: true) == [
                "no process had a protocol Kit.Scren with a property, and a type that conforms to it"
            ])
    }

    @Test("lines that are none of theirs are left out, and nothing in them reaches the terminal")
    func hostile() {
        let text = "x views 3\n3\n\n3 views\n3 views many\n-1 other 3\n99999999999 views 3\n5 refused \u{1B}[2J\n"
        let outcome = outcome(text)
        #expect(!outcome.hasViews && outcome.refusals == ["process 5 was not counted: \\u{1b}[2J"])
        var bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: InjectionReport.longest)
        bytes += Array("5 views 3\n".utf8)
        #expect(InjectionReport(bytes).numbers[.views] == nil, "what comes after the limit")
    }
}
