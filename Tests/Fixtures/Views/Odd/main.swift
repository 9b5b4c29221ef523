// SPDX-License-Identifier: MIT
// A framework of its own whose views are called something else.

protocol Screen {
    associatedtype Content
    var content: Content { get }
}

nonisolated(unsafe) var truth = 0

struct Page: Screen {
    let number: Int
    var content: String {
        truth += 1
        return "page \(number)"
    }
}

@inline(never)
func show<Shown: Screen>(_ screen: Shown) { print(screen.content) }

for number in 0..<5 { show(Page(number: number)) }
print("Page\t\(truth)")
