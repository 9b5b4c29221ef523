// SPDX-License-Identifier: MIT
// Finds the function of a stack that wrote, and its readable name, and tells functions of language bindings.

import CRerender
import RerenderModel

/// Names the writer among the functions of a stack.
enum WriterName {
    /// Modules whose code is around every write and never its reason.
    private static let ownModules: Set = ["Rerender", "Observation", "Swift", "_Concurrency", "Synchronization"]
    private static let runtimePrefixes = [
        "swift_", "_swift_", "__swift_", "_ZN5swift", "crerender_", "keypath_get", "keypath_set",
    ]
    /// Where a stack begins: nothing above has written.
    private static let ends: Set = ["swift_job_run", "_dispatch_client_callout", "start_thread", "__libc_start_main"]

    enum Role: Equatable {
        case plumbing
        /// A function that announces causes for others.
        case framework
        case writer
        case end
    }

    static func role(of frame: SymbolicFrame, accessorsOf rootType: String?) -> Role {
        if frame.script != nil { return .writer }
        if let path = frame.path, path.contains("@__swiftmacro_") { return .plumbing }
        // What the compiler writes has no line. Code of the app's that was inlined there keeps its line, and loses its file.
        if isWithoutFile(frame), frame.line == nil { return .plumbing }
        guard let text = Demangler.demangle(frame.mangled) else { return roleOfForeign(frame.mangled) }
        let entity = SwiftEntity(describing: text)
        if entity.isPlumbing || ownModules.contains(entity.module) { return .plumbing }
        if isMacroHelper(entity) { return .plumbing }
        guard let type = entity.accessedType else { return .writer }
        // A merged function is that of several types: whose accessor ran cannot be told.
        guard let rootType, !isMerged(frame) else { return .plumbing }
        let root = SwiftEntity.typePath(rootType)
        // The path of a type inside a function differs between the two sources; its own name does not.
        return type == root || type.last == root.last ? .plumbing : .writer
    }

    /// The role of a function on the stack of code that announces a cause.
    static func role(of frame: SymbolicFrame, outside framework: Framework) -> Role {
        if frame.script != nil { return .writer }
        let found = role(of: frame, accessorsOf: nil)
        guard let text = Demangler.demangle(frame.mangled) else {
            // C code is no app's: it is a main loop that calls the framework, and what is above that has not written.
            return found == .writer && !isMain(frame.mangled) ? .end : found
        }
        let entity = SwiftEntity(describing: text)
        // What called the handler has not written.
        if entity.module == "Rerender", entity.path == ["StoreCore", "handle"] { return .end }
        let module = entity.module
        if systemModules.contains(module) { return .plumbing }
        return found == .writer && framework.has(module) ? .framework : found
    }

    /// Whether the app's writer may be in this code without being seen: a framework's own plumbing has none of it.
    static func mayHideWriter(_ frame: SymbolicFrame, outside framework: Framework) -> Bool {
        guard mayHideWriter(frame), let text = Demangler.demangle(frame.mangled) else { return false }
        let module = SwiftEntity(describing: text).module
        return !framework.has(module) && !systemModules.contains(module)
    }

    /// The module of a function in Swift.
    static func module(of frame: SymbolicFrame) -> String? {
        Demangler.demangle(frame.mangled).map { SwiftEntity(describing: $0).module }
    }

    /// Modules of the system's, and of tests, that run what others write.
    private static let systemModules: Set = ["Foundation", "FoundationEssentials", "Dispatch", "Testing", "XCTest"]

    private static func isMain(_ symbol: String) -> Bool { symbol == "main" || symbol.hasPrefix("async_Main") }

    private static let compilerFile = "<compiler-generated>"

    private static func isWithoutFile(_ frame: SymbolicFrame) -> Bool {
        frame.path?.hasSuffix(compilerFile) == true
    }

    /// Whether the optimiser made the code of several functions that differ in nothing, and named it after one of them.
    private static func isMerged(_ frame: SymbolicFrame) -> Bool { frame.mangled.hasSuffix("Tm") }

