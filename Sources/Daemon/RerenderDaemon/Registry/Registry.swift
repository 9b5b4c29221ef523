// SPDX-License-Identifier: MIT
// The state of the daemon: what apps sent. Knows no sockets, files or clocks.

import NIOCore
import RerenderModel
import RerenderWire

/// Takes in messages and holds their totals. Does no I/O; confined to one event loop.
///
/// Totals are cumulative per process, store and epoch. So a process that reconnects continues its entry, and what it
/// sends again replaces what was there; what it does not send again stays true.
final class Registry {
    /// What the shell has to do after a message.
    enum Action: Equatable {
        /// Answer the connection that spoke.
        case welcome
        /// Tell the app what a store counts that it has just told of, by the store's serial number.
        case tellCounts(store: UInt32)
        /// Close an older connection of the same process.
        case supersede(connection: UInt64)
        /// A command was carried out.
        case done(CommandResult, connection: UInt64)
    }

    let limits: DaemonLimits
    /// In the order in which they were first heard of.
    private(set) var processes: [ProcessEntry] = []
    private var byIdentity: [ProcessInstance: ProcessEntry] = [:]
    private(set) var storesBySerial: [UInt32: (process: ProcessEntry, store: StoreEntry)] = [:]
    private var nextStoreSerial: UInt32 = 0
    /// Estimated memory of all processes.
    private let memory = MemoryUse()
    var bytes: Int { memory.bytes }
    var drops = HealthReport.Drops()
    /// Processes that left ``processes``, for whatever reason.
    private(set) var forgotten: UInt64 = 0
    var totalsReceived: UInt64 = 0
    /// Changes for readers of events; nil, and free, while there are no readers.
    var changes: ChangeLog?
    /// Hangs of all processes, those that are forgotten included.
    var hangs: HangHistory
    /// What programs had counted when somebody marked a moment.
    var marks: MarkBook
    /// Called when stores with hangs have ended or were reset: what a file says of them is no longer true.
    var onStoresChanged: (ProcessEntry, [StoreEntry]) -> Void = { _, _ in }
    /// Called when a process is heard of for the first time.
    var onProcessBegan: (ProcessEntry) -> Void = { _ in }
    /// Called when a process has ended and is accounted for.
    var onProcessEnded: (ProcessEntry) -> Void = { _ in }
    /// Called when an app tells of a main loop for the first time: its threads were not looked at.
    var onLoop: (ProcessEntry) -> Void = { _ in }
    /// Called when a store that tells of a main loop is reset.
    var onLoopReset: (ProcessEntry, StoreEntry) -> Void = { _, _ in }
    /// Called when a process has changed that had not since it was saved.
    var onUnsaved: () -> Void = {}
    /// Called with the number of a hang that got a stack after it had ended.
    var onLateStack: (UInt64) -> Void = { _ in }
    /// Called when a program marks a moment itself, with its name for that.
    var onOwnMark: (ProcessEntry, String) -> Void = { _, _ in }
    /// Called with the name of a mark of connected processes.
    var onMark: (String) -> Void = { _ in }
    /// Since when daemons have watched that kept their hangs here, by the monotonic clock. Of a process without
    /// progress, none of them has counted a hang, so that what is on its page since then is untold.
    var watchedSince: UInt64?
    /// What the shell has to do; it takes them after each frame.
    var actions: [Action] = []

    init(limits: DaemonLimits) {
        self.limits = limits
        hangs = HangHistory(limits: limits)
        marks = MarkBook(limits: limits)
    }

    func process(_ identity: ProcessInstance) -> ProcessEntry? { byIdentity[identity] }

    var connectionCount: Int { processes.count { $0.connection != nil } }
    var viewCount: Int { processes.reduce(0) { $0 + $1.viewCount } }

    // MARK: Taking in

    /// Takes in the messages of one frame; throws on the first that cannot be one.
    func receive(frame: RawSpan, from connection: AppConnection) throws(WireError) {
        try FrameReader.messages(in: frame) { (kind, fields) throws(WireError) in
            try self.receive(kind: kind, fields: &fields, from: connection)
        }
    }

