// SPDX-License-Identifier: MIT
// Checks the runtime directory, the environment variables that choose it, and the sockets in it.

import RerenderModel
import RerenderShow

/// Looks at the places that are searched for the runtime directory.
struct DirectoryChecks: Sendable {
    let system: any DoctorSystem

    private var name: String { "runtime directory" }
    /// The check that is there where the user switched Rerender off.
    static let switchName = "switch"

    /// Everything about the environment and the places, of which one is in use.
    func findings(_ inUse: RuntimeDirectory) -> [Finding] {
        environment + switches(inUse) + directories(inUse) + notices
    }

    private var environment: [Finding] {
        guard system.environment("RERENDER") == "0" else { return [] }
        return [
            .warn("environment", "RERENDER=0 is set: apps started from here count nothing", "Run: unset RERENDER")
        ]
    }

    /// Where the user switched Rerender off. A directory that must not be used has no switch: it is a finding below.
    private func switches(_ inUse: RuntimeDirectory) -> [Finding] {
        system.directories.filter { directory in
            let facts = system.file(directory.path)
            let isSafe = facts?.kind == .directory && facts?.owner == system.uid && facts.map { $0.mode & 0o022 } == 0
            return isSafe && system.file("\(directory.path)/\(RuntimeDirectory.switchName)") != nil
        }.prefix(1).map { directory in
            let file = "\(Printable.text(directory.path))/\(RuntimeDirectory.switchName)"
            return .warn(
                Self.switchName, "Rerender is switched off for this user, by \(file): programs count nothing",
                "Run: \(SwitchState.wayOn(directory, inUse: inUse))")
        }
    }

    /// Whether a program that gets no notice of a daemon's socket has to look for it.
    private var notices: [Finding] {
        guard !system.canWatchFiles else { return [] }
        let limit = Int(system.read("/proc/sys/fs/inotify/max_user_instances").prefix(while: \.isNumber)) ?? 0
        let more: ShellCommand = "sudo sysctl fs.inotify.max_user_instances=\(2 * max(512, limit))"
        return [
            .warn(
                name, "no instance of inotify is left: programs look for a daemon every 5 s", "Run: \(more)")
        ]
    }

    /// One finding for each place that is looked at, in the order in which that happens.
    private func directories(_ inUse: RuntimeDirectory) -> [Finding] {
        let named = system.directories.filter { $0.origin == .explicit }.map { place($0, inUse) }
        let places: [RuntimeDirectory.Origin] = [.environment, .xdg, .runUser, .temporary]
        return named
            + places.map { origin in
                system.directories.first { $0.origin == origin }.map { place($0, inUse) } ?? absent(origin)
            }
    }

    private func place(_ directory: RuntimeDirectory, _ inUse: RuntimeDirectory) -> Finding {
        directory == inUse ? used(directory) : unused(directory, inUse)
    }

    /// Why a place gave no directory.
    private func absent(_ origin: RuntimeDirectory.Origin) -> Finding {
        switch origin {
        case .environment: return variable("RERENDER_RUNTIME_DIR")
        case .xdg: return variable("XDG_RUNTIME_DIR")
        case .runUser:
            let path = "/run/user/\(system.uid)"
            let reason = system.file(path).map { "belongs to user \($0.owner)" } ?? "does not exist"
            return .ok(name, "\(path) \(reason) and is not searched")
        case .temporary, .explicit: return .ok(name, "/tmp is not searched")
        }
    }

    private func variable(_ variable: String) -> Finding {
        guard let value = system.environment(variable), !value.isEmpty else {
            let state = system.environment(variable) == nil ? "not set" : "empty"
            return .ok(name, "$\(variable) is \(state)")
        }
        if PathName.isAbsolute(value), let owner = system.file(value)?.owner, owner != system.uid {
            return .warn(
                "environment", "\(variable)=\(Printable.text(value)) belongs to user \(owner) and is ignored",
                "Unset it, or use sudo without -E")
        }
        return .warn(
            "environment", "\(variable)=\(Printable.text(value)) is not an absolute path and is ignored",
            "Set it to a path that starts with /, or unset it")
    }

    /// What leads to a directory, as the reason for its use.
    private func reason(_ origin: RuntimeDirectory.Origin) -> String {
        switch origin {
        case .environment: "$RERENDER_RUNTIME_DIR names it"
        case .xdg: "$XDG_RUNTIME_DIR is set"
        case .runUser: "/run/user/\(system.uid) is yours"
        case .temporary: "there is no better directory"
        case .explicit: "it was chosen"
        }
    }

