// SPDX-License-Identifier: MIT
// Finds the file and the line of a view's body, from symbols and debug information.

import Rerender
import RerenderModel

/// Where views' bodies are in the source.
struct ViewPlaces: ~Copyable {
    private var symbols = BodySymbols()

    init() {}

    /// The file as `#fileID` has it, and the line of the body's declaration; nil where the program was built without them.
    mutating func place(of view: FoundView) -> (file: String, line: UInt32)? {
        guard let body = view.body, let place = symbols.place(ofBody: body, type: view.descriptor) else { return nil }
        return ("\(view.bodyModule)/\(PathName.last(of: place.path))", UInt32(clamping: place.line))
    }

    /// The name of the file of a view's body.
    static func file(of view: FoundView) -> String? {
        var places = ViewPlaces()
        return places.place(of: view).map { PathName.last(of: $0.file) }
    }
}
