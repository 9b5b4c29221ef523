// SPDX-License-Identifier: MIT
// The daemon that a command asks, and how it is found: the user's, or that of the only running command.

import FoundationEssentials
package import RerenderModel

/// A runtime directory and the client for its query socket.
package struct Session: Sendable {
    package let directory: RuntimeDirectory
    package let client: any QueryClient

    package init(directory: RuntimeDirectory, client: any QueryClient) {
        (self.directory, self.client) = (directory, client)
    }

    /// The daemon of the directory in use, or of a command (``FoundDaemonClient``); does not connect yet.
    ///
    /// Throws status 69 where that directory must not be trusted: a user who can write there could answer in the
    /// daemon's place.
    ///
    /// - Parameters:
    ///   - patience: How long the daemon may be silent in the middle of an answer.
    ///   - process: The pid or name of a process; of several commands' daemons, the one that has it is meant.
    package static func current(
        patience: Duration = SocketQueryClient.usualPatience, process: String? = nil
    ) throws -> Session {
        let directory = RuntimeDirectory.current()
        if let fault = directory.fault() {
            throw ToolFailure.unsafeDirectory(fault)
        }
        let client = FoundDaemonClient(directory: directory, patience: patience, process: process)
        return Session(directory: directory, client: client)
    }

    /// The daemon, for what only a daemon can do. Throws status 64 where something saved is looked at.
    package var daemon: any DaemonClient {
        get throws(ToolFailure) {
            guard let daemon = client as? any DaemonClient else {
                throw .usage("this was saved: nothing of it runs, and nothing of it can be changed.")
            }
            return daemon
        }
    }

    /// The processes that the daemon knows, without their views.
    package func processes() async throws -> [ProcessStats] { try await client.processes() }

    /// How the daemon is; nil when it does not say.
    package func health() async -> HealthReport? { try? await client.health() }
}

extension ProcessSelection {
    /// Whether a store is one that is asked for: by pid or name, and by the store's name or number; nil fits all.
    package func fits(_ store: ProcessStats) -> Bool {
        let isProcess = process.map { $0 == store.name || $0 == String(store.pid) } ?? true
        return isProcess && fits(storeName: store.store, number: store.storeNumber)
    }

    /// The failure for a selection that fits nothing, naming what there is.
    ///
    /// - Parameter list: The command that lists all names, where there are more.
    package func fitsNone(of stores: [ProcessStats], list: String = "rerenderctl stats --json") -> ToolFailure {
        let wanted = [process.map { "process \"\($0)\"" }, store.map { "store \"\($0)\"" }].compactMap(\.self)
        let labels = StoreLabels(stores)
        let names = stores.map { store == nil ? "\(Printable.text($0.name))[\($0.pid)]" : labels.full($0) }
        let all = Array(Set(names)).sorted()
        let near = NearName.find(process ?? store ?? "", among: all)
        let listed = near.isEmpty ? Array(all.prefix(10)) : near
        let there = all.isEmpty ? "No process is connected." : "There are: \(listed.joined(separator: ", "))"
        let left = all.count - listed.count
        let more = left > 0 ? " " + Counted.rest(left, "name", see: list) : ""
        return .usage("there is no \(Printable.text(wanted.joined(separator: " with "))).\n\(there)\(more)")
    }
}

