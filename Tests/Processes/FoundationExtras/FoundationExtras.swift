// SPDX-License-Identifier: MIT
// A module of an app whose name begins as the system's do, with types that are called as the system's are.

public struct URL: Sendable {
    public var port: Int
    public var host: String

    public init(port: Int, host: String) { (self.port, self.host) = (port, host) }
}

public struct Data: Sendable {
    public var representation: UInt
    public var length: Int

    public init(representation: UInt, length: Int) { (self.representation, self.length) = (representation, length) }
}

public struct Date: Sendable {
    public var day: Int
    public var name: String

    public init(day: Int, name: String) { (self.day, self.name) = (day, name) }
}

/// Types with the names of the standard library's, in a type of the app's.
public enum Names: Sendable {
    public struct String: Sendable {
        public var bits: UInt
        public init(bits: UInt) { self.bits = bits }
    }

    public struct Array<Element: Sendable>: Sendable {
        public var element: Element
        public var count: Int
        public init(element: Element, count: Int) { (self.element, self.count) = (element, count) }
    }
}
