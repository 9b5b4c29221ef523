// SPDX-License-Identifier: MIT
// Names views by their types, told apart by module and file, and finds the places of their bodies in the source.

import Glibc
import Rerender
import RerenderModel

/// The keys of views: `Row`, `Outer.Row`, `Module.Row` outside of the program's own module, `Row (Cart.swift)` for one of
/// several private types of that name, and `Row (Kit.View)` where a type conforms to the views' protocols of two frameworks.
struct ViewNames {
    private var taken: Set<String> = []
    /// The types that have a key.
    private var named: Set<UInt> = []

    /// A key for each view, in their order. No two views of this process get the same one.
    mutating func keys(of views: [FoundView], program: String?) -> [String] {
        let names = views.map { Self.name(of: $0, program: program) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let conformances = Dictionary(views.map { ($0.descriptor, 1) }, uniquingKeysWith: +)
        return zip(views, names).map { view, name in
            let isAlone = counts[name] == 1 && !taken.contains(name)
            if isAlone { return take(name, for: view) }
            let isOfTwo = conformances[view.descriptor] != 1 || named.contains(view.descriptor)
            let which =
                isOfTwo ? "\(view.protocolModule).\(view.protocolPath)" : ViewPlaces.file(of: view) ?? "private"
            return take("\(name) (\(which))", for: view)
        }
    }

    private mutating func take(_ key: String, for view: FoundView) -> String {
        named.insert(view.descriptor)
        var unique = key, number = 2
        while !taken.insert(unique).inserted {
            unique = "\(key) #\(number)"
            number += 1
        }
        return unique
    }

    private static func name(of view: FoundView, program: String?) -> String {
        let name = view.name.map(\.name).joined(separator: ".")
        return view.module == program ? name : "\(view.module).\(name)"
    }
}

/// The module of the program itself.
enum ProgramModule {
    /// The one that the program's file is named after, or the only one with views in it; nil if that is not known: then each key
    /// has its module.
    static func name(among views: [FoundView]) -> String? {
        let all = modules(of: views)
        return entry(among: all) ?? (all.count == 1 ? all.first : nil)
    }

    /// The one that the program's file is named after, in which it begins; nil if that has no views.
    static func entry(among views: [FoundView]) -> String? { entry(among: modules(of: views)) }

    private static func modules(of views: [FoundView]) -> Set<String> {
        Set(views.filter(\.isInProgram).map(\.module))
    }

    private static func entry(among modules: Set<String>) -> String? {
        let file = LoadedFile.programName.map { name in
            String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
        }
        return file.flatMap { modules.contains($0) ? $0 : nil }
    }
}

/// Where views' bodies are in the source.
struct ViewPlaces: ~Copyable {
    private var symbols = BodySymbols()

    init() {}

    /// The file as `#fileID` has it, and the line of the body's declaration; nil where the program was built without them.
    mutating func place(of view: FoundView) -> (file: String, line: UInt32)? {
        guard let body = view.body, let place = symbols.place(ofBody: body, type: view.descriptor) else { return nil }
        return ("\(view.bodyModule)/\(PathName.last(of: place.path))", UInt32(clamping: place.line))
    }

    /// Whether optimised code calls a view's body without asking a table for it.
    mutating func isCalledUncounted(_ view: FoundView) -> Bool {
        guard let body = view.body else { return false }
        return symbols.isCalledUncounted(body: body, type: view.descriptor)
    }

    /// The sentence about views whose bodies are called so, without a full stop.
    static func gap(ofUncounted keys: [String]) -> String {
        let names = keys.prefix(4).joined(separator: ", ") + (keys.count > 4 ? " and \(keys.count - 4) more" : "")
        return "optimised code calls bodies past their tables, where no evaluation is counted: \(names) "
            + "may be evaluated more often; build with -Xswiftc -disable-cmo, or without -O"
    }

    /// The name of the file of a view's body.
    static func file(of view: FoundView) -> String? {
        var places = ViewPlaces()
        return places.place(of: view).map { PathName.last(of: $0.file) }
    }
}
