// SPDX-License-Identifier: MIT
// Protocols of views of many shapes, each with one view that counts its bodies, if it has one. Of those below `Refused`, no body can be
// replaced.

nonisolated(unsafe) var truth: [String: Int] = [:]

func note(_ view: String) -> String {
    truth[view, default: 0] += 1
    return view
}

enum Plain {
    protocol View {
        associatedtype Body
        var body: Body { get }
    }

    struct Row: View {
        var body: String { note("Plain.Row") }
    }

    static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

/// Each body is a view, and the last one has none.
enum Recursive {
    protocol View {
        associatedtype Body: View
        var body: Body { get }
    }

    struct Row: View {
        var body: Leaf { Leaf(text: note("Recursive.Row")) }
    }

    struct Leaf: View {
        let text: String
        var body: Never { fatalError("has no body") }
    }

    static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

extension Never: Recursive.View {
    var body: Never { fatalError("has no body") }
}

/// Requirements of other kinds stand around the body.
enum Mixed {
    protocol View {
        associatedtype Body
        init()
        static var name: String { get }
        func draw() -> String
        var body: Body { get }
    }

    struct Row: View {
        static var name: String { "row" }
        func draw() -> String { Self.name }
        var body: String { note("Mixed.Row") }
    }

    static func show<Shown: View>(_ type: Shown.Type) { print(type.init().body) }
}

/// Views conform to a protocol that refines the one of views.
enum Refined {
    protocol View {
        associatedtype Body
        var body: Body { get }
    }

    protocol Screen: View {
        var title: String { get }
    }

    struct Row: Screen {
        var title: String { "row" }
        var body: String { note("Refined.Row") }
    }

    static func show<Shown: Screen>(_ screen: Shown) { print(screen.title, screen.body) }
}

/// The body is the protocol's own.
enum Defaulted {
    protocol View {
        associatedtype Body
        var body: Body { get }
    }

    struct Row: View {}

    static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

extension Defaulted.View {
    var body: String { note("Defaulted.Row") }
}

enum Writable {
    protocol View {
        associatedtype Body
        var body: Body { get set }
    }

    struct Row: View {
        var body: String {
            get { note("Writable.Row") }
            set { _ = note(newValue) }
        }
    }

    static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

enum Mutating {
    protocol View {
        associatedtype Body
        var body: Body { mutating get }
    }

    struct Row: View {
        var reads = 0
        var body: String {
            mutating get {
                reads += 1
                return note("Mutating.Row")
            }
        }
    }

    static func show<Shown: View>(_ view: Shown) {
        var view = view
        print(view.body)
    }
}

enum Failing {
    struct Failure: Error {}

    protocol View {
        associatedtype Body
        var body: Body { get throws }
    }

    struct Row: View {
        var body: [String] {
            get throws {
                _ = note("Failing.Row")
                throw Failure()
            }
        }
    }

    static func show<Shown: View>(_ view: Shown) { print((try? view.body) == nil) }
}

/// Its error has a type, and so a place in memory.
enum Typed {
    struct Failure: Error {}

    protocol View {
        associatedtype Body
        var body: Body { get throws(Failure) }
    }

    struct Row: View {
        var body: String { get throws(Failure) { note("Typed.Row") } }
    }

    static func show<Shown: View>(_ view: Shown) {
        do { print(try view.body) } catch { print(error) }
    }
}

/// Of classes alone: a getter gets the reference.
enum Objects {
    protocol View: AnyObject {
        associatedtype Body
        var body: Body { get }
    }

    final class Row: View {
        var body: String { note("Objects.Row") }
    }

    static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

enum Acting {
    @MainActor protocol View {
        associatedtype Body
        var body: Body { get }
    }

    struct Row: View {
        var body: String { note("Acting.Row") }
    }

    @MainActor static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

/// Called where the type is not known, and that of the body is.
enum Primary {
    protocol View<Body> {
        associatedtype Body
        var body: Body { get }
    }

