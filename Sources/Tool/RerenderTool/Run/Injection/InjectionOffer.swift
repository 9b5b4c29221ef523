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
