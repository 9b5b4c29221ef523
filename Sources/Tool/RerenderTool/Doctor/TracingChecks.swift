// SPDX-License-Identifier: MIT
// Checks LTTng: the library, the session daemons, and the tools.

import RerenderModel

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
