// SPDX-License-Identifier: MIT
// An app's module whose name begins as Foundation's does, with types that have Foundation's names and nothing else of theirs.

public struct URL: Sendable {
    public var port: Int
    public var host: String

    public init(port: Int, host: String) {
        self.port = port
        self.host = host
    }
}

public struct Data: Sendable {
    public var count: Int
    public var isEmpty: Bool

    public init(count: Int, isEmpty: Bool) {
        self.count = count
        self.isEmpty = isEmpty
    }
}

public enum Date: Sendable {
    case never
    case at(seconds: Double)
}

public final class UUID {
    public var number: Int

    public init(_ number: Int) { self.number = number }
}

public struct IndexPath<Element: Sendable>: Sendable {
    public var elements: [Element]

    public init(_ elements: [Element]) { self.elements = elements }
}

@available(*, unavailable)
extension UUID: Sendable {}
