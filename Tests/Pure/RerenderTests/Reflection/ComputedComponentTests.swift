// SPDX-License-Identifier: MIT
// The accessors in key paths: found for computed properties of every kind of type, and for nothing else.

import Testing

@testable import Rerender

private struct Point {
    var x = 1
    var double: Int { x * 2 }
    var half: Int {
        get { x / 2 }
        set { x = newValue * 2 }
    }
    subscript(factor: Int) -> Int { x * factor }
}

private class Shape {
    var area: Int { 1 }
    var origin = Point()
    var name: String {
        get { "shape" }
        set { _ = newValue }
    }
}

private final class Circle: Shape {
    override var area: Int { 3 }
    var radius: Int { 2 }
}

private final class Pair<First, Second> {
    var first: First?
    var either: (First?, Second?) { (first, nil) }
}

extension Shape {
    fileprivate var extended: Int { 4 }
}

struct ComputedComponentTests {
    /// What the compiler declared, and not what it made for key paths.
    private func declared(_ path: AnyKeyPath) -> String? {
        ComputedComponent(path)?.symbols.lazy.compactMap(Demangler.demangle).first {
            !$0.hasPrefix("method descriptor")
        }
    }

    @Test func `a computed property's own getter is found`() {
        for (path, property) in [
            (\Point.double, ").double"), (\Point.half, ").half"), (\Shape.area, ").area"), (\Shape.name, ").name"),
            (\Circle.radius, ").radius"), (\Shape.extended, ").extended"),
            (\Pair<Int, String>.either, ").either"),
        ] as [(AnyKeyPath, String)] {
            let getter = declared(path)
            #expect(getter?.contains(property) == true, "\(getter ?? "none") has no \(property)")
            #expect(getter?.contains(".getter : ") == true, "\(getter ?? "none")")
        }
    }

    @Test func `properties that the runtime tells apart have identities of their own`() throws {
        let double = try #require(ComputedComponent(\Point.double))
        let half = try #require(ComputedComponent(\Point.half))
        #expect(double.identity != half.identity)
        #expect(double.identity != 0)
        #expect(half.identity != 0)
        #expect(
            ComputedComponent(\Pair<Int, String>.either)?.identity
                == ComputedComponent(\Pair<Int, Int>.either)?.identity)
    }

    @Test func `stored properties, the whole and several steps are no computed component`() {
        #expect(ComputedComponent(\Point.x) == nil)
        #expect(ComputedComponent(\Point.self) == nil)
        #expect(ComputedComponent(\Shape.origin.x) == nil)
        #expect(ComputedComponent(\Shape.origin.double) == nil)
    }

    @Test func `a subscript has its argument beside it`() {
        let path: AnyKeyPath = \Point[3]
        #expect(KeyPathName.property(of: path)?.property != "3")
    }
}