/// Talks to the user's daemon or, where none takes the connection, to that of the only command under a daemon of its own. Of several
/// commands, the one is meant that has the process which the user selects. Of a process that is named by its number, an attach to it is
/// asked first.
///
/// Looks anew for each request: commands come and go while `top` is open. Where `$RERENDER_RUNTIME_DIR` names a directory, only commands
/// count that were started with the same one.
package struct FoundDaemonClient: DaemonClient {
    package let directory: RuntimeDirectory
    package var patience: Duration = SocketQueryClient.usualPatience
    private let process: String?
    /// How long the daemon of each command may take to tell its processes.
    private static let briefly = Duration.seconds(3)

    package init(
        directory: RuntimeDirectory, patience: Duration = SocketQueryClient.usualPatience, process: String? = nil
    ) {
        (self.directory, self.patience, self.process) = (directory, patience, process)
    }

    /// As any client; throws status 69 as well where several daemons could be meant.
    package func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
        for place in [attached, directory].compactMap(\.self) {
            do {
                return try await client(place).send(request, receive: receive)
            } catch let failure as ToolFailure where failure.isUnreachable {}
        }
        try await client(await only() ?? directory).send(request, receive: receive)
    }

    /// Where the daemon is that an attach to the process has, if there is one; nil of a process that is not named by its number.
    private var attached: RuntimeDirectory? {
        let paths = process.flatMap { Int32($0) }.map { RunDirectories.path(for: $0, beside: directory) }
        return paths.map { RuntimeDirectory(path: $0) }.flatMap { $0.fault() == nil && isOurs($0) ? $0 : nil }
    }

    private func client(_ directory: RuntimeDirectory) -> SocketQueryClient {
        SocketQueryClient(path: directory.querySocket, patience: patience)
    }

    /// The directories of the commands that run under daemons of their own, in the place of the one that is looked at.
    package func commands() async -> [RuntimeDirectory] {
        var running: [RuntimeDirectory] = []
        for other in RunDirectories.all(beside: directory).filter(isOurs)
        where await ConnectText.fault(at: other.querySocket, timeout: .seconds(5)) == nil {
            running.append(other)
        }
        return running
    }

    /// What somebody names is meant, and not what runs beside it.
    private func isOurs(_ other: RuntimeDirectory) -> Bool {
        directory.origin != .environment || RunDirectories.user(of: other) == directory.path
    }

    /// Whether somebody takes connections now: the user's daemon, or that of a command.
    package var isReachable: Bool {
        get async {
            if await ConnectText.fault(at: directory.querySocket, timeout: .seconds(5)) == nil { return true }
            return await !commands().isEmpty
        }
    }

    /// The directory of the command's daemon that is meant: the only one, or the only one with the process.
    private func only() async throws(ToolFailure) -> RuntimeDirectory? {
        let running = await commands()
        guard running.count > 1 else { return running.first }
        var choices: [(directory: RuntimeDirectory, stores: [ProcessStats])] = []
        for command in running {
            let client = SocketQueryClient(path: command.querySocket, patience: Self.briefly)
            choices.append((command, (try? await client.processes()) ?? []))
        }
        let selection = ProcessSelection(process: process)
        let fitting = process == nil ? [] : choices.filter { $0.stores.contains(where: selection.fits) }
        if fitting.count == 1, let meant = fitting.first { return meant.directory }
        throw .severalDaemons(
            choices.map { (programs: Self.programs($0.stores), directory: $0.directory.path) },
            besides: directory.querySocket,
            process: process.map { (name: $0, count: fitting.count) })
    }

    /// `gnome-chess[7257]`: the processes of a command that are connected, or else those that were.
    private static func programs(_ stores: [ProcessStats]) -> String {
        let connected = stores.filter(\.connected)
        let shown = connected.isEmpty ? stores : connected
        let names = Set(shown.map { "\(Printable.text($0.name))[\($0.pid)]" }).sorted()
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return names.isEmpty ? "no process yet" : names.prefix(3).joined(separator: ", ") + more
    }
}

/// The private directories in which `rerenderctl run`, `record`, `check` and `attach` have daemons of their own.
package enum RunDirectories {
    package static let prefix = RuntimeDirectory.commandPrefix
    /// The path of a socket in one of them, after the directory that it is made in.
    private static let longest = "/\(prefix)XXXXXX/query.sock".utf8.count

    /// The directory in which they are made: that of the user's session, beside the one that is in use, or `/tmp`.
    ///
    /// `/tmp` if other users may write to the session's directory, if its path is too long for a socket, and if
    /// `$RERENDER_RUNTIME_DIR` names a directory that need not have one above it.
    package static func parent(beside directory: RuntimeDirectory) -> String {
        guard [.xdg, .runUser].contains(directory.origin) else { return "/tmp" }
        let parent = RuntimeDirectory(path: PathName.directory(of: directory.path))
        let isOurs = FileManager.default.fileExists(atPath: parent.path) && parent.fault() == nil
        return isOurs && parent.path.utf8.count + longest <= SocketQueryClient.longestPath ? parent.path : "/tmp"
    }

    /// What `mkdtemp` makes one of.
    package static func template(beside directory: RuntimeDirectory) -> String {
        "\(parent(beside: directory))/\(prefix)XXXXXX"
    }

    /// The one that is for a process which runs already. It has the same name each time: the process goes on to look for it.
    package static func path(for process: Int32, beside directory: RuntimeDirectory) -> String {
        "\(parent(beside: directory))/\(prefix)\(process)"
    }

    /// Whether a path is that of one of them.
    package static func isPrivate(_ path: String, beside directory: RuntimeDirectory) -> Bool {
        path.utf8.starts(with: "\(parent(beside: directory))/\(prefix)".utf8)
    }

    /// The name of a link in each: to the directory that its command would have used otherwise.
    private static let userLink = "user"

    /// Notes which directory a private one is for.
    package static func note(user: RuntimeDirectory, in directory: String) {
        try? FileManager.default.createSymbolicLink(
            atPath: "\(directory)/\(userLink)", withDestinationPath: user.path)
    }

    /// The path that was noted, or nil.
    static func user(of directory: RuntimeDirectory) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory.path)/\(userLink)")
    }

    /// Those of this user that are there, in the order of their names; what ended without cleaning up is among them.
    ///
    /// - Parameter prefix: How their names begin, where other ones than those of private daemons are meant.
    package static func all(
        beside directory: RuntimeDirectory, prefix: String = Self.prefix
    ) -> [RuntimeDirectory] {
        let parent = parent(beside: directory)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted().map { RuntimeDirectory(path: "\(parent)/\($0)") }
            .filter { $0.fault() == nil }
    }
}
