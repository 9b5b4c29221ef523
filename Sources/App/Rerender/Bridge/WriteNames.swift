// SPDX-License-Identifier: MIT
// Names for a bridge the writes that evaluate a body.

/// Follows what a body reads of `@Observable` models, and names the writes to it as reasons are named.
///
///     let body = names.track(view) { write in … } _: { view.body }
///
/// One thread at a time uses it, apart from the writers that it calls.
@_spi(Bridge)
public final class WriteNames {
    private var reads: ObservedReads?
    private var paths = ModelPaths()

    /// Follows nothing at first.
    public init() {}

    /// Runs a body and follows what it reads, in the place of what it read the last time.
    ///
    /// Proof of the unsafe parts: the pointer is to a value of the type, which lives, unmoved, during the call.
    ///
    /// - Parameters:
    ///   - view: The view, which leads to the models by its stored properties.
    ///   - onWrite: Called on the writers' threads, before each write, until the next body has run or ``end()`` is called.
    ///   - body: The body; run exactly once.
    public func track<View, Output>(
        _ view: View, onWrite: @escaping @Sendable (ObservedWrite) -> Void, _ body: () -> Output
    ) -> Output {
        var found: ObservedReads?
        let output = ObservedReads.track(reads: &found, onWrite: onWrite) { body() }
        // Those from before have told of writes until now.
        reads?.cancel()
        reads = found
        if let found {
            unsafe withUnsafePointer(to: view) { view in
                unsafe paths.update(view: UnsafeRawPointer(view), type: View.self, reads: found)
            }
        }
        return output
    }

    /// What a reader knows a write as, such as `ticker.count`; nil where that cannot be told.
    public func name(of write: ObservedWrite) -> String? { causeName(of: write, reads: reads, paths: paths) }

    /// Ends what is followed.
    public func end() {
        reads?.cancel()
        reads = nil
    }
}

@available(*, unavailable)
extension WriteNames: Sendable {}
