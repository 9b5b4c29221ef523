// SPDX-License-Identifier: MIT
// `churn COUNT`: an app that never stands still, and how much memory it has after each part of COUNT evaluations.

import Glibc
import Observation
import Rerender

@Observable private final class Child {
    var number = 0
}

@Observable private final class Model {
    var count = 0
    var text = ""
    var numbers: [Int] = []
    var child = Child()
    var children: [Child] = []
}

private struct Row {
    var model: Model
    var title: String
    var numbers: [Int]
    var table: [String: Int]
    var content: Any
    weak var neighbour: Model?
    var action: () -> Int
}

/// The app: some models live, and are replaced one after the other.
private struct App {
    let store = RerenderStore(name: "churn")
    var models = (0..<64).map { _ in Model() }
    var numbers: [Int] = []

    /// A view that has not been before, or one of those that are, or one that comes back much later.
    func instance(_ round: Int) -> UInt64 {
        switch round % 4 {
        case 0: UInt64(round)
        case 1: UInt64(round % 40)
        // More than are kept, again and again.
        case 2: UInt64(1_000_000_000 + round % 9_000)
        default: 0
        }
    }

    func row(_ round: Int) -> Row {
        let model = models[round % 64]
        return Row(
            model: model, title: String(repeating: "title \(round) ", count: round % 9), numbers: numbers,
            table: ["a": round, "b \(round % 7)": 2], content: round % 2 == 0 ? round : "\(round)",
            neighbour: models[(round + 1) % 64], action: { model.count + round })
    }

    mutating func mutate(_ round: Int) {
        let model = models[round % 64]
        model.count += 1
        model.text = "text \(round) that is too long to be kept in the string itself"
        model.child.number += 1
        numbers.append(round)
        if numbers.count > 3_000 { numbers = [] }
        if round % 3 == 0 { model.numbers = Array(0..<(round % 300)) }
        if round % 7 == 0 { models[(round / 7) % 64] = Model() }
        if round % 11 == 0 { model.child = Child() }
        if round % 13 == 0 { model.children = (0..<(round % 5)).map { _ in Child() } }
    }

    func evaluate(_ round: Int) {
        let instance = instance(round)
        let id = InstanceID(rawValue: instance)
        let row = row(round)
        let key = "Row"
        if round % 17 == 0 {
            store.invalidate(key, instance: id, cause: "state \(round % 100)", writer: "w \(round % 90)")
        }
        _ = store.evaluate(key, of: row, instance: id, comparing: .digest { $0 }) {
            let model = row.model
            store.evaluate("Leaf", of: model.child, instance: id) { _ = model.child.number }
            return (model.count + model.numbers.count + model.children.reduce(0) { $0 + $1.number }).description
        }
        if round % 19 == 0 { store.reading(key, instance: id) { _ = row.model.text } }
        if round % 2 == 0 { store.committed(key, changed: round % 6 == 0, instance: id) }
        // Half of those that come once end; the others are never heard of again.
        if round % 8 == 0 {
            store.ended(key, instance: id)
            store.ended("Leaf", instance: id)
        }
    }
}

extension App {
    func endAll(_ rounds: Int) {
        for round in 0..<rounds {
            let id = InstanceID(rawValue: instance(round))
            store.ended("Row", instance: id)
            store.ended("Leaf", instance: id)
        }
    }
}

/// Prints the resident memory in KiB after a tenth, a half and all of `count` evaluations, then when all views have ended.
func churn(_ count: Int) -> Bool {
    var app = App()
    for round in 0..<(count / 2) {
        app.mutate(round)
        app.evaluate(round)
        let done = (round + 1) * 2
        for percent in [10, 50, 100] where done / 2 == count / 2 * percent / 100 {
            say("\(percent)%", app)
        }
    }
    app.endAll(count / 2)
    say("ended", app)
    return app.store.stats.allSatisfy { $0.instances == 0 }
}

private func say(_ when: String, _ app: App) {
    let evaluations = app.store.stats.reduce(0) { $0 + Int($1.count) }
    print("\(when) evaluations=\(evaluations) KiB=\(residentKibibytes())")
    // A sanitizer that finds something ends the process without it.
    fflush(nil)
}

/// Not in Glibc's module: gives back what is free, so that what is counted is in use.
@_silgen_name("malloc_trim") private func trim(_: Int) -> CInt

private func residentKibibytes() -> Int {
    _ = trim(0)
    guard let file = fopen("/proc/self/statm", "r") else { return -1 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return -1 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? -1) * Int(getpagesize()) / 1024 : -1
}
