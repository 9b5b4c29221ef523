// SPDX-License-Identifier: MIT
// Writes as trace events, `com.rerender.Write:event`: joins what each view hears of a write to one event.

import CRerender
import CShared
import Signpost
import Synchronization

/// Writes that were reported and not yet recorded; used only while a session records `com.rerender.Write`.
///
/// Observation calls the views that read a property one after the other, on the writer's thread, and tells none how many
/// there are. So a write stays open until another begins on that thread or a body is about to be evaluated. Two writes are
/// told apart by a view that hears twice.
enum WriteLog {
    private struct OpenWrite {
        let thread: UInt
        let write: ObservedWrite
        let origin: WriteOrigin
        var views: [ObjectIdentifier]

        func isPart(of write: ObservedWrite, _ origin: WriteOrigin, by view: ObjectIdentifier) -> Bool {
            self.write.isSame(as: write) && self.origin == origin && !views.contains(view)
        }
    }

    private static let open = Mutex<[OpenWrite]>([])

    /// Notes that one view was told of a write.
    static func note(_ write: ObservedWrite, _ origin: WriteOrigin, for view: ObjectIdentifier) {
        let thread = crerender_thread_pointer()
        let ended = open.withLock { open -> OpenWrite? in
            let index = open.firstIndex { $0.thread == thread }
            if let index, open[index].isPart(of: write, origin, by: view) {
                open[index].views.append(view)
                return nil
            }
            let next = OpenWrite(thread: thread, write: write, origin: origin, views: [view])
            guard let index else {
                open.append(next)
                return nil
            }
            defer { open[index] = next }
            return open[index]
        }
        if let ended { emit(ended) }
    }

    /// Records the writes that are open: their views are about to be evaluated.
    static func flush() {
        let ended = open.withLock { open in
            defer { open.removeAll(keepingCapacity: true) }
            return open
        }
        for write in ended { emit(write) }
    }

    private static func emit(_ write: OpenWrite) {
        let path = unsafe write.write.keyPath
        let property = KeyPathName.property(of: path)
        let name = property.map { "\($0.rootType).\($0.property)" } ?? "\(type(of: path).rootType)"
        let writer = Writer(function: .accessors(of: property?.qualifiedRoot), origin: write.origin)
        WriteSignpost.emit(name: name, writer: writer.name, views: UInt32(clamping: write.views.count))
    }
}

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
