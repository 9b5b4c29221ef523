// SPDX-License-Identifier: MIT
// Paths are bytes: a slash with a combining mark behind it is a slash.

import RerenderModel
import Testing

@Suite("Paths")
struct PathNameTests {
    @Test("are cut at each slash, whatever character it is a part of")
    func marks() {
        let path = "/a/\u{301}b//c\u{301}"
        #expect(PathName.parts(of: path) == ["a", "\u{301}b", "c\u{301}"])
        #expect(PathName.last(of: "a/\u{301}b") == "\u{301}b" && PathName.directory(of: "a/\u{301}b") == "a")
        #expect(PathName.trimmed("a/\u{301}/") == "a/\u{301}" && PathName.isAbsolute("/\u{301}"))
    }

    @Test("are joined by one slash")
    func joining() {
        #expect(PathName.joined("/run/a", "b") == "/run/a/b" && PathName.joined("a//", "b") == "a/b")
        #expect(PathName.joined("/", "\u{301}b") == "/\u{301}b" && PathName.joined("//", "b") == "/b")
    }
}
