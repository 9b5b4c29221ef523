// SPDX-License-Identifier: MIT
// What `run` injects without being asked: it builds nothing, refuses nothing, and says in one line what is not counted that could be.

import RerenderModel
import RerenderShow

/// What becomes of a command of a kind that can be counted as it is.
package struct InjectionOffer: Hashable, Sendable {
    /// What is injected; nil where nothing can be.
    package let libraries: InjectionLibraries?
    /// What the line says, so that the end does not say it again.
    let said: ProgramShortfall?
    /// What is not counted, and what to do; nil where all is.
    package let line: String?

    /// The offer for a command; nil where its program is of no kind that can be counted, or counts itself.
    ///
    /// - Parameters:
    ///   - program: As the user named it.
    ///   - file: The file that the command runs; nil where none can be read.
    ///   - place: Where the libraries are.
    package init?(of program: String, file: ProgramFile?, place: InjectionLibraries.Place) {
        guard let file, Self.isCountable(file) || InjectionVerdict.sandbox(of: file) != nil else { return nil }
        let name = Printable.text(program)
        let shortfalls = ProgramShortfall.all(of: name, file: file, gtk: place.gtkPart)
        let first = shortfalls.first
        guard first?.part != .program else {
            self.init(libraries: nil, said: first, line: first.map { "\($0.text). \($0.advice)" })
            return
        }
        func nothing(_ why: String, _ advice: String) -> InjectionOffer {
            InjectionOffer(libraries: nil, said: nil, line: "\(name) is not counted as it is: \(why). \(advice)")
        }
        switch place {
        case .found(let libraries):
            if let fault = libraries.pathFault {
                self = nothing(fault.what, fault.advice)
            } else {
                self.init(libraries: libraries, said: first, line: first.map { "\($0.text). \($0.advice)" })
            }
        case .toBeMade(let libraries, _):
            let directory = Printable.text(libraries.directory)
            self = nothing(
                "the libraries in \(directory) are to be made first",
                "To make them and start it, run: \("rerenderctl run --inject -- \(.path(program))" as ShellCommand)")
        case .missing(let what, let advice): self = nothing(what, advice)
        }
    }

    private init(libraries: InjectionLibraries?, said: ProgramShortfall?, line: String?) {
        (self.libraries, self.said, self.line) = (libraries, said, line)
    }

    /// The offer for a command on this machine; nil as well where the user switched counting off for it.
    package static func here(for command: [String]) -> InjectionOffer? {
        guard let name = command.first, environmentVariable("RERENDER") != "0" else { return nil }
        return InjectionOffer(of: name, file: .started(by: name), place: InjectionLibraries.ofThisProgram)
    }

    /// Whether the command's own file has something that can be counted as it is: Swift code, GTK 4, or GLib's main loop. What a library of
    /// a program's asks for that asks for GTK, the program asks for.
    ///
    /// Python comes to GTK by modules that it loads, and a script of gjs has what its interpreter asks for. What a shell starts is not known.
    static func isCountable(_ file: ProgramFile) -> Bool {
        guard let image = file.elf, !image.countsItself else { return false }
        if isPython(file.path) || image.needsGLib || image.gtk == 4 { return true }
        // An interpreter's own code is not the script's.
        return file.script == nil && (image.needsSwiftRuntime || image.hasSwiftCode)
    }

    /// Whether `run --inject` could count what a command starts.
    static func canBeAsked(of file: ProgramFile?, place: InjectionLibraries.Place) -> Bool {
        guard let file, case .possible = InjectionVerdict.on(file) else { return false }
        return switch place {
        case .found(let libraries), .toBeMade(let libraries, _): libraries.pathFault == nil
        case .missing: false
        }
    }

    /// What `run` does without an option with a program that can be injected; a sentence without a full stop.
    static func habit(with file: ProgramFile) -> String {
        if isCountable(file) { return "`run` does so" }
        let countsItself = file.elf?.countsItself == true
        return "`run` does " + (countsItself ? "not, since the program counts itself" : "so with --inject")
    }

    /// Whether a file is called as an interpreter of Python: `python`, `python3`, `python3.11`.
    private static func isPython(_ path: String) -> Bool {
        let name = PathName.last(of: path)
        return name.hasPrefix("python")
            && name.dropFirst("python".count).allSatisfy { $0 == "." || ("0"..."9").contains($0) }
    }
}

// Whether a library can be injected into a program, and whether its widgets can be counted, before it is started.