    /// Whether the writer may be in this code without being seen: passing it over would blame its caller.
    static func mayHideWriter(_ frame: SymbolicFrame) -> Bool {
        guard !frame.showsInlined, let text = Demangler.demangle(frame.mangled) else { return false }
        return SwiftEntity(describing: text).carriesFunction
    }

    /// Whether the compiler names this function for the code of another one. An initialiser has the initial values of
    /// properties, wherever they are.
    static func isMisplaced(_ frame: SymbolicFrame) -> Bool {
        guard frame.isMisplaced, let text = Demangler.demangle(frame.mangled) else { return false }
        return SwiftEntity(describing: text).path.last.map { !["init", "__allocating_init"].contains($0) } ?? true
    }

    private static func isMacroHelper(_ entity: SwiftEntity) -> Bool {
        ["withMutation", "shouldNotifyObservers"].contains(entity.path.last)
    }

    /// Whether this is Observation's own code.
    static func isObservation(_ frame: SymbolicFrame) -> Bool {
        module(of: frame) == "Observation"
    }

    /// The modules and directories of this library's sources.
    private static let librarysModules: Set = ["Rerender", "RerenderGTK", "RerenderInject"]
    private static let librarysDirectories: Set = ["CRerender", "CRerenderGTK", "CInject", "CShared"]

    /// Whether this is code of this library, which an app may have linked into its own file. Of a function in C that has no such name,
    /// the path of its source says so, which a release build does not have.
    static func isOwn(_ frame: SymbolicFrame) -> Bool {
        if frame.script != nil { return false }
        if ["crerender_", "csymbols_"].contains(where: frame.mangled.hasPrefix) { return true }
        guard let text = Demangler.demangle(frame.mangled) else {
            return frame.path.map { PathName.parts(of: $0).contains(where: librarysDirectories.contains) } ?? false
        }
        return librarysModules.contains(SwiftEntity(describing: text).module)
    }

    private static func roleOfForeign(_ symbol: String) -> Role {
        if ends.contains(symbol) { return .end }
        return runtimePrefixes.contains(where: symbol.hasPrefix) ? .plumbing : .writer
    }

    /// `Ticker.advance() Shop/Ticker.swift:40`, or less where less is known; `Ticker.advance() (merged) in shop` if it was
    /// this function or another with the same code.
    static func text(_ frame: SymbolicFrame, file: String) -> String {
        if let script = frame.script { return script.text }
        let function = function(frame) + (isMerged(frame) ? " (merged)" : "")
        guard let path = frame.path ?? frame.declaringFile, !path.hasSuffix(compilerFile) else {
            return "\(function) in \(file)"
        }
        let base = PathName.last(of: path)
        let module = Demangler.demangle(frame.mangled).map { SwiftEntity(describing: $0).module + "/" } ?? ""
        return "\(function) \(module)\(base)" + (frame.line.map { ":\($0)" } ?? "")
    }

    /// The source's name: no specialisations, parts of asynchronous functions, or allocating variants.
    static func function(_ frame: SymbolicFrame) -> String {
        if let script = frame.script { return script.function }
        let symbol = frame.mangled
        if isMain(symbol) { return "main" }
        guard Demangler.demangle(symbol) != nil else { return symbol + "()" }
        let raw = RawIdentifiers(frame.name)
        var name = raw.text
        for prefix in ["specialized ", "merged ", "static "] where name.hasPrefix(prefix) {
            name.removeFirst(prefix.count)
        }
        for resumption in [" suspend resume partial function for ", " await resume partial function for "] {
            if let range = name.firstRange(of: resumption) { name = String(name[range.upperBound...]) }
        }
        name = name.replacing("__allocating_init", with: "init").replacing("__deallocating_deinit", with: "deinit")
            .replacing(" in static ", with: " in ").replacing(" infix(", with: "(").replacing(" prefix(", with: "(")
            .replacing(" postfix(", with: "(")
        if name.hasSuffix(" in ") { name += "main" }
        return raw.restored(withoutTypeParameters(name))
    }

