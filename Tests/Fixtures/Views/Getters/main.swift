// SPDX-License-Identifier: MIT
// Protocols of views with several getters: their order says nothing of which one is the body.

nonisolated(unsafe) var truth: [String: Int] = [:]

/// The body is neither the first getter nor the last.
protocol View {
    associatedtype Body
    var title: String { get }
    var body: Body { get }
    var zone: Int { get }
}

/// None is called `body`: the first getter is taken for it.
protocol Screen {
    associatedtype Content
    var content: Content { get }
    var mode: Int { get }
}

struct Page: View {
    let number: Int
    var title: String { "page" }
    var zone: Int { number }
    var body: String {
        truth["Page", default: 0] += 1
        return "\(number)"
    }
}

struct Chart: Screen {
    var mode: Int { 1 }
    var content: String {
        truth["Chart", default: 0] += 1
        return "chart"
    }
}

/// Its property is no body, and its body is none that can be replaced.
enum Items {
    protocol View {
        associatedtype Element
        var count: Int { get }
        var body: Element { get async }
    }

    struct List: View {
        var count: Int { 3 }
        var body: String { get async { "list" } }
    }
}

/// No type says that this is a protocol of views: as in Adwaita for Swift.
enum Meta {
    protocol Part {}
    protocol View: Part { var view: [any Part] { get } }

    struct Window: View {
        var view: [any Part] {
            truth["Meta.Window", default: 0] += 1
            return []
        }
    }
}

@inline(never)
func show(part view: any Meta.View) { print(view.view.count) }

@inline(never)
func show<Shown: Items.View>(_ view: Shown) { print(view.count) }

@inline(never)
func show<Shown: View>(_ view: Shown) {
    // The title is asked for more often than the body.
    print(view.title, view.title, view.title, view.body, view.zone)
}

@inline(never)
func show<Shown: Screen>(_ screen: Shown) { print(screen.mode, screen.mode, screen.content) }

for number in 0..<5 { show(Page(number: number)) }
for _ in 0..<2 { show(Chart()) }
for _ in 0..<4 { show(Items.List()) }
for _ in 0..<3 { show(part: Meta.Window()) }
for (view, count) in truth.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
