// SPDX-License-Identifier: MIT
// Whether the widgets of a program can be counted, before it is started.

import RerenderModel
import RerenderShow

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
    package var gtkPart: GTKPart { modules == nil ? .missing(advice: "Install libgtk-4-dev, and \(rebuild)") : .there }

    /// How they are built again.
    private var rebuild: String {
        guard isOfCheckout else { return "run Scripts/install again" }
        return "run: swift build"
            + (PathName.last(of: directory) == "release" ? " -c release --traits AlwaysOn,GTK" : " --traits GTK")
    }
}

extension InjectionLibraries.Place {
    /// Whether the libraries have the part for GTK.
    package var gtkPart: GTKPart { if case .found(let libraries) = self { libraries.gtkPart } else { .unknown } }
}
