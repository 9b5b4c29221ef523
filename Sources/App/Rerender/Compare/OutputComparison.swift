// SPDX-License-Identifier: MIT
// Compares an evaluation's output with the previous one, in the way that the caller asks for.

/// How the output of a body is compared with the previous output, to measure waste.
///
/// The store keeps what it compares until the next evaluation of the instance: the whole output with ``equatable``, only
/// the digest with ``digest(_:fileID:line:column:)``.
public struct OutputComparison<Output> {
    @usableFromInline let keep: (borrowing Output) -> any KeptOutput

    /// Compares digests: hashable values that are equal exactly if two outputs show the same.
    ///
    /// Digests of comparisons that were made at different places of the source are not compared with each other.
    ///
    /// - Parameters:
    ///   - digest: Makes the digest; runs once per evaluation, on its thread, after the body's time is taken. At one place
    ///     of the source, it is always the same function.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public static func digest(
        _ digest: @escaping (Output) -> some Hashable, fileID: StaticString = #fileID, line: UInt32 = #line,
        column: UInt32 = #column
    ) -> Self {
        // A word, so that small digests are kept without an allocation. Two addresses for one file only compare less.
        var hasher = Hasher()
        hasher.combine(unsafe UInt(bitPattern: fileID.utf8Start))
        hasher.combine(line)
        hasher.combine(column)
        let place = hasher.finalize()
        return Self { output in KeptDigest(value: digest(copy output), place: place) }
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

@usableFromInline
protocol KeptOutput {
    /// Whether the outputs are the same; nil if they were not kept in the same way.
    func isEqual(to other: any KeptOutput) -> Bool?
}

/// A value that can be compared with one of its kind.
@usableFromInline
struct Kept<Value: Equatable>: KeptOutput {
    let value: Value

    @usableFromInline
    func isEqual(to other: any KeptOutput) -> Bool? {
        (other as? Kept<Value>).map { $0.value == value }
    }
}

@available(*, unavailable)
extension Kept: Sendable {}

struct KeptDigest<Value: Equatable>: KeptOutput {
    let value: Value
    let place: Int

    func isEqual(to other: any KeptOutput) -> Bool? {
        guard let other = other as? KeptDigest<Value>, other.place == place else { return nil }
        return other.value == value
    }
}

@available(*, unavailable)
extension KeptDigest: Sendable {}
