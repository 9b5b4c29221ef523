// SPDX-License-Identifier: MIT
// Takes what a daemon kept in again, message by message, with the distrust that apps meet.

internal import NIOCore
import RerenderModel
import RerenderWire

extension StateFile {
    /// Why a file was not taken in, or not to its end, for people to read.
    static func reason(_ error: any Error) -> String {
        switch error as? WireError {
        case .versionMismatch(let ours, let theirs):
            "it is of version \(theirs), from another release, and this daemon reads version \(ours) only"
        case .notRerender: "it is no state file"
        case .frameTooLong: "it is too large, or damaged"
        case .truncated: "its end is missing, or it is damaged"
        case .stringTooLong, .invalid: "it is damaged: \(error)"
        case nil: "\(error)"
        }
    }

    /// Takes processes in. Throws on the first thing that cannot be; what came before it stays.
    static func restore(
        _ bytes: [UInt8], into registry: Registry, bootID: String, now: NIODeadline
    ) throws(WireError) {
        var reader = Reader(registry: registry, bootID: bootID, now: now)
        defer { reader.finish() }
        // Safe: bytes have no padding.
        let used = try FrameReader.frames(in: unsafe bytes.span.bytes) { (frame) throws(WireError) in
            try FrameReader.messages(in: frame) { (kind, fields) throws(WireError) in
                try reader.take(kind, &fields)
            }
        }
        guard used == bytes.count else { throw .truncated }
    }

    private struct Reader {
        let registry: Registry
        let bootID: String
        let now: NIODeadline
        let totalsReceived: UInt64
        var sawHeader = false
        var isSameBoot = false
        var connection = AppConnection(serial: 0, pid: 0)

        init(registry: Registry, bootID: String, now: NIODeadline) {
            self.registry = registry
            self.bootID = bootID
            self.now = now
            totalsReceived = registry.totalsReceived
        }

        mutating func take(_ kind: UInt8, _ fields: inout WireReader) throws(WireError) {
            switch Kind(rawValue: kind) {
            case .header: try header(&fields)
            case _ where !sawHeader: throw .notRerender
            case .storeOutcome: try storeOutcome(&fields)
            case .processOutcome: try processOutcome(&fields)
            case .hang: try hang(&fields)
            case .hangStack: try registry.hangs.restore(StackSample(from: &fields))
            case .checkpoint: try checkpoint(&fields)
            case .storeHangs: try storeHangs(&fields)
            case .viewHangs: try viewHangs(&fields)
            case .sourceHangs: try sourceHangs(&fields)
            case .page: try page(&fields)
            case nil: try registry.receive(kind: kind, fields: &fields, from: connection)
            }
        }

        /// Ends a process that the file breaks off in: nothing tells how it ended, so it did now.
        mutating func finish() {
            if let process = connection.process { end(process, at: now) }
            registry.totalsReceived = totalsReceived
            registry.actions.removeAll()
        }

        private mutating func header(_ fields: inout WireReader) throws(WireError) {
            let version: UInt16 = try fields.integer()
            guard version == StateFile.version else {
                throw .versionMismatch(ours: StateFile.version, theirs: version)
            }
            isSameBoot = try fields.string(limit: WireLimits.stringBytes) == bootID
            let watchedSince: UInt64 = try fields.integer()
            if isSameBoot, watchedSince > 0 { registry.watchedSince = watchedSince }
            sawHeader = true
        }

        private func hang(_ fields: inout WireReader) throws(WireError) {
            let (hang, process) = try StateFile.hang(from: &fields)
            // One that was written while it went on is found again on its page.
            if !hang.open { registry.hangs.restore(hang, of: process) }
        }

        private func page(_ fields: inout WireReader) throws(WireError) {
            let identity = FileIdentity(device: try fields.integer(), inode: try fields.integer())
            guard let process = connection.process else { throw .notRerender }
            process.pageIdentity = identity
        }

        private func checkpoint(_ fields: inout WireReader) throws(WireError) {
            let mark = try WatchCheckpoint(from: &fields)
            guard let process = connection.process else { throw .notRerender }
            process.progress = mark
        }

        /// The store that the file told of last: its number alone may be that of several, before and after an `exec`.
        private func store(_ storeID: UInt32) -> StoreEntry? {
            connection.latestStore.flatMap { $0.state.storeID == storeID ? $0 : nil }
        }

        private func storeHangs(_ fields: inout WireReader) throws(WireError) {
            let store = store(try fields.integer())
            store?.restore(try fields.value(StoreHangs.self))
        }

        private func sourceHangs(_ fields: inout WireReader) throws(WireError) {
            let store = store(try fields.integer())
            let count: UInt8 = try fields.integer()
            try fields.require(count <= SourceHangs.most, or: .invalid("the number of sources with hangs"))
            var hangs: [SourceHangs] = []
            for _ in 0..<count { hangs.append(try SourceHangs(from: &fields)) }
            store?.loop.hangs = hangs
        }

        private func viewHangs(_ fields: inout WireReader) throws(WireError) {
            let (view, hangs) = (try ViewDeclaration(from: &fields), try fields.value(HangTotals.self))
            guard let process = connection.process, let store = store(view.storeID) else { return }
            if !view.key.isEmpty || !view.file.isEmpty { registry.restore(view, in: store, of: process) }
            registry.restore(hangs, ofView: view.index, in: store)
        }

        private func storeOutcome(_ fields: inout WireReader) throws(WireError) {
            guard let store = store(try fields.integer()) else { return }
            let endedAt: Int64 = try fields.integer()
            store.endedAt = endedAt == 0 ? nil : Timestamp(nanosecondsSince1970: endedAt)
            store.refusedViews = try fields.flag()
            store.restore(lost: try fields.integer())
        }

        private mutating func processOutcome(_ fields: inout WireReader) throws(WireError) {
            let endedAt: Int64 = try fields.integer()
            guard let process = connection.process else { throw .notRerender }
            if endedAt != 0 {
                let age = max(0, Timestamp.now.nanosecondsSince1970.subtractingReportingOverflow(endedAt).partialValue)
                end(process, at: now - .nanoseconds(age))
            } else if isSameBoot {
                registry.disconnected(connection)
            } else {
                end(process, at: now)
            }
            connection = AppConnection(serial: 0, pid: 0)
        }

        private func end(_ process: ProcessEntry, at time: NIODeadline) {
            process.connection = nil
            connection.process = nil
            process.endedAt = time
            // Its clock is another one's by now, or what there was to say of it is said.
            process.progress = nil
        }
    }
}
