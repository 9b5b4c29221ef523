// SPDX-License-Identifier: MIT
// The elements of a collection as bindings: `ForEach($items)`.

/// The elements of a collection that a binding refers to, each as a binding to it.
///
/// They are read where the rows are made and not in the body: a view that only passes the binding on does not depend on the
/// elements. Each row depends on its own element. A binding finds its element by the id, wherever that has moved meanwhile; of
/// one that is gone it has the last value, and writes nothing.
public struct BoundElements<Base: MutableCollection & RandomAccessCollection, ID: Hashable>:
    @MainActor RandomAccessCollection
{
    fileprivate let binding: Binding<Base>
    fileprivate let id: KeyPath<Base.Element, ID>
    /// The elements as they were read; nil where each access reads them.
    private var elements: Base?

    init(_ binding: Binding<Base>, id: KeyPath<Base.Element, ID>) {
        self.binding = binding
        self.id = id
    }

    @MainActor private var base: Base {
        if let elements { return elements }
        BoundReads.count += 1
        return binding.location.value
    }

    /// Where the first element is.
    @MainActor public var startIndex: Base.Index { base.startIndex }
    /// Where the last element has been.
    @MainActor public var endIndex: Base.Index { base.endIndex }
    /// The next place.
    @MainActor public func index(after index: Base.Index) -> Base.Index { base.index(after: index) }
    /// The place before.
    @MainActor public func index(before index: Base.Index) -> Base.Index { base.index(before: index) }
    /// The place so many elements further.
    @MainActor public func index(_ index: Base.Index, offsetBy distance: Int) -> Base.Index {
        base.index(index, offsetBy: distance)
    }
    /// How many elements are between two places.
    @MainActor public func distance(from start: Base.Index, to end: Base.Index) -> Int {
        base.distance(from: start, to: end)
    }

    /// A binding to the element at a place.
    @MainActor public subscript(index: Base.Index) -> Binding<Base.Element> {
        let element = base[index]
        let place = ElementPlace<Base, ID>(id: element[keyPath: id], path: id, hint: index)
        return Binding(
            location: ElementLocation(binding.location, at: place, known: element),
            part: AnyHashable(ElementPart(outer: binding.part, id: AnyHashable(place.id))))
    }
}

@available(*, unavailable)
extension BoundElements: Sendable {}

private struct ElementPart: Hashable {
    let outer: AnyHashable?
    let id: AnyHashable
}

/// Data that is read while rows are made; who makes them has to follow the reads.
@MainActor
protocol BoundData {
    /// The same data, read once.
    func read() -> Self
}

extension BoundElements: BoundData {
    func read() -> Self {
        var read = self
        read.elements = base
        return read
    }
}

/// Counts reads of bound data, so that those who make rows see whether there were any.
@MainActor
enum BoundReads {
    static var count: UInt64 = 0
}

/// Where an element is in a collection.
private struct ElementPlace<Base: RandomAccessCollection, ID: Hashable> {
    let id: ID
    let path: KeyPath<Base.Element, ID>
    /// Where it was.
    let hint: Base.Index

    func index(in base: Base) -> Base.Index? {
        if hint >= base.startIndex, hint < base.endIndex, base[hint][keyPath: path] == id { return hint }
        return base.firstIndex { $0[keyPath: path] == id }
    }
}

/// An element of a collection, with its value at the time.
///
/// Evaluations see that value, and get another binding when the element changes: to read the collection would make all rows
/// depend on all elements.
private final class ElementLocation<Base: MutableCollection & RandomAccessCollection, ID: Hashable>:
    ClosureLocation<Base.Element>
{
    private let whole: Location<Base>
    private let place: Transfer<ElementPlace<Base, ID>>
    private let known: Transfer<Base.Element>

    init(_ whole: Location<Base>, at place: ElementPlace<Base, ID>, known: Base.Element) {
        self.whole = whole
        self.place = Transfer(place)
        self.known = Transfer(known)
        super.init(
            get: {
                if CurrentEvaluation.current != nil { return known }
                let base = whole.value
                return place.index(in: base).map { base[$0] } ?? known
            },
            set: { new in
                whole.change { base in
                    if let index = place.index(in: base) { base[index] = new }
                }
            })
    }

    override func change(_ change: (inout Base.Element) -> Void) {
        let place = place.value
        whole.change { base in
            if let index = place.index(in: base) { change(&base[index]) }
        }
    }

    override nonisolated var elsewhere: Base.Element {
        let base = whole.elsewhere
        return place.value.index(in: base).map { base[$0] } ?? known.value
    }

    override nonisolated func changeElsewhere(_ change: @escaping (inout Base.Element) -> Void) {
        let place = place.value
        whole.changeElsewhere { base in
            if let index = place.index(in: base) { change(&base[index]) }
        }
    }

    override var root: DependencySource { whole.root }
    override var owner: ObjectIdentifier { whole.owner }

    override func isUnchanged(since other: Location<Base.Element>) -> Bool {
        guard let other = other as? ElementLocation else { return false }
        return ValueComparison.firstDifference(other.known.value, known.value) == nil
    }
}

extension ForEach {
    /// Views of bindings to the elements of a collection, with the ids at a key path.
    ///
    /// The view whose body this is depends on the elements only where it reads them itself. A write to one element evaluates
    /// that element's view alone.
    public init<Base: MutableCollection & RandomAccessCollection>(
        _ data: Binding<Base>, id: KeyPath<Base.Element, ID>,
        @ViewBuilder content: @escaping (Binding<Base.Element>) -> Content
    ) where Data == BoundElements<Base, ID> {
        self.init(data: BoundElements(data, id: id), id: { $0.wrappedValue[keyPath: id] }, content: content)
    }

    /// Views of bindings to elements that have an id, as the one that takes an id.
    public init<Base: MutableCollection & RandomAccessCollection>(
        _ data: Binding<Base>, @ViewBuilder content: @escaping (Binding<Base.Element>) -> Content
    ) where Data == BoundElements<Base, ID>, Base.Element: Identifiable, ID == Base.Element.ID {
        self.init(data, id: \.id, content: content)
    }
}
