// SPDX-License-Identifier: MIT
// Compares models where no write is reported: during the first body of an instance.

internal import CRerender

/// Copies of the models that a view holds directly, from before its first body; compared with what is there when the body has
/// ended. A copy is words that nothing follows: what an object in them holds, and an array that is written in place, look
/// the same.
///
/// Proof of the unsafe parts: the models live as long as the view's value, which is alive from before the body until this ends.
/// Those in the box of a property wrapper are left out: the body may put another one there.
/// A copy takes the bytes that the class's metadata say the object has. Another thread may write them meanwhile: a
/// word that was half written differs later, so that less is inferred.
struct ModelsBeforeBody: ~Copyable {
    private struct Copy {
        let object: Address
        let model: UInt
        let bytes: Address
        let size: Int
    }

    private var copies: [Copy] = []

    /// Copies the models, none beyond the limits.
    init(view: UnsafeRawPointer, type: Any.Type) {
        for slot in ReferenceSlot.slots(of: TypeMetadata(type)) where slot.isOwner && !slot.isInBox {
            guard copies.count < StoreLimits.modelsToldApart else { return }
            if let copy = unsafe slot.withObject(in: view, Self.copy) { copies.append(copy) }
        }
    }

    deinit { for copy in copies { Address.free(copy.bytes.bits) } }

    private static func copy(_ object: UnsafeRawPointer) -> Copy? {
        let type = unsafe TypeMetadata(ofObject: object)
        guard let registrar = Registrars.offsets(in: type).last, let size = type.instanceSize,
            size <= StoreLimits.rememberedObjectBytes, let bytes = Address.allocate(size)
        else { return nil }
        unsafe crerender_copy_racing(bytes.mutable, object, size)
        let model = unsafe ObservationLayout.address(ofRegistrar: object + registrar)
        return unsafe Copy(object: Address(object), model: model, bytes: bytes, size: size)
    }

    /// Whether a property that was read is not as it was; once, after the body.
    func differ(_ reads: ObservedReads) -> Bool {
        unsafe reads.models.contains { model in
            guard let copy = copies.first(where: { $0.model == model.id.address }) else { return false }
            // Nothing at all was written to most.
            if Self.isSame(16..<copy.size, copy) { return false }
            return model.properties.contains { Self.differs($0, copy) }
        }
    }

    private static func differs(_ keyPath: AnyKeyPath, _ copy: Copy) -> Bool {
        var place = 16..<(copy.size)
        if let field = ObservedField.field(of: keyPath) {
            guard let size = field.ownership == .strong ? field.type?.size : 8 else { return true }
            place = field.offset..<(field.offset + size)
        } else if KeyPathName.property(of: keyPath) != nil {
            // Computed: of what, is not known.
            return false
        }
        guard place.upperBound <= copy.size else { return true }
        return !isSame(place, copy)
    }

    private static func isSame(_ place: Range<Int>, _ copy: Copy) -> Bool {
        unsafe crerender_equals_racing(
            (copy.bytes + place.lowerBound).pointer, (copy.object + place.lowerBound).pointer, place.count)
    }
}
