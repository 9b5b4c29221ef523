// SPDX-License-Identifier: MIT
// Which functions of the program a library calls in its own sources, as samples of stacks tell.

/// Adds up samples of the main loop's thread by the row whose function ran. Plain values; a lock guards them.
///
/// GIO calls the program's callbacks in functions of its own, so such a row has no function of the program. Samples tell which one it calls.
struct RowCallees {
    /// Fewer samples of a row say nothing. More than half of them name its function, and below nine of ten the name says that.
    private static let least = 5
    private static let mostFunctions = 8

    private struct Samples {
        var all = 0
        /// How many were in each function, with the place that was seen first.
        var functions: [String: (count: Int, function: RowFunction)] = [:]
    }

    /// By the rows' numbers: some ten.
    private var rows: [Int: Samples] = [:]

    /// A row's function ran.
    ///
    /// - Parameter callee: The function of the program that was called in it; nil where there was none, or it has no name.
    mutating func add(_ callee: RowFunction?, of row: Int) {
        rows[row, default: Samples()].all += 1
        guard let callee, let key = Self.key(callee) else { return }
        let (known, count) = (rows[row]?.functions[key], rows[row]?.functions.count ?? 0)
        guard known != nil || count < Self.mostFunctions else { return }
        rows[row]?.functions[key] = ((known?.count ?? 0) + 1, known?.function ?? callee)
    }

    /// The function that a row calls in most samples, and the words for how much of the row that is, where others or the library have a
    /// tenth; nil where samples are few, or none has most.
    func callee(of row: Int) -> (function: RowFunction, part: String)? {
        guard let samples = rows[row], samples.all >= Self.least,
            let most = samples.functions.values.first(where: { $0.count * 2 > samples.all })
        else { return nil }
        // No number, which would make another row of it each time.
        return (most.function, most.count * 10 >= samples.all * 9 ? "" : ", more than half of it")
    }

    /// The function and its file: the lines of samples in it differ.
    private static func key(_ function: RowFunction) -> String? {
        guard case .known(let name, let place) = function else { return nil }
        return "\(name) \(place.map { $0.prefix { $0 != ":" } } ?? "")"
    }
}
