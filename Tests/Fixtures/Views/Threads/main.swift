// SPDX-License-Identifier: MIT
// `Threads COUNT KILOBYTES`: evaluates views on four threads, COUNT bodies in all. It ends with 1 where it has that much more memory
// after all than after a half.

import Glibc
import Observation

protocol View {
    associatedtype Body
    var body: Body { get }
}

@Observable final class Model { var number = 0 }

struct Leaf: View {
    let number: Int
    var body: Int { number &+ 1 }
}

/// Has ten evaluations, its own included.
struct Row: View {
    let model: Model
    let title: String
    var body: Int { (0..<9).reduce(model.number) { $0 &+ evaluate(Leaf(number: $1)) } &+ title.utf8.count }
}

/// Asks the witness table: this is built without optimisation.
@inline(never) func evaluate<Shown: View>(_ view: Shown) -> Shown.Body { view.body }

let threads = 4
let bodies = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000
let rows = bodies / 10 / threads / 2

/// Evaluates half of a thread's rows. Each thread has a model of its own, which it writes for each.
@Sendable func evaluateRows() {
    let model = Model()
    var sum = 0
    for number in 0..<rows {
        model.number = number
        sum &+= evaluate(Row(model: model, title: "row \(number % 10)"))
    }
    precondition(sum != 0 || rows == 0)
}

func runHalf() {
    let started = (0..<threads).map { _ in
        var thread = pthread_t()
        precondition(
            pthread_create(
                &thread, nil,
                { _ in
                    evaluateRows(); return nil
                }, nil) == 0)
        return thread
    }
    for thread in started { pthread_join(thread, nil) }
}

/// In kilobytes, as the kernel counts it.
func resident() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE)) / 1024 : 0
}

runHalf()
let before = resident()
print("after \(rows * threads * 10) evaluations: \(before) kB")
runHalf()
let after = resident()
print("after \(rows * threads * 20) evaluations: \(after) kB")
print("Leaf\t\(rows * threads * 18)")
print("Row\t\(rows * threads * 2)")
// A word that is kept for each evaluation is 4 MB of half a million.
if let most = CommandLine.arguments.dropFirst(2).first.flatMap({ Int($0) }), before == 0 || after - before > most {
    exit(1)
}