    struct Row: View {
        var body: String { note("Primary.Row") }
    }

    static func show(_ view: any View<String>) { print(view.body) }
}

enum Packs {
    protocol View {
        associatedtype Body
        var body: Body { get }
    }

    struct Row<each Item>: View {
        let items: (repeat each Item)
        init(_ items: repeat each Item) { self.items = (repeat each items) }
        var body: String { note("Packs.Row") }
    }

    static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

/// Views that cannot be copied.
enum Moved {
    protocol View: ~Copyable {
        associatedtype Body
        var body: Body { get }
    }

    struct Row: ~Copyable, View {
        var body: String { note("Moved.Row") }
    }

    static func show<Shown: View & ~Copyable>(_ view: borrowing Shown) { print(view.body) }
}

/// The body lends its result.
enum Lent {
    protocol View {
        associatedtype Body
        var body: Body { get }
    }

    struct Row: View {
        let text = "lent"
        var body: String {
            _read {
                _ = note("Lent.Row")
                yield text
            }
        }
    }

    static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

/// Without an associated type.
enum Existential {
    protocol Part {}
    struct Text: Part { let text: String }

    protocol View {
        var body: any Part { get }
    }

    struct Row: View {
        var body: any Part { Text(text: note("Existential.Row")) }
    }

    static func show(_ view: any View) { print(view.body) }
}

/// As in Adwaita for Swift.
enum Named {
    protocol View {
        var view: [String] { get }
    }

    struct Row: View {
        var view: [String] { [note("Named.Row")] }
    }

    static func show(_ view: any View) { print(view.view) }
}

/// The body is in a protocol with another name, which the one of views refines.
enum Based {
    protocol Html {
        associatedtype Body
        var body: Body { get }
    }

    protocol View: Html {}

    struct Row: View {
        var body: String { note("Based.Row") }
    }

    static func show<Shown: View>(_ view: Shown) { print(view.body) }
}

enum Refused {
    enum Methods {
        protocol View {
            associatedtype Body
            func body() -> Body
        }

        struct Row: View {
            func body() -> String { "method" }
        }
    }

    enum Waiting {
        protocol View {
            associatedtype Body
            var body: Body { get async }
        }

        struct Row: View {
            var body: String { get async { "async" } }
        }
    }

    enum OfTypes {
        protocol View {
            associatedtype Body
            static var body: Body { get }
        }

        struct Row: View {
            static var body: String { "static" }
        }
    }

    enum Empty {
        protocol View {}
        struct Row: View {}
    }

    enum Subscripts {
        protocol View {
            associatedtype Body
            subscript(body number: Int) -> Body { get }
        }

        struct Row: View {
            subscript(body number: Int) -> String { "subscript \(number)" }
        }
    }

    enum OtherNames {
        protocol View {
            associatedtype Content
            var content: Content { get }
        }

        struct Row: View {
            var content: String { "content" }
        }
    }

    enum Titles {
        protocol View {
            var title: String { get }
        }

        struct Row: View {
            var title: String { "title" }
        }
    }
}

for _ in 0..<3 {
    Plain.show(Plain.Row())
    Recursive.show(Recursive.Row())
    Mixed.show(Mixed.Row.self)
    Refined.show(Refined.Row())
    Defaulted.show(Defaulted.Row())
    Writable.show(Writable.Row())
    Mutating.show(Mutating.Row())
    Failing.show(Failing.Row())
    Typed.show(Typed.Row())
    Objects.show(Objects.Row())
    MainActor.assumeIsolated { Acting.show(Acting.Row()) }
    Primary.show(Primary.Row())
    Packs.show(Packs.Row(1, "a"))
    Moved.show(Moved.Row())
    Lent.show(Lent.Row())
    Existential.show(Existential.Row())
    Named.show(Named.Row())
    Based.show(Based.Row())
}
for (view, count) in truth.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
