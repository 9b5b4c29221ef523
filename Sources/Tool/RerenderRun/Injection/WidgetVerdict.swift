// SPDX-License-Identifier: MIT
// Whether the widgets of a program can be counted, before it is started.

import RerenderToolBase

/// What a program's file tells of its GTK.
package enum WidgetVerdict: Hashable, Sendable {
    /// It uses GTK 4.
    case counted
    /// It names no GTK, and may load one later.
    case unknown
    /// It uses GTK of this older version.
    case older(Int)

    /// The verdict on a command's program; nil where its file tells nothing, or where nothing can be injected into it.
    package static func on(_ name: String) -> WidgetVerdict? { ProgramFile.find(name).flatMap { on($0) } }

    static func on(_ file: ProgramFile) -> WidgetVerdict? {
        guard case .program(let image) = file.image, case .possible = InjectionVerdict.on(file) else { return nil }
        return switch image.gtk {
        case nil: .unknown
        case 4: .counted
        case .some(let version): .older(version)
        }
    }
}

extension InjectionLibraries.Place {
    /// Whether the libraries have the part for GTK; nil where they are to be made first.
    package var hasPartForGTK: Bool? {
        switch self {
        case .found(let libraries): libraries.modules != nil
        case .toBeMade: nil
        case .missing: false
        }
    }
}
