// SPDX-License-Identifier: MIT
// What holds of a registry, whatever it took in.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    import RerenderModel
    @testable import RerenderDaemon
    import RerenderShow
    import RerenderWire

    enum RegistryChecks {
        /// The sums are those of the parts, and nothing is larger than it may be.
        static func hold(_ registry: Registry, room: Int) throws {
            let processes = registry.processes
            let stores = processes.flatMap(\.stores)
            let bytes = stores.reduce(processes.reduce(0) { $0 + $1.bytes }) { $0 + $1.bytes }
            try FuzzWire.hold(registry.bytes == bytes, "\(registry.bytes) bytes are counted of \(bytes)")
            // Processes, and the texts of stores that change, take no room of others; both are bounded by themselves.
            let most = room + processes.count * 2_200 + stores.count * 7_200
            try FuzzWire.hold(bytes <= most, "\(bytes) bytes are over \(most)")
            try FuzzWire.hold(
                registry.storesBySerial.count == stores.count,
                "\(registry.storesBySerial.count) stores are found of \(stores.count)")
            for process in processes {
                try FuzzWire.hold(
                    process.viewCount <= WireLimits.keysPerProcess, "\(process.viewCount) views of a process")
                try FuzzWire.hold(process.stores.count <= WireLimits.storesPerProcess, "too many stores")
                try FuzzWire.hold(
                    process.connection.map { $0.process === process } ?? true, "a connection is of another process")
                try FuzzWire.hold(
                    process.endedAt == nil || process.connection == nil, "it has ended and is connected")
            }
            for store in stores {
                let sum = store.views.reduce(UInt64(0)) { $0 &+ $1.totals.count }
                try FuzzWire.hold(store.received == sum, "\(store.received) evaluations were received of \(sum)")
            }
            try export(of: registry, stores: stores.count)
        }

        /// The export is a document that the tool reads, with all stores and views in it.
        private static func export(of registry: Registry, stores: Int) throws {
            let answer = AnswerText(registry.plan(StatsQuery()), of: registry, isLines: true)
            let export: StatsExport
            do {
                var text = ExportText()
                while !answer.isDone { try text.add(answer.piece(size: 4_096)) }
                export = try text.end()
            } catch let failure as ToolFailure {
                throw FuzzFinding("the tool does not read the export: \(failure)")
            }
            for store in export.processes {
                // nil once more was counted than fits. No program counts as far; what a hostile app says is shown.
                let sum = store.views.reduce(UInt64(0) as UInt64?) { sum, view in
                    let next = sum?.addingReportingOverflow(view.count)
                    return next.flatMap { $0.overflow ? nil : $0.partialValue }
                }
                try FuzzWire.hold(
                    sum ?? 0 <= store.evaluations,
                    "the views have \(sum ?? 0) evaluations, their store \(store.evaluations)")
            }
            let found = export.processes.count
            try FuzzWire.hold(found == stores, "\(found) stores are exported of \(stores)")
        }
    }
#endif
