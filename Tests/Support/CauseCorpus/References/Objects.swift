// SPDX-License-Identifier: MIT
// Objects: fixed all the way down, or with something behind their identity that can change.

import Foundation
import Observation
import Rerender

private class Style {
    let size: Int
    let name: String
    init(_ size: Int, _ name: String) {
        self.size = size
        self.name = name
    }
}
private final class Final {
    let size: Int
    let tags: [String]
    init(_ size: Int, _ tags: [String] = []) {
        self.size = size
        self.tags = tags
    }
}
private final class Extended: Style {
    var extra = 0
}
private final class Model {
    var n = 0
    var text = ""
}
private final class Holder {
    let model = Model()
}
private final class Fixed {
    let inner: Final
    init(_ size: Int) { inner = Final(size) }
}
private final class Watched {
    var n = 0 { didSet { total += n } }
    var total = 0
}
private final class Lazy {
    lazy var text = "made \(0)"
}
private final class Cyclic {
    let name: String
    var other: Cyclic?
    init(_ name: String) { self.name = name }
}
private final class Locked: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    func add() { lock.withLock { number += 1 } }
}
private struct View {
    let model: Model
    var title: String
}
private struct Deep {
    let holder: Holder
}
private class Base {}
private final class Sub: Base {
    var n = 0
}
private final class Plain: NSObject {
    var n = 0
}
private actor Account {
    var balance = 0
    nonisolated(unsafe) var seen = 0
}
private final class Weak {
    weak var target: Model?
    var count = 0
}
private final class Shared {
    static nonisolated(unsafe) var number = 0
    let size = 1
}

