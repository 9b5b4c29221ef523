// SPDX-License-Identifier: MIT
// Tells which classes of a file are extended by others of it, from the file's list of types.

/// Which classes have subclasses.
///
/// Proof of the unsafe parts: nothing is read but what lies in a section that the loader mapped with its bytes, from a file that
/// is still the one on disk. The lists and descriptors in it are constants, laid out as Swift's stable ABI says
/// (`TargetTypeMetadataRecord` and `TargetClassDescriptor` in the compiler's `include/swift/ABI/Metadata.h`).
struct Subclasses {
    private static let known = BoundedCache<LoadedFile, Set<UInt>?>(limit: StoreLimits.filesOfTypes)

    /// Whether a class may extend the class with this descriptor: one of the same file, or one of another where the loader
    /// can find the descriptor by its name. Each question goes over the file's names, the first about a file also over its types.
    static func mayExist(of descriptor: UInt) -> Bool {
        guard let file = LoadedFile(containing: descriptor), !file.exports(descriptor) else { return true }
        let extended = known.value(for: file) {
            file.memory(ofSection: "swift5_type_metadata").flatMap {
                Subclasses(records: $0.section, memory: $0.all).extended
            }
        }
        return extended?.contains(descriptor) ?? true
    }

    private let records: Range<UInt>
    private let memory: [Range<UInt>]

    /// The descriptors of all classes that others extend; nil if one of them cannot be told.
    private var extended: Set<UInt>? {
        var found: Set<UInt> = []
        for record in stride(from: records.lowerBound, to: records.upperBound & ~3, by: 4) {
            guard let distance = load(record, as: Int32.self) else { return nil }
            // What is left empty between the lists of two object files, and classes of Objective-C.
            if distance == 0 || distance & 2 != 0 { continue }
            guard let descriptor = follow(record, distance & ~3, isIndirect: distance & 1 != 0),
                let flags = load(descriptor, as: UInt32.self)
            else { return nil }
            guard flags & 0x1F == 16 else { continue }
            guard let distance = load(descriptor + 20, as: Int32.self) else { return nil }
            if distance == 0 { continue }
            guard let superclass = symbol(at: descriptor &+ 20 &+ UInt(bitPattern: Int(distance))) else { return nil }
            found.insert(superclass)
        }
        return found
    }

    /// The descriptor that a mangled name begins with a reference to.
    private func symbol(at name: UInt) -> UInt? {
        guard let kind = load(name, as: UInt8.self), kind == 1 || kind == 2,
            let distance = load(name + 1, as: Int32.self)
        else { return nil }
        return follow(name + 1, distance, isIndirect: kind == 2)
    }

    private func follow(_ address: UInt, _ distance: Int32, isIndirect: Bool) -> UInt? {
        let target = address &+ UInt(bitPattern: Int(distance))
        return isIndirect ? load(target, as: UInt.self) : target
    }

    private func load<Word: BitwiseCopyable>(_ address: UInt, as _: Word.Type) -> Word? {
        let end = address &+ UInt(MemoryLayout<Word>.size)
        guard end > address, memory.contains(where: { $0.lowerBound <= address && end <= $0.upperBound }) else {
            return nil
        }
        return unsafe UnsafeRawPointer(bitPattern: address)?.loadUnaligned(as: Word.self)
    }
}
