// SPDX-License-Identifier: MIT
// An app's module whose name begins as Foundation's does, with types that have Foundation's names and nothing else of theirs.

package struct URL: Sendable {
    package var port: Int
    package var host: String

    package init(port: Int, host: String) {
        self.port = port
        self.host = host
    }
}

package struct Data: Sendable {
    package var count: Int
    package var isEmpty: Bool

    package init(count: Int, isEmpty: Bool) {
        self.count = count
        self.isEmpty = isEmpty
    }
}

package enum Date: Sendable {
    case never
    case at(seconds: Double)
}

package final class UUID {
    package var number: Int

    package init(_ number: Int) { self.number = number }
}

package struct IndexPath<Element: Sendable>: Sendable {
    package var elements: [Element]

    package init(_ elements: [Element]) { self.elements = elements }
}

@available(*, unavailable)
extension UUID: Sendable {}
