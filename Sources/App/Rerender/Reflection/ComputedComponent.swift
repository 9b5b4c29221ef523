// SPDX-License-Identifier: MIT
// Reads the accessors of a key path from its object in memory.

import RerenderSymbols

/// The only component of a key path, if it is a computed property, as every observed one is.
///
/// Proof of the unsafe parts: a key path object is never written once it is made. After the object's header and one word
/// come a word with the size of the rest, a word with the component's header, and the component's pointers
/// (`stdlib/public/core/KeyPath.swift` of the compiler, 64 bits). Nothing is read beyond that size, and nothing is made
/// of the words unless the getter among them is the one that the library's own description of the key path gives.
struct ComputedComponent {
    /// What the runtime compares to tell whether two key paths are of one property: the address of its getter, or of the
    /// entry for the getter in the description of a class that can have subclasses.
    let identity: UInt
    /// The function that calls the getter for key paths; the optimiser may have made several of it, without names.
    let getter: UInt

    private enum Layout {
        static let objectHeader = 24
        static let size: UInt32 = 0x00FF_FFFF
        static let isSingle: UInt32 = 0x2000_0000
        static let discriminator: UInt32 = 0x7F00_0000
        static let computed: UInt32 = 0x0200_0000
        /// By a stored property's number, by an offset in a class's table, or not resolved yet: then it is no address.
        static let otherIdentity: UInt32 = 0x0030_000F
    }

    /// nil if it is another kind of key path, has several steps, or is laid out as this does not know.
    init?(_ path: AnyKeyPath) {
        guard let described = Self.describedGetter(of: path) else { return nil }
        let rest = unsafe UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque()) + Layout.objectHeader
        let found = unsafe Self.identity(rest, getter: described)
        withExtendedLifetime(path) {}
        guard let found else { return nil }
        (identity, getter) = (found, described)
    }

    private static func identity(_ rest: UnsafeRawPointer, getter: UInt) -> UInt? {
        let header = unsafe rest.load(as: UInt32.self)
        guard header & Layout.isSingle != 0, header & Layout.size >= 24 else { return nil }
        let component = unsafe rest.load(fromByteOffset: 8, as: UInt32.self)
        guard component & Layout.discriminator == Layout.computed, component & Layout.otherIdentity == 0,
            unsafe rest.load(fromByteOffset: 24, as: UInt.self) == getter
        else { return nil }
        return unsafe rest.load(fromByteOffset: 16, as: UInt.self)
    }

    /// From `\Ticker.<computed 0x000055d0c80c0970 (Int)>`, which is what the library says where it knows no name.
    private static func describedGetter(of path: AnyKeyPath) -> UInt? {
        let text = path.debugDescription
        guard let mark = text.firstRange(of: "<computed 0x") else { return nil }
        return UInt(text[mark.upperBound...].prefix(while: \.isHexDigit), radix: 16)
    }

    /// Mangled names that have the property's in them, the surest first. Any thread that may wait.
    var symbols: some Sequence<String> {
        [{ ProcessSymbols.name(at: identity) }, { declaredGetter }, { ProcessSymbols.name(at: getter) }].lazy
            .compactMap { $0() }
    }

    /// The getter of the class that declared it, if the identity is a method's entry: flags, and the distance to the code
    /// (`MethodDescriptor` in `include/swift/ABI/Metadata.h`).
    private var declaredGetter: String? {
        let kinds: UInt32 = 0x0F, getterKind: UInt32 = 2
        guard identity % 4 == 0, let file = LoadedFile(containing: identity),
            LoadedFile(containing: identity + 7)?.path == file.path
        else { return nil }
        // Proof: both words are in a part of the file that the loader mapped, and such parts are readable.
        let entry = unsafe UnsafePointer<(flags: UInt32, distance: Int32)>(bitPattern: identity)
        guard let entry = unsafe entry?.pointee, entry.flags & kinds == getterKind, entry.distance != 0 else {
            return nil
        }
        let code = identity + 4 &+ UInt(bitPattern: Int(entry.distance))
        guard LoadedFile(containing: code)?.path == file.path else { return nil }
        return ProcessSymbols.name(at: code)
    }
}
