// SPDX-License-Identifier: MIT
import RerenderModel
import Foundation
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("rerenderctl doctor")
struct DoctorTests {
    @Test("is content with a machine where all is well")
    func good() async throws {
        let report = await FakeSystem.good.report(try .healthy())
        #expect(
            report.lines(width: 100, colours: false).joined(separator: "\n") == """
                ok    runtime directory: $RERENDER_RUNTIME_DIR is not set
                ok    runtime directory: /run/user/1000/rerender is in use because $XDG_RUNTIME_DIR is set
                ok    runtime directory: /run/user/1000 does not exist and is not searched
                ok    runtime directory: /tmp/rerender-1000 is not used because /run/user/1000/rerender comes first
                ok    push socket: /run/user/1000/rerender/push.sock accepts connections
                ok    query socket: /run/user/1000/rerender/query.sock accepts connections
                ok    daemon: pid 42, up 1m30s with sockets from systemd; 2 apps connected, 0 ended; 0 views, 0
                        totals received
                ok    push protocol: version 1 on both sides
                ok    dropped data: none since the daemon started
                ok    hangs: no long turn was missed since the daemon started
                ok    systemd unit: rerenderd-push.socket is active
                ok    systemd unit: rerenderd-query.socket is active
                ok    systemd unit: rerenderd.service starts on demand
                ok    processes: shop[4711]/main
                ok    LTTng library: /lib/x86_64-linux-gnu/liblttng-ust.so.1
                ok    LTTng session daemon: your own is running (pid 77)
                ok    LTTng tools: lttng is installed
                ok    watchdog priority: real-time priority up to 10 is allowed (RLIMIT_RTPRIO)
                All checks passed.
                """)
    }

    @Test("fails on each fault of the directory and the sockets, and says what to do")
    func sockets() async throws {
        let directory = "/run/user/1000/rerender"
        let faults: [(check: String, advice: String, change: (inout FakeSystem) -> Void)] = [
            ("runtime directory", "chmod 700 \(directory)", { $0.files[directory]?.mode = 0o777 }),
            ("runtime directory", "RERENDER_RUNTIME_DIR", { $0.files[directory]?.owner = 7 }),
            ("runtime directory", "Remove it", { $0.files[directory]?.kind = .other }),
            (
                "runtime directory", "Unset XDG_RUNTIME_DIR",
                {
                    $0.files[directory] = nil; $0.closed = ["/run/user/1000"]
                }
            ),
            ("push socket", "rerenderd --foreground", { $0.files[directory + "/push.sock"] = nil }),
            ("query socket", "rerenderd --foreground", { $0.files[directory + "/query.sock"] = nil }),
            ("push socket", "rerenderd --foreground", { $0.deaf = [directory + "/push.sock"] }),
            ("query socket", "Remove it", { $0.files[directory + "/query.sock"]?.kind = .other }),
            ("query socket", "RERENDER_RUNTIME_DIR", { $0.files[directory + "/query.sock"]?.owner = 7 }),
            (
                "push socket", "shorter",
                {
                    $0.directories[0] = RuntimeDirectory(
                        path: "/" + String(repeating: "d", count: 100), origin: .environment)
                    $0.files = $0.files.filter { !$0.key.hasPrefix(directory) }
                }
            ),
        ]
        for fault in faults {
            let found = try await finding(fault.check, .fail, nil, fault.change)
            #expect(found?.advice?.contains(fault.advice) == true, "\(fault.check): \(fault.advice)")
        }
    }

    @Test("warns of what is odd and harmless, and says what to do")
    func warnings() async throws {
        let directory = "/run/user/1000/rerender"
        let oddities: [(check: String, advice: String, change: (inout FakeSystem) -> Void)] = [
            ("environment", "unset RERENDER", { $0.variables["RERENDER"] = "0" }),
            ("environment", "starts with /", { $0.variables["RERENDER_RUNTIME_DIR"] = "here" }),
            ("runtime directory", "chmod 700", { $0.files[directory]?.mode = 0o755 }),
            ("push socket", "chmod 600 \(directory)/push.sock", { $0.files[directory + "/push.sock"]?.mode = 0o666 }),
            (
                "systemd unit", "enable --now rerenderd-push.socket",
                { $0.outputs[FakeSystem.units] = FakeSystem.unitStates(push: "failed") }
            ),
            (
                "systemd unit", "Scripts/install",
                { $0.outputs[FakeSystem.units] = FakeSystem.unitStates(query: "not-found") }
            ),
            (
                "systemd unit", "journalctl --user -u rerenderd.service",
                { $0.outputs[FakeSystem.units] = FakeSystem.unitStates(service: "failed") }
            ),
            ("LTTng library", "apt-get install liblttng-ust1", { $0.outputs["/sbin/ldconfig -p"] = "0 libs" }),
            ("LTTng session daemon", "lttng create", { $0.texts["/proc/77/comm"] = nil }),
            ("LTTng session daemon", "lttng create", { $0.texts["/home/u/.lttng/lttng-sessiond.pid"] = nil }),
            ("LTTng tools", "apt-get install lttng-tools", { $0.files["/usr/bin/lttng"] = nil }),
            (
                "watchdog priority", "u - rtprio",
                { $0.texts["/proc/self/limits"] = "Max realtime priority     0                    0\n" }
            ),
        ]
        for oddity in oddities {
            let found = try await finding(oddity.check, .warn, nil, oddity.change)
            #expect(found?.advice?.contains(oddity.advice) == true, "\(oddity.check): \(oddity.advice)")
        }
    }

    @Test("names what is missing where Debian's packages are not used")
    func otherSystems() async throws {
        let library = try await finding("LTTng library", .warn) {
            $0.files["/usr/bin/apt-get"] = nil; $0.outputs["/sbin/ldconfig -p"] = "0 libs"
        }
        #expect(library?.advice == "Install liblttng-ust.so.1 with your system's packages")
        let tools = try await finding("LTTng tools", .warn) {
            $0.files["/usr/bin/apt-get"] = nil; $0.files["/usr/bin/lttng"] = nil
        }
        #expect(tools?.advice == "Install LTTng's tools with your system's packages")
        #expect(PackageAdvice.command("a b", for: "A", onDebian: true) == "Run: sudo apt-get install a b")
        #expect(PackageAdvice.name("liba-dev", for: "A", onDebian: false) == "A")
    }

    @Test("a library of LTTng that lacks what apps call in it is named, and the version of the tools is told")
    func otherLTTng() async throws {
        let place = "-linux-gnu/liblttng-ust.so.1"
        func library(_ bytes: String, _ state: Finding.Status) async throws -> Finding? {
            try await finding("LTTng library", state) { system in
                for machine in ["x86_64", "aarch64"] { system.texts["/lib/\(machine)\(place)"] = bytes }
            }
        }
        let other = try await library("\u{7F}ELF nothing\0", .warn)
        #expect(other?.text.hasSuffix("\(place) has no function lttng_ust_probe_register: signposts are off") == true)
        #expect(other?.advice?.contains("2.13 to 2.16") == true)
        let usual = try await library("\u{7F}ELF lttng_ust_probe_register\0", .ok)
        #expect(usual?.text.hasSuffix(place) == true)
        let tools = try await finding("LTTng tools", .ok) {
            $0.outputs["lttng --version"] = "lttng (LTTng Trace Control) 2.16.0 - O-Beer\n\nWeb site: …\n"
        }
        #expect(tools?.text == "lttng (LTTng Trace Control) 2.16.0 - O-Beer")
    }

    @Test("record says of such a library what doctor does, with the version of the tools, and nothing of a usual one")
    func obstacle() async {
        func obstacle(_ bytes: String, version: String?) async -> String? {
            var system = FakeSystem.good
            for machine in ["x86_64", "aarch64"] {
                system.texts["/lib/\(machine)-linux-gnu/liblttng-ust.so.1"] = bytes
            }
            system.outputs["lttng --version"] = version
            return await TracingChecks(system: system).obstacle()
        }
        let version = "lttng (LTTng Trace Control) 2.17.0 - \u{1B}[1m\n\nWeb site: …\n"
        let said = await obstacle("\u{7F}ELF nothing\0", version: version) ?? ""
        #expect(said.contains("lttng_ust_probe_register: signposts are off. Install LTTng-UST"), "\(said)")
        #expect(said.hasSuffix(". The tools here are lttng (LTTng Trace Control) 2.17.0 - \\u{1b}[1m"), "\(said)")
        let untold = await obstacle("\u{7F}ELF nothing\0", version: nil)
        #expect(untold?.hasSuffix("that rerender was tried with") == true, "\(untold ?? "")")
        #expect(await obstacle("\u{7F}ELF lttng_ust_probe_register\0", version: version) == nil)
        var system = FakeSystem.good
        system.outputs["/sbin/ldconfig -p"] = "0 libs"
        let missing = await TracingChecks(system: system).obstacle()
        #expect(missing?.contains("is not installed: signposts are off. ") == true, "\(missing ?? "")")
    }

    @Test("says whether attach may look into programs that run", arguments: ["", "0", "1", "2", "3"])
    func attach(scope: String) {
        var system = FakeSystem.good
        system.texts["/proc/sys/kernel/yama/ptrace_scope"] = scope + "\n"
        let user = AttachCheck(system: system).finding()
        system.uid = 0
        let root = AttachCheck(system: system).finding()
        #expect(user.text.hasPrefix("it needs --sudo") == ["1", "2"].contains(scope), "\(user)")
        #expect(user.status == (scope == "3" ? .warn : .ok) && root.status == user.status)
        #expect(root.text.hasPrefix("the system lets it look") == (scope != "3"), "\(root)")
    }

    @Test("says that programs look for a daemon where no instance of inotify is left, and names twice the limit")
    func notices() async throws {
        for (limit, advised) in ["": 1_024, "128\n": 1_024, "1024\n": 2_048] {
            let found = try await finding("runtime directory", .warn) {
                $0.canWatchFiles = false
                $0.texts["/proc/sys/fs/inotify/max_user_instances"] = limit
            }
            #expect(found?.text == "no instance of inotify is left: programs look for a daemon every 5 s")
            #expect(found?.advice == "Run: sudo sysctl fs.inotify.max_user_instances=\(advised)")
        }
    }

    @Test("says what counted programs bear less well, as far as it holds here")
    func hosts() {
        func found(stack: String, filter: String) -> [Finding] {
            var system = FakeSystem.good
            system.texts["/proc/self/limits"] = "Max stack size            \(stack)      unlimited      bytes\n"
            system.texts["/proc/self/status"] = "Name:\tdoctor\nSeccomp:\t\(filter)\nSeccomp_filters:\t1\n"
            return HostCheck(system: system).findings()
        }
        for stack in ["8388608", "unlimited", "1048577"] {
            #expect(found(stack: stack, filter: "0").map(\.status) == [.ok], "\(stack)")
        }
        let filtered = found(stack: "8388608", filter: "2")
        #expect(filtered.map(\.status) == [.ok, .ok] && filtered[1].text.contains("seccomp"), "\(filtered)")
        let small = found(stack: "1048576", filter: "0")
        #expect(small.map(\.status) == [.ok, .warn], "\(small)")
        #expect(small[1].text.contains("1024 KiB") && small[1].advice?.contains("ulimit -s") == true, "\(small)")
        #expect(HostCheck(system: FakeSystem()).findings().count == 1, "nothing can be read")
    }

    @Test("lists all four places in their order and says in words why each is used or not")
    func places() async {
        func texts(_ change: (inout FakeSystem) -> Void) async -> [String] {
            var system = FakeSystem.good
            change(&system)
            return await SocketChecks(system: system).findings().filter { !$0.check.hasSuffix("socket") }.map(\.text)
        }
        let own = RuntimeDirectory(path: "/mine", origin: .environment)
        let xdg = RuntimeDirectory(path: "/run/user/1000/rerender", origin: .xdg)
        let run = RuntimeDirectory(path: "/run/user/1000/rerender", origin: .runUser)
        let temporary = RuntimeDirectory(path: "/tmp/rerender-1000", origin: .temporary)
        let folder = FileFacts(kind: .directory, mode: 0o700, owner: 1000)
        #expect(
            await texts {
                $0.directories = [own, xdg, run, temporary]; $0.files = ["/mine": folder]
            } == [
                "/mine is in use because $RERENDER_RUNTIME_DIR names it",
                "/run/user/1000/rerender is not used because /mine comes first",
                "/run/user/1000/rerender is the same as above; /run/user/1000 is yours",
                "/tmp/rerender-1000 is not used because /mine comes first",
            ])
        #expect(
            await texts {
                $0.directories = [xdg, run, temporary]; $0.variables["RERENDER_RUNTIME_DIR"] = ""
            } == [
                "$RERENDER_RUNTIME_DIR is empty",
                "/run/user/1000/rerender is in use because $XDG_RUNTIME_DIR is set",
                "/run/user/1000/rerender is the same as above; /run/user/1000 is yours",
                "/tmp/rerender-1000 is not used because /run/user/1000/rerender comes first",
            ])
        #expect(
            await texts {
                $0.directories = [temporary]
                $0.variables["XDG_RUNTIME_DIR"] = "here"
                $0.files["/run/user/1000"] = FileFacts(kind: .directory, mode: 0o700, owner: 7)
                $0.files["/tmp/rerender-1000"] = folder
            } == [
                "$RERENDER_RUNTIME_DIR is not set", "XDG_RUNTIME_DIR=here is not an absolute path and is ignored",
                "/run/user/1000 belongs to user 7 and is not searched",
                "/tmp/rerender-1000 is in use because there is no better directory",
            ])
        #expect(
            await texts {
                $0.directories = [own, temporary]; $0.files = [:]
            }.first
                == "/mine is in use because $RERENDER_RUNTIME_DIR names it; it does not exist yet, and a daemon makes it when it starts"
        )
    }

    @Test("says that the daemon makes a missing directory only where that can be made")
    func missing() async {
        func first(_ path: String, closed: Set<String>) async -> Finding? {
            var system = FakeSystem.good
            system.directories.insert(RuntimeDirectory(path: path, origin: .environment), at: 0)
            system.closed = closed
            return await SocketChecks(system: system).findings().first
        }
        let mine = "/gone/mine is in use because $RERENDER_RUNTIME_DIR names it; it "
        #expect(
            await first("/gone/mine", closed: ["/"])
                == .ok("runtime directory", mine + "does not exist yet, and a daemon makes it when it starts"))
        #expect(
            await first("/gone/mine", closed: ["/gone"])
                == .fail(
                    "runtime directory", mine + "cannot be created because /gone is missing or not writable",
                    "Set RERENDER_RUNTIME_DIR to a directory of yours, or unset it"))
        #expect(await first("/mine", closed: ["/"])?.status == .fail)
    }

    @Test("of this machine it knows where files can be made")
    func writable() throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/file"
        try Data().write(to: URL(filePath: file))
        let link = directory.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path)
        let system = LocalSystem()
        #expect(system.canMakeFiles(in: directory.path) && system.canMakeFiles(in: link))
        #expect(!system.canMakeFiles(in: file) && !system.canMakeFiles(in: directory.path + "/none"))
    }

    @Test("points to a daemon in a directory that is not the one in use")
    func otherDirectory() async throws {
        var system = FakeSystem()
        system.files["/tmp/rerender-1000/query.sock"] = FileFacts(kind: .socket, mode: 0o600, owner: 1000)
        let report = await system.report(FakeClient())
        #expect(
            report.checks.contains {
                $0.advice == "To use that daemon: export RERENDER_RUNTIME_DIR=/tmp/rerender-1000"
            })
    }

    @Test("tells root's session daemon from the user's own, and believes no stale pid file")
    func sessionDaemons() async throws {
        let both = try await finding("LTTng session daemon", .ok) {
            $0.texts["/var/run/lttng/lttng-sessiond.pid"] = "88"
            $0.texts["/proc/88/comm"] = "lttng-sessiond\n"
        }
        #expect(both?.text == "root's is running (pid 88), your own is running (pid 77)")
        // LTTng writes over the pid of the daemon before, and leaves the rest of it.
        let short = try await finding("LTTng session daemon", .ok) {
            $0.texts["/var/run/lttng/lttng-sessiond.pid"] = "88\n67\n"
            $0.texts["/proc/88/comm"] = "lttng-sessiond\n"
        }
        #expect(short?.text == "root's is running (pid 88), your own is running (pid 77)")
        for stranger in [nil, "bash\n"] {
            let own = try await finding("LTTng session daemon", .ok) {
                $0.texts["/var/run/lttng/lttng-sessiond.pid"] = "88"
                $0.texts["/proc/88/comm"] = stranger
            }
            #expect(own?.text == "your own is running (pid 77)")
        }
    }

    @Test("finds the library of our kind of machine, and one on LD_LIBRARY_PATH first")
    func library() async throws {
        let own = try await finding("LTTng library", .ok) {
            $0.variables["LD_LIBRARY_PATH"] = "/opt/none:/opt/lttng/lib"
            $0.files["/opt/lttng/lib/liblttng-ust.so.1"] = FileFacts(kind: .other, mode: 0o644, owner: 0)
        }
        #expect(own?.text == "/opt/lttng/lib/liblttng-ust.so.1")
        let unlisted = try await finding("LTTng library", .ok) {
            $0.outputs["/sbin/ldconfig -p"] = nil
            $0.files["/usr/lib64/liblttng-ust.so.1"] = FileFacts(kind: .other, mode: 0o644, owner: 0)
        }
        #expect(unlisted?.text == "/usr/lib64/liblttng-ust.so.1")
    }

    @Test("what a limit or a capability allows is read as the kernel writes it")
    func priority() async {
        #expect(PriorityCheck.limit(in: "Max realtime priority     unlimited            unlimited\n") == 99)
        #expect(PriorityCheck.limit(in: "Max realtime timeout      unlimited\n") == 0)
        var system = FakeSystem.good
        system.texts["/proc/self/status"] = "CapEff:\t0000000000800000\n"
        #expect(await PriorityCheck(system: system, client: FakeClient()).finding().text.contains("CAP_SYS_NICE"))
        system.texts["/proc/self/status"] = "CapEff:\t0000000000400000\n"
        #expect(await !PriorityCheck(system: system, client: FakeClient()).finding().text.contains("CAP_SYS_NICE"))
    }

    @Test("the priority that the running daemon's watchdog has comes before what could be had")
    func obtainedPriority() async throws {
        let realtime = try FakeClient.healthy {
            $0.watchdog.priority = "rtkit"
            $0.watchdog.realtimePriority = 10
        }
        #expect(
            try await finding("watchdog priority", .ok, realtime)?.text
                == "the daemon's watchdog has real-time priority 10 (rtkit)")
        let refused = try FakeClient.healthy { $0.watchdog.hindrance = "RLIMIT_RTPRIO is 0. Install rtkit" }
        let slow = try await finding("watchdog priority", .warn, refused)
        #expect(slow?.advice?.contains("RLIMIT_RTPRIO") == true)
        let none = try FakeClient.healthy { $0.watchdog.looks = 9 }
        #expect(try await finding("watchdog priority", .warn, none)?.text.contains("normal priority") == true)
    }
}
