// SPDX-License-Identifier: MIT
import Glibc
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing

@Suite("What attach says of a process before it does anything")
struct AttachTargetTests {
    /// Processes that this test makes up, all of user 1000 unless said otherwise.
    private static func files(
        _ texts: [String: String] = [:], links: [String: String] = [:],
        image: ProgramImage? = .program(ELFImage(hasLoader: true)), rights: ProgramFile.Rights = .ordinary,
        isInjected: Bool = false, user: UInt32 = 1_000
    ) -> ProcessFiles {
        let usual = [
            "/proc/41/comm": "calendar\n", "/proc/41/cmdline": "/usr/bin/gnome-calendar\0--day\0",
            "/proc/41/status": "Name:\tcalendar\nTracerPid:\t0\nUid:\t1000\t1000\t1000\t1000\n",
            "/proc/42/comm": "clock\n", "/proc/42/status": "Name:\tclock\nTracerPid:\t0\nUid:\t1000\t1000\n",
            "/proc/43/comm": "clock\n", "/proc/43/status": "Name:\tclock\nTracerPid:\t0\nUid:\t1000\t1000\n",
            "/proc/44/comm": "calendar\n", "/proc/44/status": "Name:\tcalendar\nTracerPid:\t0\nUid:\t0\t0\n",
        ].merging(texts) { $1 }
        return ProcessFiles(
            processes: { [44, 43, 42, 41] }, read: { usual[$0] ?? "" }, link: { links[$0] },
            file: { _ in image.map { ProgramFile(path: "/usr/bin/program", rights: rights, image: $0) } },
            isInjected: { _ in isInjected }, user: user)
    }

