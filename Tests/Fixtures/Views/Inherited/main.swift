// SPDX-License-Identifier: MIT
// Classes whose bodies call those that they override: an evaluation is one of the object's class, however many bodies run in it.

/// What is shown.
protocol View {
    associatedtype Body
    var body: Body { get }
}

class Model: View {
    var body: String { "model" }
}

/// Calls the body that it overrides.
class Special: Model {
    override var body: String { "special " + super.body }
}

/// Inherits a body that calls another one.
final class Third: Special {}

/// Calls through two classes, twice.
final class Fourth: Special {
    override var body: String { super.body + " and " + super.body }
}

/// Calls no other.
final class Other: Model {
    override var body: String { "other" }
}

/// Does not know the type.
@inline(never) func shown(_ view: any View) -> String { "\(view.body)" }

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
let views: [any View] = [Model(), Special(), Third(), Fourth(), Other(), Fourth()]
var counts: [String: Int] = [:]
for _ in 0..<rounds {
    for view in views {
        counts["\(type(of: view))", default: 0] += 1
        print(shown(view))
    }
}
for (view, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