    private func used(_ directory: RuntimeDirectory) -> Finding {
        let text = "\(Printable.text(directory.path)) is in use because \(reason(directory.origin))"
        guard let facts = system.file(directory.path) else { return missing(directory, text) }
        if facts.kind != .directory {
            return .fail(name, text + "; it is not a directory", "Remove it, or set RERENDER_RUNTIME_DIR")
        }
        if facts.owner != system.uid {
            return .fail(
                name, text + "; it belongs to user \(facts.owner)", "Set RERENDER_RUNTIME_DIR to a directory of yours")
        }
        guard facts.mode & 0o022 == 0 else {
            return .fail(
                name, text + "; others can write to it", "Run: \("chmod 700 \(.path(directory.path))" as ShellCommand)")
        }
        guard facts.mode & 0o077 == 0 else {
            return .warn(
                name, text + "; others can read it", "Run: \("chmod 700 \(.path(directory.path))" as ShellCommand)")
        }
        return .ok(name, text)
    }

    /// The daemon makes its directory, and none above it.
    private func missing(_ directory: RuntimeDirectory, _ text: String) -> Finding {
        let parent = PathName.directory(of: PathName.trimmed(directory.path))
        guard !system.canMakeFiles(in: parent) else {
            return .ok(name, text + "; it does not exist yet, and a daemon makes it when it starts")
        }
        let other = "set RERENDER_RUNTIME_DIR to a directory of yours"
        let advice =
            switch directory.origin {
            case .environment: "S\(other.dropFirst()), or unset it"
            case .xdg: "Unset XDG_RUNTIME_DIR, or \(other)"
            case .runUser, .temporary, .explicit: "S\(other.dropFirst())"
            }
        let above = Printable.text(parent)
        return .fail(
            name, text + "; it cannot be created because \(above) is missing or not writable", advice)
    }

    private func unused(_ directory: RuntimeDirectory, _ inUse: RuntimeDirectory) -> Finding {
        let path = Printable.text(directory.path)
        let isListed = system.directories.prefix { $0 != directory }.contains { $0.path == directory.path }
        if isListed {
            return .ok(name, "\(path) is the same as above; \(reason(directory.origin))")
        }
        let hasSockets = system.file(directory.querySocket)?.kind == .socket
        guard hasSockets, system.file(inUse.querySocket) == nil else {
            return .ok(name, "\(path) is not used because \(Printable.text(inUse.path)) comes first")
        }
        return .warn(
            name,
            "\(path) has sockets of a daemon and is not used because \(Printable.text(inUse.path)) comes first",
            "To use that daemon: \("export RERENDER_RUNTIME_DIR=\(.path(directory.path))" as ShellCommand)")
    }
}

/// Looks at where the app, the daemon and we meet.
struct SocketChecks: Sendable {
    let system: any DoctorSystem
    /// The directory of a command's private daemon, which is judged where the user has none.
    var ofCommand: RuntimeDirectory?

    /// Whether no daemon runs that others could ask, and nothing stands in the way of one: then it is optional, as each command can have one
    /// of its own.
    func isWithoutDaemon() async -> Bool {
        guard ofCommand == nil, let inUse = system.directories.first else { return false }
        for path in [inUse.pushSocket, inUse.querySocket] {
            guard path.utf8.count <= SocketQueryClient.longestPath else { return false }
            guard let facts = system.file(path) else { continue }
            // What one that was killed left behind takes no connection.
            guard facts.kind == .socket, facts.owner == system.uid, await system.connectionFault(path) != nil else {
                return false
            }
        }
        return true
    }

    /// Everything about the directory, and the two sockets if there should be some.
    ///
    /// - Parameter hasDaemon: False where ``isWithoutDaemon()`` says so.
    func findings(hasDaemon: Bool = true) async -> [Finding] {
        guard let inUse = system.directories.first else { return [] }
        var findings = DirectoryChecks(system: system).findings(inUse)
        guard hasDaemon else { return findings }
        let daemon = ofCommand ?? inUse
        for (name, path) in [("push socket", daemon.pushSocket), ("query socket", daemon.querySocket)] {
            findings.append(await socket(name, path))
        }
        return findings
    }

    private func socket(_ name: String, _ path: String) async -> Finding {
        let shown = Printable.text(path)
        guard path.utf8.count <= SocketQueryClient.longestPath else {
            return .fail(
                name,
                "\(shown) is longer than a socket's path may be (\(SocketQueryClient.longestPath) bytes)",
                "Set RERENDER_RUNTIME_DIR to a shorter path")
        }
        guard let facts = system.file(path) else {
            return .fail(name, "\(shown) does not exist", Guidance.startDaemon(system.directories))
        }
        guard facts.kind == .socket else {
            return .fail(name, "\(shown) is not a socket", "Remove it and start the daemon")
        }
        guard facts.owner == system.uid || system.uid == 0 else {
            return .fail(
                name, "\(shown) belongs to user \(facts.owner)", "Set RERENDER_RUNTIME_DIR to a directory of yours")
        }
        if let fault = await system.connectionFault(path) {
            return .fail(
                name, "\(shown) exists but refuses connections (\(fault))",
                Guidance.startDaemon(system.directories))
        }
        guard facts.mode & 0o177 == 0 else {
            let mode = String(facts.mode, radix: 8)
            return .warn(
                name, "\(shown) accepts connections; its mode is \(mode) but should be 600",
                "Run: \("chmod 600 \(.path(path))" as ShellCommand)")
        }
        return .ok(name, "\(shown) accepts connections")
    }
}

