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
        /// The page was in memory that nobody has any more.
        case lost
        /// The file is empty: the page was in memory alone.
        case noRoom
        case unreadable(String)

        var description: String {
            switch self {
            case .badName: "its name is not PID.page or PID.COPY.page"
            case .gone: "there is no such file"
            case .notAFile: "it is not a regular file"
            case .foreignOwner(let uid): "it belongs to user \(uid)"
            case .anotherProcess: "it is of another process"
            case .lost: "its app counted on in memory, which ended with it and with a daemon; what is here is older"
            case .noRoom: "it is empty, since the disk was full: its app counted on in memory, which ended with it"
            case .unreadable(let text): text
            }
        }
    }

    let directory: String
    var uid: uid_t = getuid()

    /// Reads a page where it is.
    ///
    /// What the program of a process does to a page of the one before (``FlightPage/isReplaced``) is done to its file.
    func read(_ place: PagePlace) throws(Fault) -> FlightPage {
        var page = try Self.page(in: open(place))
        if place.memory != nil, let file = try? Self.page(in: openFile(place.name)), file.startTicks == page.startTicks
        {
            page.isReplaced = page.isReplaced || file.isReplaced
            // Its app was killed in the middle of a move.
            if !page.isMoved, !file.isMoved { page.stores = Self.newer(page.stores, file.stores) }
        }
        return page
    }

    /// Of each store what was counted last: counts only grow, and stores only come.
    private static func newer(_ stores: [FlightPage.Store], _ others: [FlightPage.Store]) -> [FlightPage.Store] {
        var all = stores
        for (index, other) in others.enumerated() {
            if index >= all.count {
                all.append(other)
            } else if (all[index].epoch, all[index].evaluations) < (other.epoch, other.evaluations) {
                all[index] = other
            }
        }
        return all
    }

    /// Opens a page where it is: in the memory, or in the file, which then says where it was last.
    func open(_ place: PagePlace) throws(Fault) -> OpenPage {
        guard let memory = place.memory else { return try openFile(place.name) }
        // It may move between the two looks.
        for _ in 0..<2 {
            if !memory.isMoved { return memory }
            let file = try openFile(place.name)
            if !file.isMoved { return file }
        }
        return memory
    }

    /// Opens the file of a page, and makes sure that it is a regular file of ours.
    ///
    /// A pipe cannot block it, and links are not followed.
    private func openFile(_ name: String) throws(Fault) -> OpenPage {
        guard FlightPageName(name) != nil else { throw .badName }
        do {
            let file = try Descriptor(path: directory + "/" + name, flags: O_RDONLY)
            let status = try file.status()
            guard FileSystem.isRegular(status) else { throw Fault.notAFile }
            guard status.st_uid == uid || status.st_uid == 0 else { throw Fault.foreignOwner(status.st_uid) }
            return OpenPage(file)
        } catch let fault as Fault {
            throw fault
        } catch DaemonError.system(_, let number, _) where number == ENOENT {
            throw .gone
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Reads an open page.
    static func page(in page: OpenPage) throws(Fault) -> FlightPage {
        do {
            let bytes = try page.bytes()
            guard !bytes.isEmpty else { throw Fault.noRoom }
            // Safe: bytes have no padding.
            return unsafe try FlightPage(bytes.span.bytes)
        } catch let fault as Fault {
            throw fault
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Writes what is in an app's memory to the page's file, so that it outlives this daemon; false if it could not.
    ///
    /// - Parameter isFinal: Whether the program that counted there is no more. One that lives moves its page to a file of its own once
    ///   the connection ends, which takes the place of this one; until then this says that the page is elsewhere.
    func keep(_ place: PagePlace, isFinal: Bool) -> Bool {
        guard let memory = place.memory else { return true }
        guard FlightPageName(place.name) != nil else { return false }
        do {
            let lock = try Descriptor(path: directory, flags: O_RDONLY | O_DIRECTORY)
            var isLocked = lock.lock()
            for _ in 0..<10 where !isLocked {
                usleep(1_000)
                isLocked = lock.lock()
            }
            // An app that lives may be making its own file.
            guard isLocked || isFinal else { return false }
            guard !memory.isMoved else { return true }
            var bytes = try memory.bytes()
            guard bytes.count == FlightPageLayout.byteCount else { return false }
            bytes[FlightPageLayout.movedOffset] = isFinal ? 0 : 1
            if let file = try? Self.page(in: openFile(place.name)), file.isReplaced {
                bytes[FlightPageLayout.closedOffset] = UInt8(FlightPageLayout.replaced)
            }
            // An app waits for the lock for a moment only.
            _ = try Descriptor(replacing: directory + "/" + place.name, with: [bytes], mode: 0o400) {
                !memory.isMoved
            }
            return true
        } catch {
            return false
        }
    }

    /// Removes files that never got a page's name because their process was killed.
    func removeUnfinished(limit: Int) {
        for name in FileSystem.names(in: directory, limit: limit) {
            guard let page = FlightPageName.ofUnfinished(name), ProcessTable.hasEnded(page.pid) else { continue }
            FileSystem.remove(directory + "/" + name)
        }
    }

    /// Removes a page once it is accounted for. Anything else that has such a name stays.
    func remove(_ name: String) {
        guard FlightPageName(name) != nil else { return }
        FileSystem.remove(directory + "/" + name)
    }

    /// The files in the directory, at most `limit`; some may be no pages.
    func files(limit: Int) -> [String] { FileSystem.names(in: directory, limit: limit) }
}
