// SPDX-License-Identifier: MIT
// Names properties by the symbols of their getters, and writes as reasons show them.

import CRerender
import Synchronization

/// The reason's text for a write: `ticker.engine.rpm` from the view down; `Ticker.tick` for a model that the view does not
/// hold; `Ticker.tick (1 or more of 300)` where it cannot be told which of them it was; `Ticker ended` for a model that went away.
/// nil if the property has no name: then the writes are known, and not of what.
package func causeName(of write: ObservedWrite, reads: ObservedReads?, paths: ModelPaths) -> String? {
    let path = unsafe write.keyPath
    if write.isDeinit {
        let type = KeyPathName.plain(_typeName(type(of: path).rootType, qualified: false))
        return write.model.flatMap(paths.path(of:)).map { $0.isEmpty ? type : $0 }.map { $0 + " ended" }
            ?? type + " ended"
    }
    guard let name = KeyPathName.property(of: path) else { return nil }
    return causeName(of: write, name, on: write.model.flatMap(paths.path(of:)), reads: reads)
}

/// The same for a write to a property whose name is known.
///
/// - Parameter way: The path to its model; nil where the view does not hold that.
func causeName(of write: ObservedWrite, _ name: PropertyName, on way: String?, reads: ObservedReads?) -> String {
    if let way { return way.isEmpty ? name.property : way + "." + name.property }
    let plain = name.rootType + "." + name.property
    if write.model != nil { return plain }
    let path = unsafe write.keyPath
    let models = unsafe reads?.models ?? []
    let candidates = models.count { $0.properties.contains(path) }
    // Of several writes, nothing tells whether they were to one model.
    return candidates > 1 ? plain + " (1 or more of \(candidates))" : plain
}

/// A write with the name that a reader knows. A class, so that passing it on copies one word.
final class NamedWrite: Sendable {
    private let write: ObservedWrite
    /// nil in a program without symbols.
    let property: PropertyName?
    /// The way to its model; nil where the view does not hold that.
    let path: String?
    /// Empty where it cannot be told.
    let name: String

    init(_ write: ObservedWrite, _ paths: ModelPaths, _ reads: ObservedReads?) {
        self.write = write
        let property = unsafe KeyPathName.property(of: write.keyPath)
        let path = write.model.flatMap { paths.path(of: $0) }
        self.property = property
        self.path = path
        name =
            if write.isDeinit {
                property == nil ? "" : causeName(of: write, reads: reads, paths: paths) ?? ""
            } else {
                property.map { causeName(of: write, $0, on: path, reads: reads) } ?? ""
            }
    }

    /// Whether it is of a write to the same property of the same model.
    func isOf(_ write: ObservedWrite) -> Bool { self.write.isSame(as: write) }
}

/// A property's name, without and with what is around it.
struct PropertyName: Hashable, Sendable {
    /// The type that declares it: `Ticker`, `Box` if generic.
    let rootType: String
    /// The same with its module and enclosing types: `Shop.Ticker`.
    let qualifiedRoot: String
    let property: String
}

/// Names of properties by key path.
enum KeyPathName {
    /// Proof: key paths are immutable. The one that is kept is compared by threads other than its maker's, as Observation
    /// itself does with each that it is given.
    private struct Path: @unchecked Sendable, Hashable {
        let path: AnyKeyPath
    }

    private struct Known: Sendable {
        /// Kept, or its address could become another's.
        let path: Path
        let name: PropertyName?
    }

    private struct Cache {
        var byObject: [ObjectIdentifier: Known] = [:]
        var byValue: [Path: PropertyName?] = [:]
    }

    private static let cache = Mutex(Cache())

    /// The name of the one property that a key path of Observation's leads to; nil in a program without symbols.
    /// Any thread that may wait: the first of a file reads its symbols, some milliseconds; what was asked before is kept.
    static func property(of path: AnyKeyPath) -> PropertyName? {
        let shared = Path(path: path)
        let known = cache.withLock { cache -> PropertyName?? in
            if let known = cache.byObject[ObjectIdentifier(shared.path)] { return .some(known.name) }
            return cache.byValue[shared]
        }
        if let known { return known }
        let name = find(path)
        cache.withLock { cache in
            guard cache.byValue.count < StoreLimits.propertyNames else { return }
            cache.byValue[shared] = .some(name)
            cache.byObject[ObjectIdentifier(shared.path)] = Known(path: shared, name: name)
        }
        return name
    }