extension Case {
    static let objects = CaseList.make("objects") { list in
        list.fixed("a final class of constants", Final(1), Final(2))
        list.fixed("a final class with an array", Final(1, ["a"]), Final(1, ["b"]))
        list.fixed("a fixed object in a fixed object", Fixed(1), Fixed(2))
        list.fixed("an array of fixed objects", [Final(1), Final(2)], [Final(1), Final(3)])
        list.fixed("an optional fixed object", Optional(Final(2)), Final?.none)
        list.one("the same fixed object") { recorder in
            let object = Final(1)
            recorder.evaluate(One(value: object), is: .initial)
            recorder.evaluate(One(value: object), is: .same)
            recorder.children([One(value: object)], are: [.same.under("Outer")])
        }
        list.hidden("a class with variables", Model()) { $0.n = 2 }
        list.hidden("a class with variables, in an optional", Optional(Model())) { $0?.n = 2 }
        list.hidden("a class with variables, in an array", [Model()]) { $0[0].n = 2 }
        list.hidden("a class with variables, in a dictionary", ["a": Model()]) { $0["a"]?.n = 2 }
        list.hidden("a class with variables, in a tuple", (1, Model())) { $0.1.n = 2 }
        list.hidden("a class with variables, in any value", Model() as Any) { ($0 as? Model)?.n = 2 }
        list.hidden("a class with variables, as AnyObject", Model() as AnyObject) { ($0 as? Model)?.n = 2 }
        list.hidden("a text of an object", Model()) { $0.text = "a longer text than fits" }
        list.hidden("a variable behind two constants", Holder()) { $0.model.n = 2 }
        list.hidden("an array of holders", [Holder(), Holder()]) { $0[1].model.n = 2 }
        list.hidden("a subclass's variable behind a base of constants", Extended(1, "a") as Style) {
            ($0 as? Extended)?.extra = 2
        }
        list.hidden("a subclass's variable behind an empty base", Sub() as Base) { ($0 as? Sub)?.n = 2 }
        list.hidden("an observed variable", Watched()) { $0.n = 3 }
        list.hidden("a lazy variable", Lazy()) { _ = $0.text }
        list.hidden("an NSObject of the app's", Plain()) { $0.n = 1 }
        list.hidden("an actor", Account()) { $0.seen += 1 }
        list.hidden("what a lock guards", Locked()) { $0.add() }
        list.hidden("an object with a weak reference", Weak()) { $0.count += 1 }
        list.hidden(
            "two objects that hold each other",
            {
                () -> Cyclic in
                let (one, two) = (Cyclic("a"), Cyclic("b"))
                one.other = two
                two.other = one
                return one
            }()
        ) { (object: Cyclic) in object.other?.other = nil }
        list.one("a property beside an object that changed inside") { recorder in
            let model = Model()
            recorder.evaluate(View(model: model, title: "a"), is: .initial)
            model.n = 2
            recorder.evaluate(View(model: model, title: "b"), isDescribed: false, is: .changed("title"))
        }
        list.one("an object that changed inside and was replaced then") { recorder in
            let (one, two) = (Model(), Model())
            recorder.evaluate(View(model: one, title: "a"), is: .initial)
            one.n = 2
            recorder.evaluate(View(model: two, title: "a"), isDescribed: false, is: .changed("model"))
        }
        list.one("an object that changes in each of several evaluations") { recorder in
            let holder = Holder()
            recorder.evaluate("View", Deep(holder: holder), isDescribed: false, is: .initial) { $0.holder.model.n }
            for n in 1...5 {
                holder.model.n = n
                recorder.evaluate("View", Deep(holder: holder), isDescribed: false, is: .open.behind("holder")) {
                    $0.holder.model.n
                }
            }
        }
        list.one("an object whose output was compared, and differs") { recorder in
            let model = Model()
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", One(value: model), comparing: .equatable, isDescribed: false, is: truth) {
                    $0.value.n
                }
            }
            evaluate(.initial)
            evaluate(.open.measured.behind("value"))
            model.n = 2
            evaluate(.open.behind("value"))
            evaluate(.open.measured.behind("value"))
        }
        list.one("an object made anew at the same address") { recorder in
            for n in 0..<50 {
                // Its content differs each time, and nothing keeps it: its address comes again.
                let model = Model()
                model.n = n
                recorder.evaluate(
                    "View", One(value: model), isDescribed: false, is: n == 0 ? .initial : .changed("value")
                ) { $0.value.n }
            }
        }
        list.one("fixed objects made anew at the same address") { recorder in
            for n in 0..<50 {
                recorder.evaluate("View", One(value: Final(n)), is: n == 0 ? .initial : .changed("value")) {
                    $0.value.size
                }
            }
        }
    }

    static let weakReferences = CaseList.make("weak and unowned") { list in
        struct WeakView { weak var target: Model? }
        struct UnownedView { unowned let target: Model }
        struct UnsafeView { unowned(unsafe) let target: Model }
        struct OptionalUnowned { unowned var target: Model? }
        list.one("a weak object that changed inside") { recorder in
            let model = Model()
            recorder.hides(WeakView(target: model), at: "target") { model.n = 2 }
        }
        list.one("a weak object that goes") { recorder in
            var model: Model? = Model()
            let view = WeakView(target: model)
            recorder.evaluate(view, isDescribed: false, is: .initial)
            model = nil
            recorder.evaluate(view, isDescribed: false, is: .changed("target"))
            recorder.evaluate(view, isDescribed: false, is: .same)
            withExtendedLifetime(model) {}
        }
        list.one("a weak object that comes") { recorder in
            let model = Model()
            recorder.evaluate(WeakView(target: nil), isDescribed: false, is: .initial)
            recorder.evaluate(WeakView(target: model), isDescribed: false, is: .changed("target"))
        }
        list.one("an unowned object that changed inside") { recorder in
            let model = Model()
            recorder.hides(UnownedView(target: model), at: "target") { model.n = 2 }
        }
        list.one("an unowned object that is replaced") { recorder in
            let (one, two) = (Model(), Model())
            recorder.evaluate(UnownedView(target: one), isDescribed: false, is: .initial)
            recorder.evaluate(UnownedView(target: two), isDescribed: false, is: .changed("target"))
        }
        list.one("an unowned object without a count that changed inside") { recorder in
            let model = Model()
            recorder.hides(UnsafeView(target: model), at: "target") { model.n = 2 }
        }
        list.one("an optional unowned object that comes") { recorder in
            let model = Model()
            recorder.evaluate(OptionalUnowned(target: nil), isDescribed: false, is: .initial)
            recorder.evaluate(OptionalUnowned(target: model), isDescribed: false, is: .changed("target"))
        }
        list.one("Unmanaged") { recorder in
            let model = Model()
            recorder.hides(One(value: Unmanaged.passUnretained(model))) { model.n = 2 }
        }
    }
}