    /// Takes in one message; kinds that this version does not know are skipped.
    func receive(kind: UInt8, fields: inout WireReader, from connection: AppConnection) throws(WireError) {
        if kind == AppMessage.totalsKind {
            try receiveTotals(from: &fields, of: connection)
        } else if let message = try AppMessage(kind: kind, fields: &fields) {
            try receive(message, from: connection)
        } else if connection.process == nil {
            throw .notRerender
        }
    }

    private func receiveTotals(from reader: inout WireReader, of connection: AppConnection) throws(WireError) {
        guard connection.process != nil else { throw .notRerender }
        let fields: ViewTotals = try reader.value()
        let rest = try TotalsRest(from: &reader)
        totalsReceived &+= 1
        guard let store = store(fields.storeID, on: connection), fields.index < store.views.count,
            fields.epoch >= store.state.epoch
        else {
            drops.totals &+= 1
            return
        }
        if fields.epoch > store.state.epoch, let process = connection.process {
            begin(epoch: fields.epoch, of: store, in: process)
        }
        try store.take(fields, rest, reasons: &reader)
        noteChange(ofView: Int(fields.index), in: store)
        noteUnsaved(connection.process)
    }

    /// Notes that a file does not have all of a process.
    private func noteUnsaved(_ process: ProcessEntry?) {
        guard let process, !process.isUnsaved else { return }
        process.isUnsaved = true
        onUnsaved()
    }

    private func store(_ id: UInt32, on connection: AppConnection) -> StoreEntry? {
        if let latest = connection.latestStore, latest.state.storeID == id { return latest }
        let store = connection.process?.store(id)
        connection.latestStore = store
        return store
    }

    func receive(_ message: AppMessage, from connection: AppConnection) throws(WireError) {
        if case .hello(let hello) = message {
            guard connection.process == nil else { throw .invalid("a second hello") }
            // The kernel gives no number for a process of a foreign pid namespace.
            let pid = connection.pid > 0 ? connection.pid : hello.pid
            let process = ProcessInstance(pid: pid, startTicks: hello.startTicks)
            return connect(hello, as: numbered(process, hello.copy, on: connection), on: connection)
        }
        guard let process = connection.process else { throw .notRerender }
        noteUnsaved(process)
        switch message {
        case .hello, .totals: break  // Taken in above.
        case .store(let state): receive(state, of: process, on: connection)
        case .view(let view): declare(view, in: store(view.storeID, on: connection), of: process)
        case .handler(let handler): declare(handler, in: store(handler.storeID, on: connection))
        case .reason(let reason): declare(reason, in: store(reason.storeID, on: connection))
        case .detail(let detail): declare(detail, in: store(detail.storeID, on: connection))
        case .cycle(let message): put(message, \.cycles, on: connection)
        case .work(let message): put(message, \.work, on: connection)
        case .loop(let message):
            receive(message, in: store(message.storeID, on: connection))
            if process.firstThreads == nil { onLoop(process) }
        case .row(let message): put(message, \.loop.rows, on: connection)
        case .fact(let message): put(message, \.loop.facts, on: connection)
        case .threads(let message): receive(message, in: store(message.storeID, on: connection))
        case .mark(let name): if !name.isEmpty { onOwnMark(process, name) }
        case .done(let result): actions.append(.done(result, connection: connection.serial))
        case .stack(let sample):
            guard hangs.add(sample, of: process.identity) else { return }
            changes?.hangs.append(sample.hang)
            if hangs.hang(sample.hang)?.open == false { onLateStack(sample.hang) }
        case .storeEnded(let id):
            if let store = process.store(id) { end(store, of: process) }
        case .goodbye: process.saidGoodbye = true
        }
    }

    /// The number of a copy of the library: that of its page, the one that a daemon gave it before, or the first that is free in its process.
    ///
    /// A daemon may have been killed before the copy heard of its number, and another one may have given that number to another copy since:
    /// two pages are two copies.
    private func numbered(_ process: ProcessInstance, _ given: UInt32?, on connection: AppConnection) -> ProcessInstance
    {
        let page = connection.page?.identity
        var free = process
        while let known = byIdentity[free] {
            if let page, known.pageIdentity == page { return free }
            free.copy &+= 1
        }
        guard let given else { return free }
        var identity = process
        identity.copy = given
        if let page, let known = byIdentity[identity]?.pageIdentity, known != page { return free }
        return identity
    }

