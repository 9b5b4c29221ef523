// SPDX-License-Identifier: MIT
// What holds of a registry, whatever it took in.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    import RerenderModel
    @testable import RerenderDaemon
    import RerenderToolBase
    import RerenderWire

    enum RegistryChecks {
        /// The sums are those of the parts, and nothing is larger than it may be.
        static func hold(_ registry: Registry, room: Int) throws {
            let processes = registry.processes
            let stores = processes.flatMap(\.stores)
            let bytes = processes.reduce(0) { $0 + $1.bytes }
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
            let answer = AnswerText(registry.plan(StatsQuery()), of: registry, isLines: false)
            var reader = ExportReader()
            // nil once more was counted than fits: nobody counts as far as that, and what a hostile app says is shown.
            var found = 0, sum: UInt64? = 0, most: UInt64 = 0
            func close() throws {
                try FuzzWire.hold(sum ?? 0 <= most, "the views have \(sum ?? 0) evaluations, their store \(most)")
            }
            do {
                while !answer.isDone {
                    for element in try reader.read(answer.piece(size: 4_096)) {
                        switch element {
                        case .process(let process):
                            try close()
                            found += 1
                            (sum, most) = (0, process.evaluations)
                        case .view(let view):
                            let next = sum.map { $0.addingReportingOverflow(view.count) }
                            sum = next.flatMap { $0.overflow ? nil : $0.partialValue }
                        }
                    }
                }
                try close()
                _ = try reader.end()
            } catch let failure as ToolFailure {
                throw FuzzFinding("the tool does not read the export: \(failure)")
            }
            try FuzzWire.hold(found == stores, "\(found) stores are exported of \(stores)")
        }
    }
#endif