    @Test("it is found by its number, by the kernel's name and by that of its file")
    func found() throws {
        for program in ["41", "calendar", "gnome-calendar"] {
            #expect(
                try AttachTarget.find(program, in: Self.files())
                    == AttachTarget(
                        pid: 41, name: program == "41" ? "calendar" : program))
        }
    }

    @Test("a script is found by its name, as its counts have it, and is called by it", arguments: ["42", "clock.py"])
    func script(program: String) throws {
        let files = Self.files(
            ["/proc/42/cmdline": "python3\0-W\0\0/opt/clock.py\0-v\0", "/proc/42/comm": "python3\n"],
            links: ["/proc/42/exe": "/usr/bin/python3.11"])
        #expect(try AttachTarget.find(program, in: files) == AttachTarget(pid: 42, name: "clock.py"))
        #expect(try AttachTarget.find("python3", in: files).pid == 42)
        let (script, other) = (AttachTarget(pid: 42, name: "clock.py"), AttachTarget(pid: 41, name: "calendar"))
        #expect(script.unknown(in: files).hasSuffix("unknown, and older handlers of its script have no names."))
        #expect(other.unknown(in: files) == "What it did before is unknown.")
    }

    @Test("a process that does not connect has a reason that is true of it")
    func silence() {
        func why(_ report: String, isRunning: Bool = true, isOver: Bool = false) -> String? {
            Self.target.silence(InjectionReport(Array(report.utf8)), isRunning: isRunning, isOver: isOver)?.message
        }
        #expect(why("") == nil && why("41 loop begun\n") == nil)
        #expect(why("41 refused no room\n")?.contains("no room.\nStart it anew") == true)
        for report in ["", "41 loop begun\n"] {
            #expect(why(report, isRunning: false, isOver: true)?.contains("it has ended meanwhile") == true)
        }
        #expect(why("41 loop begun\n", isOver: true)?.contains("its counts did not come within 10 s") == true)
        #expect(why("41 views 0\n", isOver: true)?.contains("no turn of GLib's default main loop") == true)
    }

    @Test(
        "a name must fit one process of the user",
        arguments: [
            ("45", "there is no process 45"), ("0", "there is no process 0"), ("", "name is empty"),
            ("99999999999", "there is no process 99999999999"), ("clock", "2 processes are called clock: 42, 43"),
            ("editor", "no process of yours is called editor"),
        ])
    func unfound(program: String, text: String) {
        let failure = #expect(throws: ToolFailure.self) { try AttachTarget.find(program, in: Self.files()) }
        #expect(failure?.status == 64 && failure?.message.contains(text) == true, "\(String(describing: failure))")
    }

    /// A process with filters of system calls; this one has a filter, as in a container.
    private static func filtered(_ mode: Int, _ count: Int) -> ProcessFiles {
        files([
            "/proc/self/status": "Seccomp:\t2\nSeccomp_filters:\t1\n",
            "/proc/41/status": "Tgid:\t41\nUid:\t1000\t1000\nSeccomp:\t\(mode)\nSeccomp_filters:\t\(count)\n",
        ])
    }

    private static let target = AttachTarget(pid: 41, name: "calendar")

    @Test("what cannot be counted is refused with what to do")
    func refusals() {
        let traced = ["/proc/41/status": "TracerPid:\t7\nUid:\t1000\t1000\n"]
        let namespaces = ["/proc/self/ns/user": "user:[1]", "/proc/41/ns/user": "user:[2]"]
        let processes = ["/proc/self/ns/pid": "pid:[1]", "/proc/41/ns/pid": "pid:[2]"]
        let thread = ["/proc/41/status": "Tgid:\t40\nUid:\t1000\t1000\n"]
        let others = ["/proc/41/status": "Uid:\t1000\t0\t0\t0\n"]
        let stopped = ["/proc/41/status": "State:\tT (stopped)\nUid:\t1000\t1000\n"]
        let plain = ["/proc/41/maps": "7f00-7f01 r-xp 00000000 fe:00 1 /usr/lib/x86_64-linux-gnu/libc.so.6\n"]
        let preloaded = ["/proc/41/environ": "A=B\0LD_PRELOAD=/lib/other.so:/usr/lib/rerender/librerender-preload.so\0"]
        let cases: [(ProcessFiles, String)] = [
            (Self.files(user: 1_001), "it is another user's.\nRun rerenderctl as user 1000."),
            (Self.files(traced), "process 7 traces it"), (Self.files(isInjected: true), "rerenderctl look 41"),
            (Self.files(image: nil), "it is not dumpable"),
            (Self.files(others, rights: .setUser), "it is set-uid, and has"),
            (Self.files(rights: .capabilities), "rerenderctl run -- COPY"),
            (
                Self.files(["/proc/41/status": "Uid:\t1000\t1000\nGid:\t1000\t5\t5\t5\n"], image: nil),
                "it is set-uid or set-gid, and has"
            ),
            (Self.files(links: namespaces), "it is in a sandbox"),
            (Self.files(links: processes), "it is in a container"), (Self.files(thread), "rerenderctl attach 40."),
            (Self.files(stopped), "it is stopped.\nLet it go on first: kill -CONT 41."),
            (Self.files(plain), "neither GLib nor Swift's runtime"),
            (Self.files(plain, image: .program(ELFImage())), "it is a static program"),
            (Self.files(preloaded), "that has ended started it"), (Self.filtered(2, 2), "it filters its calls"),
            (Self.filtered(1, 0), "it filters its calls"),
            (Self.files(image: .foreign("a 32-bit program")), "it is a 32-bit program"),
            (Self.files(image: .program(ELFImage())), "it is a static program"),
            (Self.files(image: .program(ELFImage(hasLoader: true, hasProbes: true))), "it counts itself"),
        ]
        for (files, text) in cases {
            let failure = Self.target.refusal(in: files)
            #expect(failure?.status == 71 && failure?.message.contains(text) == true, "\(text)")
            #expect(failure?.message.hasPrefix("cannot attach to calendar[41]: ") == true)
        }
        let glib = ["/proc/41/maps": "7f00-7f01 r-xp 00000000 fe:00 1 /usr/lib/libglib-2.0.so.0.7400.6\n"]
        // A set-uid file of the user's own, and a program that changed its user for a while, have no rights of a file's.
        let own = [Self.files(rights: .setUser), Self.files(others)]
        for files in own + [Self.files(), Self.files(glib), Self.filtered(2, 1), Self.filtered(0, 0)] {
            #expect(Self.target.refusal(in: files) == nil)
        }
    }

    @Test(
        "a process has ended if it is there for its parent alone", arguments: [("S", true), ("Z", false), ("X", false)])
    func ended(state: String, isRunning: Bool) {
        let files = Self.files(["/proc/41/status": "State:\t\(state) (as the kernel says)\n"])
        #expect(Self.target.isRunning(in: files) == isRunning)
        #expect(!AttachTarget(pid: 45, name: "none").isRunning(in: files))
    }

    @Test("with --sudo, root runs what loads and nothing else; libraries, process and directory are the same")
    func loading() {
        let libraries = InjectionLibraries(directory: "/usr/lib/rerender")
        func command(asRoot: Bool) -> [String] {
            AttachLoader(target: Self.target, libraries: libraries, directory: "/run/user/1000/run-41", asRoot: asRoot)
                .command
        }
        let own = [
            "/usr/lib/rerender/rerender-attach", "41", "/usr/lib/rerender/librerender-preload.so",
            "/run/user/1000/run-41",
        ]
        #expect(command(asRoot: false) == own)
        // Never asks for a password: `sudo -v` did.
        #expect(command(asRoot: true) == ["sudo", "-n", "--"] + own)
    }

    @Test("what the program that loads prints is told with what to do")
    func loader() throws {
        func stopped(_ text: String, succeeded: Bool = false, scope: String = "") throws -> Duration {
            try AttachLoader.stopped(
                of: CapturedOutput(ending: .exited(succeeded ? 0 : 1), output: text), Self.target, scope: scope)
        }
        #expect(try stopped("done 12\n", succeeded: true) == .milliseconds(12))
        let cases = [
            ("refused ptrace\n", "1\n", "rerenderctl attach --sudo 41"), ("refused ptrace\n", "3\n", "started anew"),
            ("refused ptrace\n", "2\n", "rerenderctl attach --sudo 41"), ("refused user\n", "", "another user's"),
            ("refused ptrace\n", "", "not dumpable"), ("refused hangs\n", "", "within 10 s"),
            ("refused libc\n", "", "it is static, or its C library"),
            ("refused elsewhere\n", "", "a sandbox or a container"),
            ("refused \u{1B}[1m\n", "", "the system refused"), ("", "", "did not end well"),
        ]
        for (said, scope, text) in cases {
            let failure = #expect(throws: ToolFailure.self) { try stopped(said, scope: scope) }
            #expect(failure?.status == 71 && failure?.message.contains(text) == true, "\(said) \(text)")
            #expect(failure?.message.contains("\u{1B}") == false)
        }
    }
}
