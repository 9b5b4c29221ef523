// SPDX-License-Identifier: MIT
// The flight page of a real app, held as a daemon holds it: it can be read after the app has ended.

import Foundation
package import RerenderWire

/// A flight page that is open.
package final class HeldPage: Sendable {
    package let file: CInt

    /// Takes a descriptor over.
    package init(owning file: CInt) { self.file = file }

    /// The page of a running app; of one with several copies of the library, any.
    package convenience init(of pid: Int32) throws {
        guard let path = Self.paths(of: pid).first else { throw UnixStream.Failure(text: "\(pid) has no page") }
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw UnixStream.Failure("open \(path)") }
        self.init(owning: file)
    }

    /// A page of these bytes in sealed memory, which stays mapped as an app's does until the process ends.
    package static func mapped(_ bytes: [UInt8]) throws -> HeldPage {
        typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> CInt
        let size = FlightPageLayout.byteCount
        // MFD_CLOEXEC and MFD_ALLOW_SEALING; F_ADD_SEALS, F_SEAL_SHRINK and F_SEAL_GROW.
        guard let create = dlsym(nil, "memfd_create") else { throw UnixStream.Failure("find memfd_create") }
        let page = HeldPage(owning: unsafeBitCast(create, to: Create.self)("page", 3))
        guard ftruncate(page.file, off_t(size)) == 0, fcntl(page.file, 1_033, 6) == 0,
            mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, page.file, 0) != MAP_FAILED
        else { throw UnixStream.Failure("make a page") }
        page.write(bytes)
        return page
    }

    package func write(_ bytes: [UInt8], at offset: Int = 0) {
        _ = pwrite(file, bytes, bytes.count, off_t(offset))
    }

    deinit { close(file) }

    /// Where a process has the pages of its copies of the library open. Their threads have tables of descriptors of their own.
    package static func paths(of pid: Int32) -> [String] {
        var paths: [UInt64: String] = [:]
        for thread in names("/proc/\(pid)/task") {
            let folder = "/proc/\(pid)/task/\(thread)/fd"
            for number in names(folder) {
                let path = folder + "/" + number
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
                var status = stat()
                guard target?.hasPrefix("/memfd:rerender-") == true, stat(path, &status) == 0 else { continue }
                paths[UInt64(status.st_ino)] = path
            }
        }
        return paths.values.sorted()
    }

    private static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: FlightPageLayout.byteCount)
        let count = pread(file, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    package func page() throws -> FlightPage {
        let bytes = bytes
        return try FlightPage(bytes.span.bytes)
    }
}

extension FakeDaemon.Connection {
    /// The page that the app handed over; before anything is read.
    package func page() async throws -> HeldPage? {
        try await offThePool { [self] in
            let file = takeDescriptor()
            return file < 0 ? nil : HeldPage(owning: file)
        }
    }
}
