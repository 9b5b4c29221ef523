// SPDX-License-Identifier: MIT
// What most cases are made with: views of one property, and a list that makes several cases of one kind of value.

import Rerender

struct One<Value> {
    var value: Value
}

struct Two<First, Second> {
    var first: First
    var second: Second
}

/// Cases of one class of programs.
struct CaseList {
    private let group: String
    private(set) var cases: [Case] = []

    static func make(_ group: String, _ fill: (inout CaseList) -> Void) -> [Case] {
        var list = CaseList(group: group)
        fill(&list)
        return list.cases
    }

    private init(group: String) { self.group = group }

    mutating func one(_ name: String, _ run: @escaping @Sendable (Recorder) -> Void) {
        cases.append(Case("\(group): \(name)", run))
    }

    /// A kind of value that is all content: another one, an equal one that is made anew, and both in a child.
    ///
    /// - Parameter path: What changes, below the view.
    mutating func kind<Value>(
        _ name: String, _ old: @autoclosure @escaping @Sendable () -> Value,
        _ new: @autoclosure @escaping @Sendable () -> Value, path: String = "value", line: UInt = #line
    ) {
        one("\(name): another") { recorder in
            // All are alive, so that none can lie where another one lay.
            let (before, after) = (old(), new())
            recorder.evaluate(One(value: before), is: .initial, line: line)
            recorder.evaluate(One(value: after), is: .changed(path), line: line)
            withExtendedLifetime((before, after)) {}
        }
        equal(name, old(), old(), line: line)
        one("\(name): of a child") { recorder in
            let values = [old(), old(), new(), new()]
            let truths = [Truth.initial, .same.under("Outer"), .changed(path).under("Outer"), .same.under("Outer")]
            recorder.children(values.map { One(value: $0) }, are: truths, line: line)
        }
    }

    /// A fixed object, or what holds one: another one of equal content is a change, and for nothing.
    mutating func fixed<Value>(
        _ name: String, _ old: @autoclosure @escaping @Sendable () -> Value,
        _ new: @autoclosure @escaping @Sendable () -> Value, line: UInt = #line
    ) {
        let copied = Truth.changed("value").wasted(.newIdentity)
        let truths = [Truth.initial, copied, .changed("value"), .same].map { truth in
            var truth = truth
            truth.lesser = [Truth.external]
            return truth
        }
        one("\(name): alone") { recorder in
            let values = [old(), old(), new()]
            for (value, truth) in zip(values + values.suffix(1), truths) {
                recorder.evaluate(One(value: value), is: truth, line: line)
            }
        }
        one("\(name): of a child") { recorder in
            let values = [old(), old(), new()]
            recorder.children(
                (values + values.suffix(1)).map { One(value: $0) }, are: truths.map { $0.under("Outer") }, line: line)
        }
    }

    /// Two values that nobody can tell apart.
    mutating func equal<Value>(
        _ name: String, _ old: @autoclosure @escaping @Sendable () -> Value,
        _ new: @autoclosure @escaping @Sendable () -> Value, truth: Truth = .same, line: UInt = #line
    ) {
        one("\(name): equal") { recorder in
            let (before, after) = (old(), new())
            recorder.evaluate(One(value: before), isDescribed: truth.need != .either, is: .initial, line: line)
            recorder.evaluate(One(value: after), isDescribed: truth.need != .either, is: truth, line: line)
            withExtendedLifetime((before, after)) {}
        }
    }

    /// An input that keeps its identity while what it holds changes: alone, in a child, and in a child of a child.
    mutating func hidden<Value>(
        _ name: String, _ make: @autoclosure @escaping @Sendable () -> Value, line: UInt = #line,
        _ change: @escaping @Sendable (Value) -> Void
    ) {
        one("\(name): changed inside") { recorder in
            let value = make()
            recorder.evaluate(One(value: value), isDescribed: false, is: .initial, line: line)
            change(value)
            recorder.evaluate(One(value: value), isDescribed: false, is: .open.behind("value"), line: line)
        }
        one("\(name): changed inside, in a child") { recorder in
            let value = make()
            recorder.hides(One(value: value), line: line) { change(value) }
        }
        one("\(name): changed inside, two levels down") { recorder in
            let value = make()
            recorder.hides(Two(first: 1, second: One(value: value)), at: "second.value", line: line) { change(value) }
        }
    }
}

extension Recorder {
    /// Evaluates the views one after the other as children of a view that nothing is known of.
    @_semantics("optimize.sil.specialize.generic.never")
    func children<View>(_ views: [View], isDescribed: Bool = true, are truths: [Truth], line: UInt = #line) {
        for (view, truth) in zip(views, truths) {
            evaluate("Outer", One(value: 0), is: nil, line: line) { _ in
                evaluate("View", view, isDescribed: isDescribed, is: truth, line: line) { _ in }
            }
        }
    }

    /// A child that is evaluated with the same view before and after a change that is not seen in it.
    @_semantics("optimize.sil.specialize.generic.never")
    func hides<View>(_ view: View, at path: String = "value", line: UInt = #line, _ change: () -> Void) {
        children([view], isDescribed: false, are: [.initial], line: line)
        change()
        children([view], isDescribed: false, are: [.open.under("Outer").behind(path)], line: line)
    }
}
