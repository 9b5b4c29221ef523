// SPDX-License-Identifier: MIT
// Names that mean something to a shell, to XML, to CSV and to others.

/// Names that are unwise, and that a program may have all the same.
package enum HostileTexts {
    /// The file that some of them make where a shell runs them, in its directory.
    package static let canary = "rerender-ran-this"

    /// Two hundred names without control characters, all different.
    ///
    /// The signs stand alone, before and behind scalars that join with them to one `Character`: accents, prepended marks, joiners.
    package static let all: [String] = {
        let run = "touch \(canary)"
        let payloads = [
            "$(\(run))", "`\(run)`", "'; \(run); '", "\"; \(run); \"", "\\'; \(run); \\'", "'\"'\"'; \(run) #",
            "; \(run) ;",
            "| \(run) |", "& \(run) &", "$'\\''; \(run); '", "<(\(run))", "${x:-$(\(run))}", "$((x[$(\(run))]))",
            "·; \(run); ·", "…'; \(run); '…", "%(\(run))", "=(\(run))", "(\(run))", "${(e):-$(\(run))}", "x\\",
            "x\\\\'", "''", "'",
            "\\", "\"", "~root", "!!", "!-1", "*", "?", "[a-z]*", "{a,b}", "-x", "--help", "=ls", "%1", "# x", "^a^b",
            "a\u{A0}b",
            "a b", " a ", "<a href=x>", "&amp;", "]]>", "<!--", "a,b", "a;b", "a=b", "a:b", "a/b", "../x", "@x", "+1",
            "`", "``",
        ]
        let joined = [
            ("", ""), ("", "\u{301}"), ("\u{600}", ""), ("\u{600}", "\u{301}"), ("", "\u{200D}"), ("", "\u{FE0F}"),
        ]
        var texts: [String] = []
        for (before, after) in joined {
            for payload in payloads {
                let isSign = { (scalar: Unicode.Scalar) in
                    scalar.isASCII && !scalar.properties.isAlphabetic && scalar != " "
                }
                texts.append(
                    payload.unicodeScalars.reduce(into: "") { text, scalar in
                        text += isSign(scalar) ? "\(before)\(scalar)\(after)" : String(scalar)
                    })
            }
        }
        var seen: Set<[UInt8]> = []
        return Array(texts.filter { seen.insert(Array($0.utf8)).inserted }.prefix(200))
    }()
}
