// SPDX-License-Identifier: MIT
// Whether a library can be injected into a program, before it is started.

import RerenderToolBase

/// What is known of a program before it starts.
package enum InjectionVerdict: Hashable, Sendable {
    /// It can be; the text says what it is.
    case possible(String)
    /// It is started all the same, and no view of its own is counted: why.
    case pointless(String)
    /// It is not started: why, and what to do.
    case refused(String, advice: String)

    /// The verdict on a command's program; nil where there is none that can be read.
    package static func on(_ name: String) -> InjectionVerdict? { ProgramFile.find(name).map { on($0) } }

    static func on(_ file: ProgramFile) -> InjectionVerdict {
        switch file.image {
        case .script: .possible("it is a script: the programs that it starts are looked at when they start")
        case .other: .possible("it is no ELF file that can be read")
        case .foreign(let kind): .pointless("it is \(kind), and rerender's libraries are not")
        case .program(let image): onRights(of: file) ?? on(image)
        }
    }

    private static func onRights(of file: ProgramFile) -> InjectionVerdict? {
        let path = ShellWord.path(file.path)
        let copy = "Run a copy instead, which has only your rights: cp \(path) ./copy"
        return switch file.rights {
        case .ordinary: nil
        case .setUser: .refused("it is set-uid, and the system preloads nothing into such a program", advice: copy)
        case .setGroup: .refused("it is set-gid, and the system preloads nothing into such a program", advice: copy)
        case .capabilities:
            .refused("it has file capabilities, and the system preloads nothing into such a program", advice: copy)
        }
    }

    private static func on(_ image: ELFImage) -> InjectionVerdict {
        if image.hasSwiftCode, !image.needsSwiftRuntime {
            return .refused(
                "it has a Swift runtime of its own, linked statically, which nothing can be injected into",
                advice: "Build it without -static-stdlib (swift build without --static-swift-stdlib)")
        }
        guard image.hasLoader else {
            return .pointless("it is linked statically, and nothing can be preloaded into it")
        }
        return .possible(
            image.hasSwiftCode
                ? "it uses a shared Swift runtime"
                : "it has no Swift code of its own; that of its libraries and of programs that it starts is looked at")
    }
}
