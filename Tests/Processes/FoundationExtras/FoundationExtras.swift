// SPDX-License-Identifier: MIT
// A module of an app whose name begins as the system's do, with types that are called as the system's are.

package struct URL: Sendable {
    package var port: Int
    package var host: String

    package init(port: Int, host: String) { (self.port, self.host) = (port, host) }
}

package struct Data: Sendable {
    package var representation: UInt
    package var length: Int

    package init(representation: UInt, length: Int) { (self.representation, self.length) = (representation, length) }
}

package struct Date: Sendable {
    package var day: Int
    package var name: String

    package init(day: Int, name: String) { (self.day, self.name) = (day, name) }
}

/// Types with the names of the standard library's, in a type of the app's.
package enum Names: Sendable {
    package struct String: Sendable {
        package var bits: UInt
        package init(bits: UInt) { self.bits = bits }
    }

    package struct Array<Element: Sendable>: Sendable {
        package var element: Element
        package var count: Int
        package init(element: Element, count: Int) { (self.element, self.count) = (element, count) }
    }
}
