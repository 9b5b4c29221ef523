// SPDX-License-Identifier: MIT
// What callgrind wrote: for each function its own instructions, and whom it called how often.

/// One function of a program, by what it did in one run.
struct FunctionCost: Equatable {
    /// Instructions of the function alone.
    var instructions = 0
    /// Calls it made, by the name of the called.
    var calls: [String: Int] = [:]
}

/// A profile in callgrind's format, written with `--compress-strings=no --compress-pos=no --dump-line=no`.
struct CallgrindProfile {
    private(set) var functions: [String: FunctionCost] = [:]

    init(_ text: String) {
        var function = "", called = "", isCostOfCall = false
        for line in text.split(separator: "\n") {
            if let name = line.value(of: "fn=") {
                function = name
            } else if let name = line.value(of: "cfn=") {
                called = name
            } else if let calls = line.value(of: "calls=") {
                functions[function, default: FunctionCost()].calls[called, default: 0] += calls.firstNumber
                isCostOfCall = true
            } else if line.first?.isNumber == true {
                // The line after `calls=` is what the called one cost.
                if !isCostOfCall { functions[function, default: FunctionCost()].instructions += line.lastNumber }
                isCostOfCall = false
            }
        }
    }

    /// The function of a module whose mangled name goes on with `name`, with the module taken out of every name.
    func function(_ name: String, of module: String) -> FunctionCost? {
        let prefix = Self.prefix(of: module)
        // Names that go on further are of the closures in it.
        let found = functions.filter { $0.key.hasPrefix(prefix + name) }.min { $0.key.count < $1.key.count }
        guard var cost = found?.value else { return nil }
        let calls = cost.calls.map { name, count in
            (name.hasPrefix(prefix) ? "$s" + name.dropFirst(prefix.count) : name, count)
        }
        cost.calls = Dictionary(calls, uniquingKeysWith: +)
        return cost
    }

    /// How often a function was called.
    func callCount(of name: String, of module: String) -> Int {
        let prefix = Self.prefix(of: module) + name
        return functions.values.flatMap(\.calls).filter { $0.key.hasPrefix(prefix) }.reduce(0) { $0 + $1.value }
    }

    private static func prefix(of module: String) -> String { "$s\(module.utf8.count)\(module)" }
}

extension CallgrindProfile: CustomStringConvertible {
    /// Short: a failed expectation prints it.
    var description: String { "\(functions.count) functions" }
}

extension Substring {
    fileprivate func value(of key: String) -> String? {
        hasPrefix(key) ? String(dropFirst(key.count)) : nil
    }

    fileprivate var lastNumber: Int { split(separator: " ").last.flatMap { Int($0) } ?? 0 }
}

extension String {
    fileprivate var firstNumber: Int { split(separator: " ").first.flatMap { Int($0) } ?? 0 }
}
