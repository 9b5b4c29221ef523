// SPDX-License-Identifier: MIT
// Whether a library can be injected into a program, before it is started.

import RerenderShow

/// What is known of a program before it starts.
package enum InjectionVerdict: Hashable, Sendable {
    /// It can be; the text says what it is.
    case possible(String)
    /// It is started all the same, and no view of its own is counted: why, and what to do.
    case pointless(String, advice: String)
    /// It is not started: why, and what to do.
    case refused(String, advice: String)

    /// Commands that run a program in a sandbox, where our libraries are not, and those that have the session bus start one.
    private static let sandboxes = ["flatpak", "snap"]
    private static let activators = ["gapplication", "dbus-send", "gdbus", "busctl"]

    private static func onStarter(_ path: String) -> InjectionVerdict? {
        let name = PathName.last(of: path)
        let itself = "Run the program itself"
        if sandboxes.contains(name) {
            return .pointless(
                "it runs programs in a sandbox, where rerender's libraries are not",
                advice: itself + ", without \(name)")
        }
        guard activators.contains(name) else { return nil }
        return .pointless(
            "it has the session bus start a program, which is then no process of the command", advice: itself)
    }

    /// The verdict on the file that a command runs.
    package static func on(_ file: ProgramFile) -> InjectionVerdict {
        if let elsewhere = onStarter(file.script ?? file.path) { return elsewhere }
        let script = "it is a script: the programs that it starts are looked at when they start"
        return switch file.image {
        // The system gives a script no rights.
        case .script: .possible(script)
        case .other: .possible("it is no ELF file that can be read")
        // Whatever the interpreter is, the script may start what can be counted.
        case _ where file.script != nil: onRights(of: file) ?? .possible(script)
        case .foreign(let kind):
            .pointless(
                "it is \(kind), and rerender's libraries are not",
                advice: "Run a build of it for this machine's processor")
        case .program(let image): onRights(of: file) ?? on(image)
        }
    }

    private static func onRights(of file: ProgramFile) -> InjectionVerdict? {
        let (it, copied) = file.script == nil ? ("it", "a copy") : ("its interpreter", "a copy of the interpreter")
        let copy: ShellCommand = "cp \(.path(file.path)) ./copy"
        let advice = "Run \(copied) instead, which has only your rights: \(copy)"
        func refused(_ what: String) -> InjectionVerdict {
            .refused("\(it) \(what), and the system preloads nothing into such a program", advice: advice)
        }
        return switch file.rights {
        case .ordinary: nil
        case .setUser: refused("is set-uid")
        case .setGroup: refused("is set-gid")
        case .capabilities: refused("has file capabilities")
        }
    }

    private static func on(_ image: ELFImage) -> InjectionVerdict {
        if image.hasSwiftCode, !image.needsSwiftRuntime {
            return .refused(
                "it has a Swift runtime of its own, linked statically, which nothing can be injected into",
                advice: "Build it without -static-stdlib (swift build without --static-swift-stdlib)")
        }
        guard image.hasLoader else {
            return .pointless(
                "it is linked statically, and nothing can be preloaded into it", advice: "Build it without -static")
        }
        return .possible(
            image.hasSwiftCode
                ? "it uses a shared Swift runtime"
                : "it has no Swift code of its own; that of its libraries and of programs that it starts is looked at")
    }
}