// Checks LTTng: the library, the session daemons, and the tools.

/// Looks at LTTng, from outside: nothing of it is loaded.
struct TracingChecks: Sendable {
    let system: any DoctorSystem

    /// The library that an app loads when it traces.
    static let library = "liblttng-ust.so.1"
    /// What an app calls in it, since LTTng-UST 2.13: the name is in the library's file. The other functions are in libraries that it needs.
    private static let function = "lttng_ust_probe_register"

    /// Everything about tracing. Nothing of it fails: counting works without.
    func findings() async -> [Finding] {
        [await library(), sessionDaemons(), await tools()]
    }

    /// Whether apps can use the library.
    func library() async -> Finding {
        let name = "LTTng library"
        guard let path = await libraryPath() else {
            return .warn(
                name, "\(Self.library) is not installed: signposts are off",
                PackageAdvice.command("liblttng-ust1", for: Self.library, onDebian: system.isDebian))
        }
        let bytes = system.read(path).utf8
        guard !bytes.isEmpty, !bytes.contains(Self.function.utf8) else { return .ok(name, path) }
        let tried = "Install LTTng-UST 2.13 to 2.16: these are the versions that rerender was tried with"
        return .warn(
            name, "\(path) has no function \(Self.function): signposts are off",
            await version().map { "\(tried). The tools here are \($0)" } ?? tried)
    }

    /// What `record` says before it begins: why apps cannot be traced, and what to do. Nil where they can be.
    func obstacle() async -> String? {
        let library = await library()
        return library.advice.map { "\(library.text). \($0)" }
    }

    private func libraryPath() async -> String? {
        let own = (system.environment("LD_LIBRARY_PATH") ?? "").split(separator: ":")
        if let path = own.map({ "\($0)/\(Self.library)" }).first(where: { system.file($0) != nil }) { return path }
        for program in ["/sbin/ldconfig", "/usr/sbin/ldconfig", "ldconfig"] {
            guard let cache = await system.output(of: [program, "-p"]) else { continue }
            return LinkerCache.path(of: Self.library, in: cache)
        }
        let usual = ["/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib"]
        return usual.map { "\($0)/\(Self.library)" }.first { system.file($0) != nil }
    }

    private func sessionDaemons() -> Finding {
        let name = "LTTng session daemon"
        let root = runningDaemon("/var/run/lttng")
        let home = system.environment("LTTNG_HOME") ?? system.environment("HOME") ?? ""
        let own = system.uid == 0 ? nil : runningDaemon(home + "/.lttng")
        let found = [root.map { "root's is running (pid \($0))" }, own.map { "your own is running (pid \($0))" }]
        let running = found.compactMap(\.self)
        guard running.isEmpty else { return .ok(name, running.joined(separator: ", ")) }
        return .warn(
            name, system.uid == 0 ? "none is running" : "neither root's nor your own is running",
            "`lttng create` starts one of your own; root's: systemctl start lttng-sessiond")
    }

    private func runningDaemon(_ directory: String) -> Int32? {
        SessionDaemonPid.inFile(directory + "/lttng-sessiond.pid", read: system.read)
    }

    /// What LTTng's tools call themselves: the library itself has no version in its file.
    private func version() async -> String? {
        let told = await system.output(of: ["lttng", "--version"])?.split(separator: "\n").first
        return told.map { Printable.text(String($0)) }
    }

    private func tools() async -> Finding {
        let version = await version()
        return system.hasProgram("lttng")
            ? .ok("LTTng tools", version ?? "lttng is installed")
            : .warn(
                "LTTng tools", "lttng not found in PATH: nothing can be recorded",
                PackageAdvice.command("lttng-tools", for: "LTTng's tools", onDebian: system.isDebian))
    }
}

/// The list that `ldconfig -p` prints.
enum LinkerCache {
    /// The path of a library: `\tliblttng-ust.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/liblttng-ust.so.1`.
    static func path(of library: String, in cache: String) -> String? {
        let lines = cache.split(separator: "\n").filter { $0.drop { $0 == "\t" || $0 == " " }.hasPrefix(library + " ") }
        let ours = lines.first { $0.contains(architecture) } ?? lines.first
        guard let ours, let arrow = ours.firstRange(of: "=> ") else { return nil }
        return String(ours[arrow.upperBound...])
    }

    /// How the cache calls our kind of library.
    private static var architecture: String {
        #if arch(arm64)
            "AArch64"
        #else
            "x86-64"
        #endif
    }
}
