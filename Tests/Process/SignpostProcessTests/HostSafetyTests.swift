// SPDX-License-Identifier: MIT
// The host survives: forks, a missing library, a session daemon that hangs or dies.

import Foundation
import TestSupport
import TestTraits
import Testing
@testable import SignpostSupport

@Suite(
    "Host safety", .exclusive, .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
struct HostSafetyTests {
    @Test("a forked child is silent and ends, by _exit and by exit", .promise, arguments: LTTngDaemon.users)
    func fork(_ user: LTTngUser) async throws {
        let subsystem = uniqueSubsystem()
        try await LTTngDaemon.with(user) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("\(subsystem).*", "test.child.*")) { session in
                let probe = try await daemon.readyProbe(subsystem, "Fork")
                try await expect(probe, "fork 0 _exit", "child exited 0")
                try await expect(probe, "fork 0 exit", "child exited 0")
                try await probe.ask("event 0 1 \("parent goes on".hex)")
                #expect(await probe.finish().exit == .status(0))
                let events = try await session.stopAndRead()
                #expect(events.compactMap { $0.text("message") } == ["parent goes on"])
            }
        }
    }

    @Test("children forked while other threads emit end by exit() without hanging")
    func forkStorm() async throws {
        let subsystem = uniqueSubsystem()
        try await LTTngDaemon.with(.ordinary) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("\(subsystem).*")) { _ in
                let probe = try await daemon.readyProbe(subsystem, "Storm")
                try await expect(probe, "storm 0 40 4", "40 exited 0")
                #expect(await probe.finish().exit == .status(0))
            }
        }
    }

    private static let forkLibrary = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/liblttng-ust-fork.so.1" }
        .first { FileManager.default.fileExists(atPath: $0) }

    @Test(
        "LTTng's own fork helper, which takes the same locks, changes nothing",
        .enabled(if: forkLibrary != nil, "needs liblttng-ust-fork"))
    func forkHelper() async throws {
        let subsystem = uniqueSubsystem()
        try await LTTngDaemon.with(.ordinary) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("\(subsystem).*", "test.child.*")) { session in
                let probe = try await daemon.readyProbe(
                    subsystem, "Helper", environment: ["LD_PRELOAD": try #require(Self.forkLibrary)])
                try await expect(probe, "fork 0 _exit", "child exited 0")
                try await expect(probe, "fork 0 exit", "child exited 0")
                try await probe.ask("event 0 1 \("parent goes on".hex)")
                #expect(await probe.finish().exit == .status(0))
                let events = try await session.stopAndRead()
                #expect(events.compactMap { $0.text("message") } == ["parent goes on"])
            }
        }
    }

    @Test("a session daemon that hangs blocks no caller, bounds the wait, and a child forked meanwhile ends")
    func hangingDaemon() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            // What waits for the daemon, waits for longer than this test does.
            let probe = try await daemon.start(
                product: "signpost-probe", environment: ["LTTNG_UST_REGISTER_TIMEOUT": "10000000"])
            try daemon.freeze()
            try await expect(probe, "make \(uniqueSubsystem()) Hang process", "0 fine")
            try await expect(probe, "lazy 0", "evaluated 0")
            try await expect(probe, "wait 300", "timedOut")
            try await expect(probe, "fork 0 exit", "child exited 0")
            try daemon.thaw()
            try await expect(probe, "wait 60000", "ready")
            #expect(await probe.finish().exit == .status(0))
        }
    }

    @Test(
        "a child forked while LTTng loads and holds its locks ends by exit()",
        .enabled(if: Fixture.hasC, "needs a C compiler"))
    func forkWhileLoading() async throws {
        let loader = try await StuckLoader()
        let probe = try ChildProcess([ChildProcess.product("signpost-probe")], environment: loader.environment)
        try await expect(probe, "make \(uniqueSubsystem()) Loading process", "0 fine")
        try await loader.waitUntilLoading()
        try await expect(probe, "fork 0 exit", "child exited 0")
        // Its own end would wait for the library for ever.
        probe.kill(SIGKILL)
        #expect(await probe.waitForExit() == .signal(SIGKILL))
    }

    @Test("without an answer in LTTng's own time, readiness is not claimed")
    func unansweredRegistration() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            let probe = try await daemon.start(
                product: "signpost-probe", environment: ["LTTNG_UST_REGISTER_TIMEOUT": "200"])
            try daemon.freeze()
            try await probe.ask("make \(uniqueSubsystem()) Late process")
            try await expect(probe, "wait 20000", "timedOut")
            #expect(try await probe.ask("status").contains("sessionDaemonsAnswered: false"))
            try daemon.thaw()
            #expect(await probe.finish().exit == .status(0))
        }
    }

    @Test("a session daemon killed while recording leaves the host running", .promise)
    func killedDaemon() async throws {
        let subsystem = uniqueSubsystem()
        try await LTTngDaemon.with(.ordinary) { daemon in
            try await LTTngSession.with(daemon, LTTngRecording("\(subsystem).*")) { _ in
                let probe = try await daemon.readyProbe(subsystem, "Killed")
                try await expect(probe, "pairs 0 100 4", "pairs 400")
                try probe.send("pairs 0 20000 4")
                try await daemon.crash()
                #expect(try await probe.nextLine() == "pairs 80000")
                try await expect(probe, "pairs 0 100 4", "pairs 400")
                #expect(await probe.finish().exit == .status(0))
            }
        }
    }

    @Test("no session daemon at all is no reason to wait")
    func noDaemon() async throws {
        let home = FileManager.default.temporaryDirectory.path
        let probe = try ChildProcess(
            [ChildProcess.product("signpost-probe")],
            environment: ["HOME": home, "LTTNG_UST_REGISTER_TIMEOUT": "20000"])
        // Another test may have root's session daemon up, which may be slow to answer.
        try await probe.ask("make \(uniqueSubsystem()) Alone process")
        try await expect(probe, "wait 20000", "ready")
        try await expect(probe, "lazy 0", "evaluated 0")
        #expect(await probe.finish().exit == .status(0))
    }

    /// Hides the library from the command that follows, in a mount namespace of its own: by an overlay without the
    /// file, or where overlays are not possible by an empty file in its place.
    private static let withoutLibrary = """
        set -e
        library=$(readlink -f "$1"); directory=$(dirname "$library"); shift
        mount --make-rprivate /
        mount -t tmpfs none /mnt
        mkdir /mnt/upper /mnt/work
        mknod "/mnt/upper/liblttng-ust.so.1" c 0 0
        mknod "/mnt/upper/$(basename "$library")" c 0 0
        mount -t overlay overlay -o "lowerdir=$directory,upperdir=/mnt/upper,workdir=/mnt/work" "$directory" \
            2>/dev/null || mount --bind /dev/null "$library"
        exec "$@"
        """

    private static let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/liblttng-ust.so.1" }
        .first { FileManager.default.fileExists(atPath: $0) }

    @Test(
        "a process without LTTng installed runs unharmed", .promise,
        .enabled(if: LTTngDaemon.isRoot && library != nil, "needs root and a library to hide"))
    func noLibrary() async throws {
        let unshare = try #require(ChildProcess.path(of: "unshare"))
        let probe = try ChildProcess([
            unshare, "--mount", "/bin/sh", "-c", Self.withoutLibrary, "sh", try #require(Self.library),
            ChildProcess.product("signpost-probe"),
        ])
        try await expect(probe, "make \(uniqueSubsystem()) Absent process", "0 fine")
        try await expect(probe, "wait 60000", "noLibrary")
        #expect(try await probe.ask("status").contains("missing(reason: "))
        try await expect(probe, "enabled 0", "false")
        try await expect(probe, "lazy 0", "evaluated 0")
        try await expect(probe, "pairs 0 1000 4", "pairs 4000")
        try await expect(probe, "map", "no lttng")
        try await expect(probe, "fork 0 exit", "child exited 0")
        #expect(await probe.finish().exit == .status(0))
    }

    @Test("what links Signpost does not link LTTng, and does not load it before the first signposter", .promise)
    func linksNothing() async throws {
        let ldd = try #require(ChildProcess.path(of: "ldd"))
        let output = try await ChildProcess.run([ldd, ChildProcess.product("signpost-probe")])
        #expect(output.succeeded && output.standardOutput.contains("libc.so"))
        #expect(!output.standardOutput.contains("lttng"))
        let probe = try ChildProcess([ChildProcess.product("signpost-probe")])
        try await expect(probe, "map", "no lttng")
        try await probe.ask("make \(uniqueSubsystem()) Loads process")
        try await probe.ask("wait 60000")
        try await expect(probe, "map", "lttng is mapped")
        #expect(await probe.finish().exit == .status(0))
    }
}
