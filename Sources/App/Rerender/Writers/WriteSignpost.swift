// SPDX-License-Identifier: MIT
// Writes that invalidated views as trace events: `com.rerender.Write:event`. The fence around their C calls.

import CSignpost

/// The provider `com.rerender.Write` of this process.
///
/// Proof of the unsafe parts: a provider lives for ever; the texts are copied while the closures run that lend them.
package enum WriteSignpost {
    /// The pointers are to memory that lives for ever and is read atomically, so any thread may have them.
    @safe private struct Provider: @unchecked Sendable {
        let pointer: OpaquePointer
        let state: UnsafePointer<CInt>
    }

    private static let provider: Provider? = unsafe csignpost_provider_make(
        "com.rerender.Write", CInt(CSIGNPOST_WRITE), nil
    ).map { unsafe Provider(pointer: $0, state: csignpost_state($0, CInt(CSIGNPOST_EVENT))) }

    /// Makes the provider, so that a session can record the first write; before `BodyEvalSignpost` waits for the tracer.
    package static func prepare() { _ = provider }

    /// Whether anyone records.
    package static var isOn: Bool {
        guard let provider else { return false }
        return unsafe csignpost_is_on(provider.state) != 0
    }

    /// Records a write: the key path's name, who wrote, and how many views it invalidated. Any thread; nothing where
    /// nobody records.
    package static func emit(name: String, writer: String, views: UInt32) {
        guard let provider else { return }
        unsafe withText(name) { name in
            unsafe withText(writer) { writer in
                unsafe csignpost_emit_write(
                    provider.pointer, name.baseAddress, name.count, writer.baseAddress, writer.count, views)
            }
        }
    }

    private static func withText(_ text: String, _ body: (UnsafeBufferPointer<CChar>) -> Void) {
        // A bridged or sliced text has no storage of its own to lend; made native, it has.
        var text = text
        text.withUTF8 { bytes in unsafe bytes.withMemoryRebound(to: CChar.self, body) }
    }
}
