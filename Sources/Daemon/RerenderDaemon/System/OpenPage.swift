// SPDX-License-Identifier: MIT
// The flight page of an app, as the daemon holds it.

internal import Glibc
import RerenderWire

/// An app's flight page: sealed memory that the app handed over. Nothing is mapped, so that whatever is handed over, reading it is a
/// short read at worst, and no signal. Any thread may read it.
final class OpenPage: Sendable {
    /// Why a page cannot be used.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case unsealed
        case anotherProcess
        case unreadable(String)

        var description: String {
            switch self {
            case .unsealed: "it is not sealed memory of a page's size"
            case .anotherProcess: "it is of another process"
            case .unreadable(let text): text
            }
        }
    }

    private let descriptor: Descriptor
    /// Tells it from all other pages since the machine started.
    let identity: FileIdentity

    /// Keeps what an app handed over.
    init(_ descriptor: consuming Descriptor) throws(Fault) {
        // It may be anything, also a file of a file system that never answers. None is asked before it is known to be memory.
        guard descriptor.isSealed, let status = try? descriptor.status(),
            status.st_size == off_t(FlightPageLayout.byteCount)
        else { throw .unsealed }
        identity = FileIdentity(status)
        self.descriptor = descriptor
    }

    /// Reads it, if it is that process's.
    func contents(of process: ProcessInstance) throws(Fault) -> FlightPage {
        let page: FlightPage
        do {
            let bytes = try self.bytes()
            // Safe: bytes have no padding.
            page = unsafe try FlightPage(bytes.span.bytes)
        } catch {
            throw .unreadable("\(error)")
        }
        guard page.startTicks == process.startTicks else { throw .anotherProcess }
        return page
    }

    /// Whether no program maps it any more: the one that counted there has ended, or has become another one by `exec`.
    ///
    /// The kernel refuses to seal memory against writing while somebody may write it through a mapping.
    var isLeft: Bool { descriptor.sealAgainstWriting() }

    /// The thread that runs the app's main loop, by the app's number; 0 where the page does not say.
    var loopThread: Int32 {
        var head = [UInt8](repeating: 0, count: LoopLayout.headBytes)
        guard read(into: &head, at: FlightPageLayout.loopOffset) == LoopLayout.headBytes else { return 0 }
        // Safe: bytes have no padding.
        let reading = unsafe try? LoopReading(head: head.span.bytes)
        return reading?.threadID ?? 0
    }

    /// Fills the bytes from the page at `offset`; returns how many there were.
    func read(into bytes: inout [UInt8], at offset: Int) -> Int { descriptor.read(into: &bytes, at: offset) }

    /// All that there is of the page.
    func bytes() throws(DaemonError) -> [UInt8] { try descriptor.read(limit: FlightPageLayout.byteCount) }
}