/// What is known of a program before it starts.
package enum InjectionVerdict: Hashable, Sendable {
    /// It can be; the text says what it is.
    case possible(String)
    /// It is started all the same, and no view of its own is counted: why, and what to do.
    case pointless(String, advice: String)
    /// It would not behave with our libraries as without: it is started without them. Why, and what to do.
    case harmful(String, advice: String)
    /// It is not started: why, and what to do.
    case refused(String, advice: String)

    /// Commands that run a program in a sandbox, where our libraries are not, with the folder of what does so by a program's name; and those
    /// that have the session bus start one.
    private static let sandboxes = [("flatpak", "/flatpak/exports/bin/"), ("snap", "/snap/bin/")]
    private static let activators = ["gapplication", "dbus-send", "gdbus", "busctl"]

    /// The command that runs programs in a sandbox, if a file is it or calls it.
    static func sandbox(of file: ProgramFile) -> String? {
        let path = file.script ?? file.path
        return sandboxes.first { PathName.last(of: path) == $0.0 || path.contains($0.1) }?.0
    }

    private static func onStarter(_ file: ProgramFile) -> InjectionVerdict? {
        let itself = "Run the program itself"
        if let sandbox = sandbox(of: file) {
            return .pointless(
                "it runs programs in a sandbox, where rerender's libraries are not",
                advice: itself + ", without \(sandbox)")
        }
        guard activators.contains(PathName.last(of: file.script ?? file.path)) else { return nil }
        return .pointless(
            "it has the session bus start a program, which is then no process of the command", advice: itself)
    }

    /// The verdict on the file that a command runs.
    package static func on(_ file: ProgramFile) -> InjectionVerdict {
        if let elsewhere = onStarter(file) { return elsewhere }
        let script = "it is a script: the programs that it starts are looked at when they start"
        return switch file.image {
        // The system gives a script no rights.
        case .script: .possible(script)
        case .other: .possible("it is no ELF file that can be read")
        case .program(let image) where image.hasThreadSanitizer && image.hasLoader:
            onRights(of: file) ?? onSanitizer(file)
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
        return file.rights.words.map { what in
            InjectionVerdict.refused(
                "\(it) \(what), and the system preloads nothing into such a program", advice: advice)
        }
    }

    /// Thread Sanitizer sees the memory that our threads share, and not our locks: it ends a process with 66 that would end with 0.
    private static func onSanitizer(_ file: ProgramFile) -> InjectionVerdict {
        .harmful(
            "\(file.script == nil ? "it" : "its interpreter") is built with Thread Sanitizer, which would report the library's threads",
            advice: "Run a build without -fsanitize=thread")
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

/// What a program's file tells of its GTK.
package enum WidgetVerdict: Hashable, Sendable {
    /// It uses GTK 4.
    case counted
    /// It names no GTK, and may load one later.
    case unknown
    /// It uses GTK of this older version.
    case older(Int)

    /// The verdict on the file that a command runs; nil where it tells nothing, or where nothing can be injected into it.
    package static func on(_ file: ProgramFile) -> WidgetVerdict? {
        guard case .program(let image) = file.image, case .possible = InjectionVerdict.on(file) else { return nil }
        return switch image.gtk {
        case nil: .unknown
        case 4: .counted
        case .some(let version): .older(version)
        }
    }
}

/// Whether the libraries have the part for GTK.
package enum GTKPart: Hashable, Sendable {
    case there
    /// They are missing, or are to be made first.
    case unknown
    /// They have none: what to do.
    case missing(advice: String)

    /// Why no widget is counted then. Also the preloaded library says it, in these words.
    static let isMissing = "rerender was built without its part for GTK"

    /// What to do where a process gave this reason not to count its widgets; nil where that is not known.
    func advice(on reason: String) -> String? {
        if case .missing(let advice) = self, reason == Self.isMissing { advice } else { nil }
    }
}

extension InjectionLibraries {
    /// Whether they have the part for GTK.
    package var gtkPart: GTKPart {
        guard modules == nil else { return .there }
        let headers = PackageAdvice.name("libgtk-4-dev", for: "the headers of GTK 4 (gtk4.pc)")
        return .missing(advice: "Install \(headers), and \(rebuild)")
    }

    /// How they are built again.
    private var rebuild: String {
        guard isOfCheckout else { return "run Scripts/install again" }
        return "run: swift build"
            + (PathName.last(of: directory) == "release" ? " -c release --traits AlwaysOn,GTK" : " --traits GTK")
    }
}

extension InjectionLibraries.Place {
    package var gtkPart: GTKPart { if case .found(let libraries) = self { libraries.gtkPart } else { .unknown } }
}