    /// `Box.put(_:)` of `Box.put<A>(_:)`.
    private static func withoutTypeParameters(_ name: String) -> String {
        guard let open = name.lastIndex(of: "<"), let close = name[open...].firstIndex(of: ">") else { return name }
        let after = name.index(after: close)
        guard after < name.endIndex, "(.".contains(name[after]), open > name.startIndex else { return name }
        let before = name[name.index(before: open)]
        guard before.isLetter || before.isNumber || before == "_" || RawIdentifiers.isPlace(before) else { return name }
        return String(name[..<open]) + withoutTypeParameters(String(name[after...]))
    }
}

/// The declaration that a demangled symbol describes.
struct SwiftEntity: Equatable, Sendable {
    /// The module whose source has it.
    let module: String
    /// The declaration without module, types and labels: `["Ticker", "tick", "setter"]`.
    let path: [String]
    /// Whether it is code around functions and none of the source: a thunk, a key path's accessor.
    let isPlumbing: Bool
    /// Whether the optimiser may have moved the function that such code calls into it.
    let carriesFunction: Bool

    private static let plumbing = [
        "reabstraction thunk", "partial apply", "dispatch thunk", "protocol witness", "vtable thunk", "key path ",
        "outlined ", "implicit closure", "lazy protocol", "metadata ", "type metadata", "thunk",
    ]
    private static let carriers = [
        "reabstraction thunk", "partial apply", "protocol witness", "vtable thunk", "implicit closure",
    ]
    /// Before what the optimiser made a version of: `generic specialization <…> of `, `generic partial specialization <…> of `.
    private static let wrappers = ["generic ", "inlined generic function ", "function signature specialization "]
    private static let resumptions = [" suspend resume partial function for ", " await resume partial function for "]
    /// Before the declaration whose value is made.
    private static let initialValues = [
        "variable initialization expression of ", "property wrapper backing initializer of ",
    ]
    private static let writers: Set = [
        "setter", "modify", "modify2", "willset", "didset", "init", "read", "read2", "unsafeMutableAddressor",
    ]

    /// From the demangler's full text.
    init(describing description: String) {
        let raw = RawIdentifiers(description)
        var text = Substring(raw.text)
        text = Self.unwrapped(text)
        isPlumbing = Self.plumbing.contains(where: text.hasPrefix)
        carriesFunction = Self.carriers.contains(where: text.hasPrefix)
        while let inside = Self.range(of: " in ", in: text) { text = text[inside.upperBound...] }
        for prefix in Self.initialValues where text.hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
        if text.hasPrefix("default argument "), let of = text.firstRange(of: " of ") { text = text[of.upperBound...] }
        if text.hasPrefix("static ") { text = text.dropFirst(7) }
        var extended: Substring?
        if text.hasPrefix("(extension in "), let end = text.firstRange(of: "):") {
            extended = text[..<end.lowerBound].dropFirst("(extension in ".count)
            text = text[end.upperBound...]
        }
        var parts = Self.components(text)
        let module = parts.isEmpty ? "" : parts.removeFirst()
        self.module = raw.restored(extended.map(String.init) ?? module)
        path = parts.map { raw.restored($0) }
    }

    /// Without what the optimiser says about its version of a function.
    private static func unwrapped(_ text: Substring) -> Substring {
        if text.hasPrefix("merged ") { return unwrapped(text.dropFirst(7)) }
        // What it says of the arguments has brackets that are not closed, and no such end in it.
        if wrappers.contains(where: text.hasPrefix), let of = text.firstRange(of: "> of ") {
            return unwrapped(text[of.upperBound...])
        }
        for resumption in resumptions {
            if let range = text.firstRange(of: resumption) { return unwrapped(text[range.upperBound...]) }
        }
        return text
    }

    /// The type whose property this code writes, without its module, if it is such an accessor.
    var accessedType: [String]? {
        guard path.count >= 2, let kind = path.last, Self.writers.contains(kind) else { return nil }
        // `Ticker.init` is an initialiser; `Ticker.tick.init` initialises a property.
        if kind == "init", path.count < 3 { return nil }
        return path.dropLast(2)
    }

