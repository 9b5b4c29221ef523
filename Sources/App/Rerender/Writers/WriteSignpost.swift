// SPDX-License-Identifier: MIT
// Writes that invalidated views as trace events: `com.rerender.Write:event`.

import CShared
import Signpost

/// The provider `com.rerender.Write` of this process.
package enum WriteSignpost {
    static let provider = Provider.reserved(.write)

    /// Makes the provider, so that a session can record the first write; before `BodyEvalSignpost` waits for the tracer.
    package static func prepare() { _ = provider }

    /// Whether anyone records.
    package static var isOn: Bool { provider.eventIsOn }

    /// Records a write: the key path's name, who wrote, and how many views it invalidated. Any thread. Does
    /// nothing while no session records.
    package static func emit(name: String, writer: String, views: UInt32) {
        guard isOn else { return }
        FieldText.lend(name, writer) { name, writer, _, _, _ in
            csignpost_write(name: name, message: writer, views: views).emit()
        }
    }
}
