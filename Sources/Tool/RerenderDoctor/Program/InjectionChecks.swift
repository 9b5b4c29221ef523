// SPDX-License-Identifier: MIT
// Checks whether `--inject` can work: the libraries, and a program.

import RerenderRun
import RerenderToolBase

/// Looks whether views of a program can be counted that does not link the library.
package struct InjectionChecks: Sendable {
    /// Where the libraries are.
    let place: InjectionLibraries.Place
    /// What is known of the program; nil where there is none that can be read.
    let verdict: InjectionVerdict?
    /// The program as the user named it.
    let program: String

    static let librariesName = "libraries of --inject"
    static let programName = "program"

    init(place: InjectionLibraries.Place, verdict: InjectionVerdict?, program: String) {
        (self.place, self.verdict, self.program) = (place, verdict, Printable.text(program))
    }

    /// The program that a command starts, on this machine.
    package init(of command: String) {
        self.init(place: InjectionLibraries.ofThisProgram, verdict: .on(command), program: command)
    }

    package func findings() -> [Finding] { [libraries, onProgram] }

    private var libraries: Finding {
        let name = Self.librariesName
        switch place {
        case .found(let libraries):
            let directory = Printable.text(libraries.directory)
            guard let fault = libraries.pathFault else { return .ok(name, "they are in \(directory)") }
            return .fail(name, fault.what, fault.advice)
        case .toBeMade(let libraries, _):
            return .ok(name, "the first command with --inject makes them in \(Printable.text(libraries.directory))")
        case .missing(let what, let advice): return .fail(name, what, advice)
        }
    }

    private var onProgram: Finding {
        let name = Self.programName
        switch verdict {
        case nil:
            return .fail(name, "\(program) cannot be found or read", "Check the path, and that you may read the file")
        case .possible(let what): return .ok(name, "\(program) can be injected: \(what)")
        case .pointless(let why):
            return .warn(
                name, "\(program) cannot be injected: \(why)",
                "It runs with --inject as it does without, and is not counted")
        case .refused(let why, let advice): return .fail(name, "\(program) cannot be injected: \(why)", advice)
        }
    }
}
