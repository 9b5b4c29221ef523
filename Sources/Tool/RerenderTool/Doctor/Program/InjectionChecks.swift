// SPDX-License-Identifier: MIT
// Checks whether `--inject` can work: the libraries, and a program.

import RerenderShow

/// Looks whether views of a program can be counted that does not link the library.
package struct InjectionChecks: Sendable {
    let place: InjectionLibraries.Place
    /// The file that the command runs; nil where it cannot be read.
    let file: ProgramFile?
    /// The program as the user named it.
    let program: String
    /// What `run --inject` would say before the start.
    private let shortfalls: [ProgramShortfall]

    static let librariesName = "libraries of --inject"
    static let programName = "program"
    static let widgetsName = "widgets"
    static let symbolsName = "symbols"

    init(place: InjectionLibraries.Place, file: ProgramFile?, program: String) {
        (self.place, self.file, self.program) = (place, file, Printable.text(program))
        shortfalls = ProgramShortfall.all(of: self.program, file: file, gtk: place.gtkPart)
    }

    /// The program that a command starts, on this machine.
    package init(of command: String) {
        self.init(place: InjectionLibraries.ofThisProgram, file: .started(by: command), program: command)
    }

    package func findings() -> [Finding] {
        [libraries, onProgram, onWidgets, finding(.symbols, Self.symbolsName)].compactMap(\.self)
    }

    /// What of this part is not counted; nil where all is.
    private func finding(_ part: ProgramShortfall.Part, _ name: String) -> Finding? {
        shortfalls.first { $0.part == part }.map {
            $0.isRefused ? .fail(name, $0.text, $0.advice) : .warn(name, $0.text, $0.advice)
        }
    }

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

    private var onProgram: Finding? {
        let name = Self.programName
        guard let file else {
            return .fail(name, "\(program) cannot be found or read", "Check the path, and that you may read the file")
        }
        guard case .possible(let what) = InjectionVerdict.on(file) else { return finding(.program, name) }
        return .ok(name, "\(program) can be injected: \(what). \(InjectionOffer.habit(with: file))")
    }

    private var onWidgets: Finding? {
        let name = Self.widgetsName
        if let finding = finding(.widgets, name) { return finding }
        switch file.flatMap({ WidgetVerdict.on($0) }) {
        case .unknown: return .ok(name, "\(program) names no GTK; if it loads GTK 4 later, its widgets are counted")
        case .counted:
            let condition = place.gtkPart == .unknown ? ", if rerender was built with GTK's headers" : ""
            return .ok(
                name,
                "the widgets of \(program) can be counted\(condition): it uses GTK 4. Whether their classes have the size that "
                    + "rerender was built for is looked at when it starts")
        case nil, .older: return nil
        }
    }
}
