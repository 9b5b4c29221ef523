// SPDX-License-Identifier: MIT
// The daemon: starts, serves until it is to stop, and stops in order. Answers the program that it is a part of.

internal import Glibc
package import Logging
internal import NIOCore
internal import NIOPosix
package import RerenderModel
import RerenderWire
import Synchronization

/// A daemon that takes in what apps push and answers queries.
///
/// Everything happens on one event loop of its own. Several may run in a process, each in its own directory.
package final class Daemon: Sendable {
    private let configuration: DaemonConfiguration
    private let log: Logger
    /// Ends, or fails, once the daemon is ready.
    private let readiness = AsyncThrowingStream<Never, any Error>.makeStream()
    /// What answers, while the daemon serves.
    let serving = Mutex<NIOLoopBound<QueryService>?>(nil)
    /// Tells when to look whether the sockets are there; ends when the daemon is to stop.
    private let work = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Makes a daemon; nothing happens before ``run()``.
    package init(configuration: DaemonConfiguration, log: Logger) {
        self.configuration = configuration
        self.log = log
    }

    /// Serves until ``stop()`` is called or the task is cancelled, and then stops in order.
    ///
    /// Throws a ``DaemonError`` if it cannot start. What apps have sent before the stop is taken in first, for at most two seconds. Call it
    /// once.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var failure: (any Error)?
        do {
            try await serve(on: group.next())
        } catch {
            failure = error
        }
        readiness.continuation.finish(throwing: failure)
        try? await group.shutdownGracefully()
        if let failure { throw failure }
    }

    /// Has ``run()`` stop and return. Any thread, and any number of times; before ``run()``, too.
    package func stop() { work.continuation.finish() }

    /// Returns once the sockets are open; throws what ``run()`` throws if they cannot be. For one task, once.
    package func waitUntilReady() async throws {
        var events = readiness.stream.makeAsyncIterator()
        _ = try await events.next()
        // A task that is cancelled stops waiting.
        try Task.checkCancellation()
    }

    private func serve(on loop: any EventLoop) async throws {
        try prepareDirectories()
        let openFiles = FileSystem.openFiles(raise: configuration.raisesOpenFiles)
        let configuration = fitted(to: openFiles)
        let log = log
        let core = try await loop.submit {
            // Trace events of hangs have the name of the thread that emits them.
            JoinableThread.nameThisThread("rerenderd-loop")
            return NIOLoopBound(DaemonCore(configuration: configuration, loop: loop, log: log), eventLoop: loop)
        }.get()
        // Before apps can connect: saved state must not replace what an app sends.
        try await loop.submit {
            self.restore(into: core.value.registry)
            core.value.restored()
        }.get()
        var sockets = try await DaemonSockets.open(core, configuration)
        let service = try await loop.submit {
            core.value.begin()
            return NIOLoopBound(core.value.queries, eventLoop: loop)
        }.get()
        serving.withLock { $0 = service }
        log.info("ready", metadata: ["directory": "\(configuration.runtimeDirectory.path)"])
        readiness.continuation.finish()
        configuration.notifier.send("READY=1", "STATUS=waiting for apps")
        await keepOpen(&sockets, core, configuration)
        serving.withLock { $0 = nil }
        await stop(core, sockets)
    }

    /// Returns when the daemon is to stop. Listens anew where the sockets' files are gone, as with their directory; returns where that cannot
    /// be, too, because another daemon does so by now. Apps then connect to that one.
    private func keepOpen(
        _ sockets: inout DaemonSockets, _ core: NIOLoopBound<DaemonCore>, _ configuration: DaemonConfiguration
    ) async {
        let looks = work.continuation
        var notices: RemovalNotices?
        // A service manager looks after its own.
        if configuration.sockets == .own { looks.yield() }
        for await _ in work.stream {
            do {
                if notices == nil { notices = try await RemovalNotices(on: core.eventLoop) { looks.yield() } }
                // Before the look: the kernel does not tell what was removed before. The directory may be another one by now.
                try notices?.watch(configuration.runtimeDirectory.path)
            } catch {
                log.warning(
                    "cannot watch the sockets: restart rerenderd if they are removed", metadata: ["reason": "\(error)"])
            }
            guard sockets.areGone else { continue }
            log.warning("the sockets are gone, and are made anew")
            do {
                try prepareDirectories()
                try await sockets.reopen(core, configuration)
            } catch {
                return log.error("cannot make the sockets anew", metadata: ["reason": "\(error)"])
            }
            looks.yield()
        }
    }

    /// Stops in order: removes the sockets, takes in what apps have sent, saves the state, closes connections.
    ///
    /// It goes on accepting until then: apps may have sent on connections that wait to be accepted.
    private func stop(_ core: NIOLoopBound<DaemonCore>, _ sockets: consuming DaemonSockets) async {
        let loop = core.eventLoop
        try? await loop.submit { core.value.stop() }.get()
        sockets.removeFiles()
        await drain(core)
        await sockets.stopListening()
        let state = try? await loop.submit { core.value.savedState() }.get()
        if let state { await save(state, of: core) }
        try? await loop.submit { core.value.closeConnections() }.get()
        log.info("stopped")
    }

    /// Waits until what apps had sent is taken in.
    private func drain(_ core: NIOLoopBound<DaemonCore>) async {
        let end = NIODeadline.now() + configuration.limits.drainTimeout
        while NIODeadline.now() < end {
            if (try? await core.eventLoop.submit { core.value.connections.isDrained }.get()) ?? true { return }
            try? await core.eventLoop.scheduleTask(in: configuration.limits.drainInterval) {}.futureResult.get()
        }
    }

    // MARK: Files

    private func prepareDirectories() throws(DaemonError) {
        do throws(HeldDirectory.Fault) {
            _ = try HeldDirectory(configuration.runtimeDirectory.path, makes: true)
        } catch {
            switch error {
            case .refused(let text): throw .directory(text)
            case .failed(let path, let number): throw .system("make the directory \(path)", errno: number)
            }
        }
        if let state = configuration.stateDirectory, let fault = FileSystem.stateFault(of: state) {
            throw .directory(fault)
        }
    }

    /// The configuration with as many connections as there are descriptors for, beside the daemon's own. An app takes three: its
    /// connection, its flight page, and one that tells its end.
    private func fitted(to openFiles: Int) -> DaemonConfiguration {
        var fitted = configuration
        fitted.limits.queryConnections = min(fitted.limits.queryConnections, max(4, openFiles / 4))
        let room = max(16, (openFiles - fitted.limits.queryConnections - fitted.limits.disconnectedPages - 32) / 3)
        if room < fitted.limits.connections {
            log.warning("room for \(room) apps only: raise the limit of open files (LimitNOFILE=)")
            fitted.limits.connections = room
        }
        return fitted
    }

    private func restore(into registry: Registry) {
        guard let stateFile = configuration.stateFile, FileSystem.status(of: stateFile) != nil else { return }
        do {
            let file = try Descriptor(path: stateFile, flags: O_RDONLY)
            let limit = configuration.limits.stateBytes
            guard FileSystem.isRegular(try file.status()) else { throw WireError.notRerender }
            let bytes = try file.read(limit: limit + 1)
            guard bytes.count <= limit else { throw WireError.frameTooLong(bytes.count) }
            try StateFile.restore(bytes, into: registry, bootID: ProcessTable.bootID, now: .now())
        } catch {
            registry.drops.endedProcesses &+= 1
            let reason = StateFile.reason(error)
            log.error(
                "cannot read the saved state; starting without it",
                metadata: ["file": "\(stateFile)", "reason": "\(reason)"])
        }
    }

    private func save(_ parts: [[UInt8]], of core: NIOLoopBound<DaemonCore>) async {
        guard let stateFile = configuration.stateFile, let directory = configuration.stateDirectory else { return }
        do {
            try FileSystem.makeDirectory(directory)
            // Nothing waits for the disk: where others write gigabytes, that could take longer than systemd lets a service stop.
            _ = try Descriptor(replacing: stateFile, with: parts)
        } catch {
            // A full disk has no room for a second file; the first has some.
            let isAdded = (try? await core.eventLoop.submit { core.value.addToState() }.get()) ?? false
            let reason: Logger.Metadata = ["file": "\(stateFile)", "reason": "\(error)"]
            if isAdded {
                log.notice("the state is saved in the file that there was", metadata: reason)
            } else {
                log.error("cannot save the state", metadata: reason)
            }
        }
    }
}

/// The same values as on the query socket, without a request and its JSON. Each throws ``DaemonError/stopped`` unless the daemon is
/// ready.
extension Daemon {
    package func health() async throws -> HealthReport { try await ask { $0.health() } }

    /// Each store without its views.
    package func processes() async throws -> [ProcessStats] {
        try await ask {
            let registry = $0.current
            return Array(registry.stats(of: registry.stores(of: nil)))
        }
    }

    package func export(_ query: StatsQuery) async throws -> StatsExport {
        try await ask { $0.export(query) }
    }

    package func hangs(_ query: HangsQuery) async throws -> HangList {
        try await ask {
            let hangs = $0.current.hangs.list(limit: query.limit, where: query.matches)
            return HangList(generatedAt: .now, hangs: hangs)
        }
    }

    private func ask<Value: Sendable>(
        _ question: @escaping @Sendable (QueryService) -> Value
    ) async throws -> Value {
        guard let service = serving.withLock({ $0 }) else { throw DaemonError.stopped }
        return try await service.eventLoop.submit { question(service.value) }.get()
    }
}