    private func connect(_ hello: Hello, as identity: ProcessInstance, on connection: AppConnection) {
        let process: ProcessEntry
        if let known = byIdentity[identity] {
            process = known
            if let older = known.connection { actions.append(.supersede(connection: older.serial)) }
            memory.bytes -= known.bytes
            known.name = hello.processName
            known.endedAt = nil
            memory.bytes += known.bytes
            for store in known.stores { store.reopen() }
            for store in known.stores where !store.hasEnded { changes?.stores[store.serial] = .connected }
        } else {
            process = ProcessEntry(identity: identity, name: hello.processName)
            process.page = connection.page
            insert(process)
            onProcessBegan(process)
        }
        process.connection?.process = nil
        process.connection = connection
        process.saidGoodbye = false
        process.page = connection.page ?? process.page
        connection.page = nil
        connection.process = process
        actions.append(.welcome)
    }

    private func receive(_ state: StoreState, of process: ProcessEntry, on connection: AppConnection) {
        guard let store = process.store(state.storeID, startedAt: state.startedAt) else {
            // Another store of that number: the process has replaced itself with `exec`.
            if let old = process.store(state.storeID) { end(old, of: process) }
            connection.latestStore = nil
            return addStore(state, to: process, on: connection)
        }
        introduce(store, on: connection)
        guard state.epoch >= store.state.epoch else { return }
        if state.epoch > store.state.epoch { begin(epoch: state.epoch, of: store, in: process) }
        store.replaceState(state)
        let kind: LiveEvent.Kind = store.hasEnded ? .connected : .store
        store.endedAt = nil
        changesOf(store, kind)
    }

    /// The first that a connection tells of a store: the app's copy of its hangs may be behind.
    private func introduce(_ store: StoreEntry, on connection: AppConnection) {
        connection.latestStore = store
        guard store.toldOn != connection.serial else { return }
        store.toldOn = connection.serial
        actions.append(.tellCounts(store: store.serial))
    }

    private func addStore(_ state: StoreState, to process: ProcessEntry, on connection: AppConnection) {
        if process.stores.count >= WireLimits.storesPerProcess, !forgetEndedStore(of: process) {
            drops.stores &+= 1
            return
        }
        let store = makeStore(state)
        guard makeRoom(for: store.bytes) else {
            drops.stores &+= 1
            return
        }
        append(store, to: process)
        introduce(store, on: connection)
        changes?.stores[store.serial] = .connected
    }

    private func declare(_ view: ViewDeclaration, in store: StoreEntry?, of process: ProcessEntry) {
        guard let store else {
            drops.views &+= 1
            return
        }
        let isNew = view.index >= store.views.count
        let fits =
            view.index <= store.views.count && (!isNew || process.viewCount < WireLimits.keysPerProcess)
            && makeRoom(for: ViewEntry.bytes(key: view.key, file: view.file))
        guard fits else {
            drops.views &+= 1
            store.refusedViews = true
            return
        }
        store.declare(view)
    }

    /// Takes over a view's name before the app says it. Views of smaller numbers wait for theirs.
    func restore(_ view: ViewDeclaration, in store: StoreEntry, of process: ProcessEntry) {
        let missing = max(0, Int(view.index) - store.views.count)
        let size = missing * ViewEntry.bytes(key: "", file: "") + ViewEntry.bytes(key: view.key, file: view.file)
        guard process.viewCount + missing < WireLimits.keysPerProcess, makeRoom(for: size) else { return }
        for _ in 0..<missing { store.declare(.unnamed(UInt32(store.views.count), of: view.storeID)) }
        store.declare(view)
    }

    /// Sets the hangs that a view was blamed for; those of a view without a name are kept while there is room.
    func restore(_ hangs: HangTotals, ofView index: UInt32, in store: StoreEntry) {
        guard store.isNamed(index) || makeRoom(for: StoreEntry.unnamedBytes) else { return }
        store.restore(hangs, ofView: index)
    }

