// SPDX-License-Identifier: MIT
// A file of settings that people wrote.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    @testable import RerenderDaemon

    extension FuzzTarget {
        static let settings = FuzzTarget("settings", longest: 1_024) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let settings = try? UserSettings(toml: text)
            guard let entries = try? TOMLReader.entries(of: text) else {
                return try hold(settings == nil, "settings without entries")
            }
            try hold(Set(entries.map(\.key)).count == entries.count, "a key is there twice")
            let lines = text.unicodeScalars.count { $0 == "\n" } + 1
            try hold(entries.allSatisfy { (1...lines).contains($0.line) }, "\(entries) in \(lines) lines")
            let commented = try? TOMLReader.entries(of: text + "\n# the end")
            try hold(commented == entries, "with a comment \(String(describing: commented)), without \(entries)")
            guard !text.unicodeScalars.contains("\r") else { return }
            let windows = String(
                String.UnicodeScalarView(text.unicodeScalars.flatMap { $0 == "\n" ? ["\r", "\n"] : [$0] }))
            let other = try? TOMLReader.entries(of: windows)
            try hold(other == entries, "with other line ends \(String(describing: other)), else \(entries)")
        }
    }
#endif
