// SPDX-License-Identifier: MIT
// The events of Rerender's own with their fields, by the table that emitter and reader have.

import CShared

/// What a recording of Rerender's own events has.
package enum EventTable {
    /// The names of the fields of each event, in their order, by the event's name.
    package static let fields: [String: [String]] = {
        var all: [String: [String]] = [:]
        for shape in 0..<CSIGNPOST_SHAPES {
            guard let provider = csignpost_reserved_name(CInt(shape)) else { continue }
            for (kind, event) in ["begin", "end", "event"].enumerated() {
                var names: [String] = []
                while let name = csignpost_field(CInt(shape), CInt(kind), names.count).name {
                    names.append(String(cString: name))
                }
                if !names.isEmpty { all["\(String(cString: provider)):\(event)"] = names }
            }
        }
        return all
    }()
}
