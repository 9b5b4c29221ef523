// SPDX-License-Identifier: MIT
import Testing

@testable import Rerender

private class Animal { var legs = 4; let name = "" }
private final class Dog<Toy>: Animal {
    var toys: [Toy] = []
    weak var owner: Animal?
    unowned let home: Animal
    unowned(unsafe) var park: Animal
    init(home: Animal) { self.home = home; self.park = home }
}
private struct Pair<First, Second> { var first: First; let second: Second }
private enum Shape { case circle(Double), empty, square(side: Int, name: String); indirect case nested(Shape) }

@Suite("Type metadata")
struct TypeMetadataTests {
    @Test("lists a struct's stored properties with their offsets and types, generic ones too")
    func structs() throws {
        let fields = try #require(TypeMetadata(Pair<Bool, String>.self).fields)
        #expect(fields.map(\.name) == ["first", "second"])
        #expect(fields.map(\.offset) == [0, 8])
        #expect(fields.map(\.type) == [TypeMetadata(Bool.self), TypeMetadata(String.self)])
        #expect(fields.map(\.isMutable) == [true, false])
        #expect(TypeMetadata(Pair<Bool, String>.self).module == "RerenderTests")
        #expect(TypeMetadata(Pair<Bool, String>.self).name == "Pair")
    }

    @Test("lists a class's stored properties after those of its ancestors, and how each is held")
    func classes() throws {
        let metadata = TypeMetadata(Dog<Int>.self)
        let fields = try #require(metadata.fields)
        #expect(fields.map(\.name) == ["legs", "name", "toys", "owner", "home", "park"])
        #expect(fields.map(\.offset) == [16, 24, 40, 48, 56, 64])
        #expect(fields.map(\.ownership) == [.strong, .strong, .strong, .weak, .unowned, .unmanaged])
        #expect(fields[2].type == TypeMetadata([Int].self))
        #expect(metadata.superclass == TypeMetadata(Animal.self))
        let dog: Animal = Dog<Int>(home: Animal())
        #expect(TypeMetadata(ofObject: UnsafeRawPointer(Unmanaged.passUnretained(dog).toOpaque())) == metadata)
    }

    @Test("knows an enum's cases, which one a value is, and where its payload lies")
    func enums() throws {
        let metadata = TypeMetadata(Shape.self)
        let cases = try #require(metadata.payloadCases)
        #expect(cases.map(\.name) == ["circle", "square", "nested"])
        #expect(cases.map(\.isIndirect) == [false, false, true])
        let payloadType = try #require(cases[0].type)
        #expect(payloadType == TypeMetadata(Double.self))
        var value = Shape.circle(2.5)
        #expect(withUnsafeBytes(of: &value) { metadata.enumTag(of: $0.baseAddress!) } == 0)
        var none = Shape.empty
        #expect(withUnsafeBytes(of: &none) { metadata.enumTag(of: $0.baseAddress!) } == 3)
        let payload = withUnsafeMutableBytes(of: &value) { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            defer { copy.deallocate() }
            copy.copyMemory(from: UnsafeRawBufferPointer(bytes))
            metadata.projectPayload(copy.baseAddress!)
            return copy.load(as: Double.self)
        }
        #expect(payload == 2.5)
        #expect(TypeMetadata(Int?.self).kind == .optional)
        #expect(TypeMetadata(Int?.self).payloadCases?.first?.type == TypeMetadata(Int.self))
        #expect(TypeMetadata(Int?.self).genericArgument(0) == TypeMetadata(Int.self))
    }

    @Test("tells kinds, sizes and the forms of protocol types apart")
    func kinds() {
        #expect(TypeMetadata((() -> Void).self).kind == .function)
        #expect(TypeMetadata((a: Int, String).self).fields?.map(\.name) == ["a", "1"])
        #expect(TypeMetadata((a: Int, String).self).fields?.map(\.offset) == [0, 8])
        #expect(TypeMetadata(Any.self).existential == .opaque)
        #expect(TypeMetadata(AnyObject.self).existential == .object)
        #expect(TypeMetadata((any Error).self).existential == .error)
        #expect(TypeMetadata((any Collection<Int>).self).existential == .opaque)
        #expect(TypeMetadata(Int.self).existential == nil)
        #expect(TypeMetadata(Int.self).isTrivial && !TypeMetadata(String.self).isTrivial)
        #expect(TypeMetadata(Int32.self).size == 4 && TypeMetadata(Int32.self).alignment == 4)
        #expect(TypeMetadata(String.self).isInline && !TypeMetadata((Int, Int, Int, Int).self).isInline)
        #expect(TypeMetadata(Int.self).module == "Swift")
    }
}
