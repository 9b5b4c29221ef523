// SPDX-License-Identifier: MIT
// The daemon that a command asks.

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
    /// - Parameter patience: How long the daemon may be silent in the middle of an answer.
    package static func current(patience: Duration = SocketQueryClient.usualPatience) throws -> Session {
        let directory = RuntimeDirectory.current()
        if let fault = directory.fault() {
            throw ToolFailure.unsafeDirectory(fault)
        }
        return Session(directory: directory, client: FoundDaemonClient(directory: directory, patience: patience))
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
    package func fitsNone(of stores: [ProcessStats]) -> ToolFailure {
        let wanted = [process.map { "process \"\($0)\"" }, store.map { "store \"\($0)\"" }].compactMap(\.self)
        let labels = StoreLabels(stores)
        let names = stores.map { store == nil ? "\(Printable.text($0.name))[\($0.pid)]" : labels.full($0) }
        let all = Array(Set(names)).sorted()
        let near = NearName.find(process ?? store ?? "", among: all)
        let listed = near.isEmpty ? Array(all.prefix(10)) : near
        let there = all.isEmpty ? "No process is connected." : "There are: \(listed.joined(separator: ", "))"
        let more = all.count > listed.count ? " and \(all.count - listed.count) more" : ""
        return .usage("there is no \(Printable.text(wanted.joined(separator: " with "))).\n\(there)\(more)")
    }
}
