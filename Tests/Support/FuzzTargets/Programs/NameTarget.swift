// SPDX-License-Identifier: MIT
// Mangled names, which are in the files of others' programs and in what other programs answer.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    @testable import RerenderModel

    extension FuzzTarget {
        /// The bytes are a symbol, and a text that holds some.
        static let names = FuzzTarget("names", longest: 1_024) { bytes in
            try symbol(bytes)
            try symbol(Array("_R".utf8) + bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            for text in [text, "by _ZN\(text)() a.rs:1"] {
                let readable = MangledNames.readable(text)
                try hold(MangledNames.readable(readable) == readable, "\(readable) is read again")
                let most = text.utf8.count * 2 + RustName.longest * (text.utf8.count / 4 + 1)
                try hold(readable.utf8.count <= most, "\(text.utf8.count) bytes became \(readable.utf8.count)")
                try hold(MangledNames.unread(in: [text]).count <= 256, "too many questions")
            }
            if let path = CxxName.path(of: text) {
                try hold(path.utf8.count <= 256, "a path of \(path.utf8.count) bytes")
            }
        }

        private static func symbol(_ bytes: [UInt8]) throws {
            guard let name = RustName(bytes) else { return }
            try hold(
                !name.path.isEmpty && name.path.utf8.count <= RustName.longest, "a path of \(name.path.utf8.count)")
            try hold(name.length <= bytes.count, "\(name.length) of \(bytes.count) bytes")
            let again = RustName(Array(bytes.prefix(name.length)))
            try hold(again == name, "\(name.path) is otherwise without what is behind it")
        }
    }
#endif
