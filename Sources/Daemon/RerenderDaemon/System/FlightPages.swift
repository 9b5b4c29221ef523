// SPDX-License-Identifier: MIT
// Reads flight pages: files that any process of the user may have written.

internal import Glibc
import RerenderWire

/// The directory of flight pages.
struct FlightPages {
    /// Why a page cannot be used.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case badName
        case notAFile
        /// The file does not exist.
        case gone
        case foreignOwner(uid_t)
        case anotherProcess
        case unreadable(String)

        var description: String {
            switch self {
            case .badName: "its name is not PID.page or PID.COPY.page"
            case .gone: "there is no such file"
            case .notAFile: "it is not a regular file"
            case .foreignOwner(let uid): "it belongs to user \(uid)"
            case .anotherProcess: "it is of another process"
            case .unreadable(let text): text
            }
        }
    }

    let directory: String
    var uid: uid_t = getuid()

    /// Reads the page of a process that ended.
    ///
    /// Uses `pread` on a regular file of this user: a pipe cannot block it, a truncated file is an error instead of a
    /// signal, and links are not followed.
    func read(_ name: String) throws(Fault) -> FlightPage {
        try Self.page(in: open(name))
    }

    /// Opens a page and makes sure that it is a regular file of ours.
    func open(_ name: String) throws(Fault) -> Descriptor {
        guard FlightPageName(name) != nil else { throw .badName }
        do {
            let file = try Descriptor(path: directory + "/" + name, flags: O_RDONLY)
            let status = try file.status()
            guard FileSystem.isRegular(status) else { throw Fault.notAFile }
            guard status.st_uid == uid || status.st_uid == 0 else { throw Fault.foreignOwner(status.st_uid) }
            return file
        } catch let fault as Fault {
            throw fault
        } catch DaemonError.system(_, let number, _) where number == ENOENT {
            throw .gone
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Reads the page in an open file.
    static func page(in file: borrowing Descriptor) throws(Fault) -> FlightPage {
        do {
            let bytes = try file.read(limit: FlightPageLayout.byteCount)
            // Safe: bytes have no padding.
            return unsafe try FlightPage(bytes.span.bytes)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Removes a page once it is accounted for. Anything else that has such a name stays.
    func remove(_ name: String) {
        guard FlightPageName(name) != nil else { return }
        FileSystem.remove(directory + "/" + name)
    }

    /// The names of pages, at most `limit`.
    func names(limit: Int) -> [String] {
        FileSystem.names(in: directory, limit: limit).filter { FlightPageName($0) != nil }
    }
}