    private static func find(_ path: AnyKeyPath) -> PropertyName? {
        guard let property = propertyText(path), !property.isEmpty else { return nil }
        let root = type(of: path).rootType
        let qualified = plain(_typeName(root, qualified: true))
        let name = lastComponent(qualified) ?? qualified
        return PropertyName(rootType: name, qualifiedRoot: qualified, property: property)
    }

    private static func propertyText(_ path: AnyKeyPath) -> String? {
        switch KeyPathComponent(path) {
        case .computed:
            return ComputedComponent(path)?.symbols.lazy.compactMap { symbol in
                Demangler.demangle(symbol).flatMap(property(inSymbol:))
            }.first
        case .stored(let offset):
            let fields = TypeMetadata(type(of: path).rootType).fields ?? []
            return fields.last { $0.offset == offset }.map { DeclaredName(of: $0, among: fields).name }
        case .identity: return "self"
        case nil: return nil
        }
    }

    /// `b` of `a.b`, `` `1.x` `` of `` a.`1.x` ``.
    private static func lastComponent(_ text: String) -> String? {
        let raw = RawIdentifiers(text)
        return raw.text.split(separator: ".").last.map { raw.restored($0) }
    }

    /// `tick` of "key path getter for Shop.Ticker.tick : Swift.Int : Shop.Ticker", "Shop.Ticker.tick.getter : Swift.Int"
    /// and "key path getter for Shop.Ticker.(tick in _5F2A) : Swift.Int : Shop.Ticker".
    static func property(inSymbol symbol: String) -> String? {
        let raw = RawIdentifiers(symbol)
        return property(in: raw.text).map { raw.restored($0) }
    }

    private static func property(in symbol: String) -> Substring? {
        guard let colon = symbol.firstRange(of: " : ") else { return nil }
        var text = symbol[..<colon.lowerBound]
        if text.hasSuffix(".getter") {
            text = text.dropLast(7)
        } else if let start = text.firstRange(of: "key path getter for ") {
            text = text[start.upperBound...]
        } else {
            return nil
        }
        if text.hasSuffix(")"), let open = text.lastIndex(of: "(") {
            // Private: "(tick in _5F2A)".
            text = text[text.index(after: open)...].prefix { $0 != " " }
            return text.isEmpty ? nil : text
        }
        return text.split(separator: ".").last
    }

    /// A type's name without the arguments of generic types and without what stands for private contexts.
    static func plain(_ name: String) -> String {
        let raw = RawIdentifiers(name)
        var result = ""
        var depth = 0
        for part in raw.text {
            switch part {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            default: if depth == 0 { result.append(part) }
            }
        }
        return raw.restored(result.split(separator: ".").joined(separator: "."))
    }
}

/// Reads the symbols of the program on a thread of its own when something observable is read for the first time.
///
/// Reading them takes from one to a hundred milliseconds, once; on the thread that draws, that would be seen.
enum NameWarmUp {
    private static let waiting = Mutex<ObservedReads?>(nil)
    private static let hasBegun = Atomic<Bool>(false)

    /// Starts the thread, the first time. One load afterwards.
    static func begin(_ reads: ObservedReads) {
        guard !hasBegun.load(ordering: .relaxed), !hasBegun.exchange(true, ordering: .relaxed) else { return }
        waiting.withLock { $0 = reads }
        // Without the thread the first cause does it.
        _ = unsafe crerender_start_thread("rerender-names", 0, { NameWarmUp.run() })
    }

    private static func run() {
        let reads = waiting.withLock { reads in
            defer { reads = nil }
            return reads
        }
        guard let reads else { return }
        for model in unsafe reads.models {
            for path in model.properties {
                _ = KeyPathName.property(of: path)
                if TrackedFields.questions != 0 { PropertySymbols.read(for: TypeMetadata(type(of: path).rootType)) }
            }
        }
    }
}
