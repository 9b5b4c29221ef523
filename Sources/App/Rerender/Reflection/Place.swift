// SPDX-License-Identifier: MIT
// Says where something lies that is reached from a value: in it, or in objects that it holds.

/// The way from the beginning of a value to something that it holds.
struct Place: Sendable {
    /// A reference on the way, and the class that its object must be of, or nothing behind it is read.
    struct Hop: BitwiseCopyable, Sendable {
        /// Where the reference lies, from the beginning of what holds it.
        var offset: Int
        let type: TypeMetadata
    }

    var hops: [Hop] = []
    /// From the beginning of the last object, or of the value.
    var offset = 0

    /// Where the first thing that is read lies in the value.
    var first: Int { hops.first?.offset ?? offset }

    /// The same way from what holds the value at an offset.
    func moved(by distance: Int) -> Place {
        var place = self
        if hops.isEmpty { place.offset += distance } else { place.hops[0].offset += distance }
        return place
    }

    /// The way on to what lies at an offset from here.
    func advanced(by distance: Int) -> Place { Place(hops: hops, offset: offset + distance) }

    /// The way on into the object to which a reference here leads.
    func entering(_ type: TypeMetadata) -> Place { Place(hops: hops + [Hop(offset: offset, type: type)], offset: 0) }

    /// This way, and from its end another one.
    func followed(by next: Place) -> Place {
        let next = next.moved(by: offset)
        return Place(hops: hops + next.hops, offset: next.offset)
    }
}
