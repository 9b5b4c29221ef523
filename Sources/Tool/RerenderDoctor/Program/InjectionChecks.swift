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
    /// What its file tells of GTK; nil where it tells nothing.
    let widgets: WidgetVerdict?
    /// The program as the user named it.
    let program: String

    static let librariesName = "libraries of --inject"
    static let programName = "program"
    static let widgetsName = "widgets"

    init(place: InjectionLibraries.Place, verdict: InjectionVerdict?, widgets: WidgetVerdict? = nil, program: String) {
        (self.place, self.verdict, self.widgets) = (place, verdict, widgets)
        self.program = Printable.text(program)
    }

    /// The program that a command starts, on this machine.
    package init(of command: String) {
        self.init(
            place: InjectionLibraries.ofThisProgram, verdict: .on(command), widgets: .on(command), program: command)
    }

    package func findings() -> [Finding] { [libraries, onProgram] + [onWidgets].compactMap(\.self) }

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

    private var onWidgets: Finding? {
        let name = Self.widgetsName
        switch widgets {
        case nil: return nil
        case .unknown: return .ok(name, "\(program) names no GTK; if it loads GTK 4 later, its widgets are counted")
        case .older(let version):
            return .warn(
                name, "the widgets of \(program) cannot be counted: its GTK is version \(version)",
                "Rerender counts the widgets of GTK 4")
        case .counted where place.hasPartForGTK == false:
            return .warn(
                name, "the widgets of \(program) cannot be counted: rerender was built without its part for GTK",
                "Install libgtk-4-dev, and run: swift build --traits GTK")
        case .counted:
            let condition = place.hasPartForGTK == nil ? ", if rerender was built with the trait GTK" : ""
            return .ok(
                name,
                "the widgets of \(program) can be counted\(condition): it uses GTK 4. Whether their classes have the size that "
                    + "rerender was built for is looked at when it starts")
        }
    }
}