    /// A handler that finds no room is named by what the flight page has of its name.
    private func declare(_ handler: HandlerDeclaration, in store: StoreEntry?) {
        guard let store, makeRoom(for: StoreEntry.bytes(handler.name)) else { return }
        store.declare(handler)
    }

    /// An item that finds no room is not shown.
    private func put<Item: StoreItem>(
        _ message: ItemMessage<Item>, _ items: ReferenceWritableKeyPath<StoreEntry, [Item]>,
        on connection: AppConnection
    ) {
        guard let store = store(message.storeID, on: connection), message.epoch == store.state.epoch,
            makeRoom(for: message.item.bytes)
        else { return }
        store.put(message.item, at: Int(message.index), items)
    }

    /// What a main loop did is as large as a store's own numbers.
    private func receive(_ message: LoopMessage, in store: StoreEntry?) {
        guard let store, message.epoch == store.state.epoch else { return }
        store.loop.receive(message.totals)
    }

    private func receive(_ message: ThreadsMessage, in store: StoreEntry?) {
        guard let store, message.epoch == store.state.epoch else { return }
        receive(message.threads, in: store)
    }

    /// Takes in other threads of a process, in the place of those that were known. Threads that find no room are not shown.
    func receive(_ threads: [ThreadTime], in store: StoreEntry) {
        guard makeRoom(for: LoopEntry.bytes(threads)) else { return }
        store.receive(threads)
    }

    /// A reason that finds no room is counted as `other`.
    private func declare(_ reason: ReasonDeclaration, in store: StoreEntry?) {
        guard let store, makeRoom(for: ViewEntry.bytes(reason: reason.text)) else {
            return
        }
        store.declare(reason)
    }

    /// A writer or chain that finds no room is counted as `other`.
    private func declare(_ detail: DetailDeclaration, in store: StoreEntry?) {
        guard let store, makeRoom(for: ViewEntry.bytes(detail: detail.text)) else {
            return
        }
        store.declare(detail)
    }

    private func begin(epoch: UInt32, of store: StoreEntry, in process: ProcessEntry) {
        // Readers of events must see the views go to zero.
        for index in store.views.indices where store.views[index].isReported { noteChange(ofView: index, in: store) }
        let (hadHangs, hadLoop) = (store.hasHangs, store.loop.isTold)
        store.begin(epoch: epoch)
        if hadLoop { onLoopReset(process, store) }
        if hadHangs { onStoresChanged(process, [store]) }
        if changes?.stores[store.serial] == nil { changesOf(store, .store) }
    }

    // MARK: Keeping

    func makeStore(_ state: StoreState) -> StoreEntry {
        nextStoreSerial &+= 1
        return StoreEntry(serial: nextStoreSerial, state: state)
    }

    func insert(_ process: ProcessEntry) {
        processes.append(process)
        byIdentity[process.identity] = process
        memory.bytes += process.bytes
    }

    func append(_ store: StoreEntry, to process: ProcessEntry) {
        process.stores.append(store)
        storesBySerial[store.serial] = (process, store)
        store.memory = memory
    }

    func forget(_ process: ProcessEntry) {
        for store in process.stores { leave(store) }
        memory.bytes -= process.bytes
        processes.removeAll { $0 === process }
        forgotten &+= 1
        if byIdentity[process.identity] === process { byIdentity[process.identity] = nil }
    }

    private func forgetEndedStore(of process: ProcessEntry) -> Bool {
        guard let index = process.stores.firstIndex(where: \.hasEnded) else { return false }
        leave(process.stores.remove(at: index))
        return true
    }

    private func leave(_ store: StoreEntry) {
        store.memory = nil
        storesBySerial[store.serial] = nil
    }

    /// Makes room by forgetting processes that ended, oldest first; false if that does not suffice.
    private func makeRoom(for needed: Int) -> Bool {
        while bytes + needed > limits.registryBytes {
            let ended = processes.filter { $0.endedAt != nil }
            guard let oldest = ended.min(by: { ($0.endedAt ?? .now()) < ($1.endedAt ?? .now()) }) else { return false }
            forget(oldest)
            drops.endedProcesses &+= 1
        }
        return true
    }
}
