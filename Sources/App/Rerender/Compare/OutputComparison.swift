// SPDX-License-Identifier: MIT
// Compares an evaluation's output with the previous one, in the way that the caller asks for.

/// How the output of a body is compared with the previous output, to measure waste.
///
/// The store keeps what it compares until the next evaluation of the instance: the whole output with ``equatable``, only the
/// digest with ``digest(_:)``.
public struct OutputComparison<Output> {
    /// Makes what is kept of an output.
    @usableFromInline let keep: (borrowing Output) -> any KeptOutput

    /// Compares digests: hashable values that are equal exactly if two outputs show the same.
    ///
    /// - Parameter digest: Makes the digest; runs once per evaluation, on its thread, after the body's time is taken.
    public static func digest(_ digest: @escaping (Output) -> some Hashable) -> Self {
        Self { output in Kept(value: digest(copy output)) }
    }
}

@available(*, unavailable)
extension OutputComparison: Sendable {}

extension OutputComparison where Output: Equatable {
    /// Compares outputs by `==`, on the evaluation's thread, after the body's time is taken.
    public static var equatable: Self {
        Self { output in Kept(value: copy output) }
    }
}

/// What is kept of an output.
@usableFromInline
protocol KeptOutput {
    func isEqual(to other: any KeptOutput) -> Bool
}

/// A value that can be compared with one of its kind.
@usableFromInline
struct Kept<Value: Equatable>: KeptOutput {
    let value: Value

    @usableFromInline
    func isEqual(to other: any KeptOutput) -> Bool {
        (other as? Kept<Value>).map { $0.value == value } ?? false
    }
}

@available(*, unavailable)
extension Kept: Sendable {}
