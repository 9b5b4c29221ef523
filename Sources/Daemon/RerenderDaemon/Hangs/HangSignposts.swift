// SPDX-License-Identifier: MIT
// Hangs in the trace: `com.rerender.Hang:begin` and `:end`. The fence around their C calls.

import CSignpost
import RerenderModel

/// The provider `com.rerender.Hang`: one of the process, even if several daemons run in it.
///
/// Proof of the unsafe parts: a provider lives for ever; the texts are copied while the closures run that lend them.
struct HangSignposts {
    /// The pointer is to memory that lives for ever and that any thread may use.
    @safe private struct Provider: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private static let provider: Provider? = unsafe csignpost_provider_make(
        "com.rerender.Hang", CInt(CSIGNPOST_HANG), nil
    ).map { unsafe Provider(pointer: $0) }

    /// Makes the provider. Waits for nothing: the tracer is loaded on a thread of its own.
    func load() {
        _ = Self.provider
    }

    /// Emits that a hang was opened: as much is known of it as the hang says.
    func began(_ hang: Hang) {
        guard let provider = Self.provider else { return }
        unsafe Self.withTexts(hang) { name, last, attribution, verdict in
            unsafe csignpost_emit_hang_begin(
                provider.pointer, hang.id, name.baseAddress, name.count, last.baseAddress, last.count,
                UInt32(bitPattern: hang.pid), attribution.baseAddress, attribution.count, verdict.baseAddress,
                verdict.count)
        }
    }

    /// Emits that a hang turned out to be none: its end, with a duration of 0, which no hang has.
    func dropped(_ hang: Hang) {
        var hang = hang
        hang.durationNanoseconds = 0
        ended(hang)
    }

    /// Emits that a hang ended.
    func ended(_ hang: Hang) {
        guard let provider = Self.provider else { return }
        unsafe Self.withTexts(hang) { name, last, attribution, verdict in
            unsafe csignpost_emit_hang_end(
                provider.pointer, hang.id, name.baseAddress, name.count, last.baseAddress, last.count,
                UInt32(bitPattern: hang.pid), attribution.baseAddress, attribution.count, verdict.baseAddress,
                verdict.count, hang.durationNanoseconds)
        }
    }

    private typealias Text = UnsafeBufferPointer<CChar>

    private static func withTexts(_ hang: Hang, _ body: (Text, Text, Text, Text) -> Void) {
        unsafe withText(hang.view?.rawValue) { name in
            unsafe withText(hang.lastRendered?.rawValue) { last in
                unsafe withText(hang.attribution.rawValue) { attribution in
                    unsafe withText(hang.verdict.rawValue) { verdict in
                        unsafe body(name, last, attribution, verdict)
                    }
                }
            }
        }
    }

    private static func withText(_ text: String?, _ body: (Text) -> Void) {
        var text = text ?? ""
        text.makeContiguousUTF8()
        _ = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self, body)
        }
    }
}