    /// `Ticker` of `Shop.Ticker`, `Box` of `Shop.Box<Int>`, also of private and local types.
    static func typePath(_ reflected: String) -> [String] {
        let raw = RawIdentifiers(reflected)
        return components(Substring(raw.text)).dropFirst().filter { !$0.hasPrefix("(unknown context") }
            .map { raw.restored($0) }
    }

    /// The first place of a word outside of any brackets.
    private static func range(of word: String, in text: Substring) -> Range<Substring.Index>? {
        var depth = 0
        var at = text.startIndex
        while at < text.endIndex {
            switch text[at] {
            case "(", "[", "{": depth += 1
            case "<": if !isOperator(text, at) { depth += 1 }
            case ")", "]", "}": depth = max(0, depth - 1)
            case ">": if !isOperator(text, at) { depth = max(0, depth - 1) }
            case " " where depth == 0 && text[at...].hasPrefix(word):
                return at..<text.index(at, offsetBy: word.count)
            default: break
            }
            at = text.index(after: at)
        }
        return nil
    }

    /// Whether an angle is part of `->` or of an operator's name.
    private static func isOperator(_ text: Substring, _ at: Substring.Index) -> Bool {
        guard at > text.startIndex else { return false }
        let before = text[text.index(before: at)]
        return text[at] == ">" ? before == "-" : ".<=&|+-*/!~^%".contains(before)
    }

    /// The dotted name at the start of a description, up to its arguments or its type.
    private static func components(_ text: Substring) -> [String] {
        var parts: [String] = [], part = "", depth = 0, isDone = false
        func finish() {
            // `(helper in _4F2A)` is private; its file's hash is of no interest.
            if part.hasPrefix("("), let inside = part.firstRange(of: " in _") {
                part = String(part[..<inside.lowerBound].dropFirst())
            }
            if !part.isEmpty { parts.append(part) }
            part = ""
        }
        for character in text where !isDone {
            switch character {
            case "(" where depth == 0 && !part.isEmpty: isDone = true
            case "(": depth += 1
            case ")": depth -= 1
            case "<" where depth == 0 && isName(part): depth += 100
            case ">" where depth >= 100: depth -= 100
            case "." where depth == 0: finish()
            case " " where depth == 0: isDone = true
            default: break
            }
            if !isDone, depth < 100, character != "." || depth > 0, character != ">" || !isName(part) {
                part.append(character)
            }
        }
        finish()
        return parts
    }

    private static func isName(_ part: String) -> Bool {
        part.last.map { $0.isLetter || $0.isNumber || $0 == "_" || RawIdentifiers.isPlace($0) } ?? false
    }
}

/// Functions that only hand calls on, between a program and GTK. What calls them is the writer.
enum BindingName {
    /// Crates of Rust: those of gtk-rs, and the standard library's.
    private static let crates: Set<Substring> = [
        "gtk4", "gtk4_sys", "gdk4", "gdk4_sys", "gsk4", "gsk4_sys", "glib", "glib_sys", "gobject_sys", "gio", "gio_sys",
        "pango",
        "pango_sys", "cairo", "cairo_sys", "gdk_pixbuf", "gdk_pixbuf_sys", "graphene", "graphene_sys", "libadwaita",
        "libadwaita_sys",
        "core", "alloc", "std",
    ]
    /// Modules of Swift: those of SwiftCrossUI's backend, and of Adwaita for Swift.
    private static let modules: Set = ["Gtk", "GtkBackend", "CGtk", "SwiftCrossUI", "CAdw", "Adwaita", "Swift"]

    /// Whether a function is one of them, by its symbol.
    static func isBinding(_ frame: SymbolicFrame) -> Bool {
        if frame.script != nil { return false }
        if let text = Demangler.demangle(frame.mangled) {
            return modules.contains(SwiftEntity(describing: text).module)
        }
        guard frame.mangled.hasPrefix("_ZN") || frame.mangled.hasPrefix("_R"),
            let path = RustName(Array(frame.mangled.utf8))?.path
        else { return false }
        return crates.contains(crate(path))
    }

    /// The crate that a path begins with: of `<gtk4::Label as gtk4::Cast>::upcast`, that of the type.
    private static func crate(_ path: String) -> Substring {
        path.drop { !($0.isLetter || $0 == "_") }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
