// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
import Testing

@Suite("A directory held by descriptor")
struct HeldDirectoryTests {
    /// Runs `body` with a new directory that is gone afterwards.
    private func withScratch(_ body: (String) throws -> Void) throws {
        let path = "/tmp/held-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        chmod(path, 0o700)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    /// Why it cannot be held; nil where it can.
    private func fault(_ path: String, makes: Bool = true, uid: uid_t = geteuid()) -> String? {
        do {
            _ = try HeldDirectory(path, makes: makes, uid: uid)
            return nil
        } catch {
            switch error {
            case .refused(let text): return text
            case .failed(_, let number): return "error \(number)"
            }
        }
    }

    private func mode(_ path: String) -> mode_t? {
        var info = stat()
        return lstat(path, &info) == 0 ? info.st_mode & 0o7777 : nil
    }

    @Test("is made for the user alone where it is missing, on request")
    func makes() throws {
        try withScratch { scratch in
            #expect(fault(scratch + "/a", makes: false) == "error \(ENOENT)")
            #expect(mode(scratch + "/a") == nil)
            _ = try HeldDirectory(scratch + "/a", makes: true)
            #expect(mode(scratch + "/a") == 0o700)
            #expect(fault(scratch + "/a", makes: false) == nil)
        }
    }

    @Test("is not made below a directory of another user")
    func foreignParent() throws {
        try withScratch { scratch in
            // Root's own directory would do.
            if geteuid() == 0 { chown(scratch, 4_711, 4_711) }
            let text = try #require(fault(scratch + "/a", uid: 4_712))
            #expect(text.contains("is not made") && text.contains("belongs to user"))
            #expect(mode(scratch + "/a") == nil)
        }
    }

    @Test(
        "root makes none below a directory of a user's",
        .enabled(if: geteuid() == 0, "only root can give a directory away"))
    func root() throws {
        try withScratch { scratch in
            chown(scratch, 4_711, 4_711)
            #expect(fault(scratch + "/a")?.contains("belongs to user 4711 and not to 0") == true)
            #expect(mode(scratch + "/a") == nil)
        }
    }

    @Test("a link, a file, and a directory that others may write to are refused")
    func refused() throws {
        try withScratch { scratch in
            try FileManager.default.createSymbolicLink(atPath: scratch + "/link", withDestinationPath: scratch)
            #expect(fault(scratch + "/link")?.contains("is not a directory") == true)
            try Data().write(to: URL(filePath: scratch + "/file"))
            #expect(fault(scratch + "/file")?.contains("is not a directory") == true)
            try FileManager.default.createDirectory(atPath: scratch + "/open", withIntermediateDirectories: false)
            chmod(scratch + "/open", 0o770)
            #expect(fault(scratch + "/open")?.contains("can be written by others") == true)
            #expect(fault(scratch, uid: geteuid() + 1)?.contains("belongs to user") == true)
        }
    }

    @Test("stays the one that it was when another takes its name")
    func held() throws {
        try withScratch { scratch in
            let held = try HeldDirectory(scratch + "/a", makes: true)
            try FileManager.default.moveItem(atPath: scratch + "/a", toPath: scratch + "/b")
            try FileManager.default.createSymbolicLink(atPath: scratch + "/a", withDestinationPath: "/tmp")
            var (open, named) = (stat(), stat())
            #expect(fstat(held.descriptor, &open) == 0 && lstat(scratch + "/b", &named) == 0)
            #expect(open.st_ino == named.st_ino)
        }
    }
}
