// SPDX-License-Identifier: MIT
// A file that the tool answers for as a daemon would: an export that was saved, which may say anything.

#if DEBUG || RERENDER_FUZZ
    import FoundationEssentials
    import FuzzWire
    import Glibc
    import RerenderModel
    import RerenderShow

    extension FuzzTarget {
        /// The first four bytes say what is asked for; the rest are the file.
        static let saved = FuzzTarget(
            "saved", longest: 8_192, head: 4,
            reading: { bytes in
                let file = SavedUnderTest.shared
                try file.write(bytes.dropFirst(4))
                guard let export = try? ExportFile(path: file.path).read() else { return false }
                // What stands beside the processes is found without looking at them, too.
                let beside = try? ExportFile(path: file.path).head()
                try hold(
                    beside?.run == export.run && beside?.generatedAt == export.generatedAt,
                    "\(String(describing: beside)) beside \(export)")
                var input = FuzzBytes(Array(bytes.prefix(4)))
                try SavedAnswers(of: export).check(&input)
                return true
            })
    }

    /// A file without a name, which a path leads to.
    private struct SavedUnderTest: Sendable {
        static let shared = SavedUnderTest()

        private let descriptor: CInt

        init() {
            var name = Array("/tmp/rerender-saved-XXXXXX".utf8CString)
            descriptor = mkstemp(&name)
            unlink(name)
        }

        var path: String { "/proc/self/fd/\(descriptor)" }

        func write(_ bytes: ArraySlice<UInt8>) throws {
            let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
            try hold(count == bytes.count && ftruncate(descriptor, off_t(count)) == 0, "the file cannot be written")
        }
    }

    /// What is answered for an export.
    private struct SavedAnswers {
        private let export: StatsExport
        private let client: SavedClient

        init(of export: StatsExport) {
            self.export = export
            client = SavedClient(export, hangs: export.run?.hangs, shownName: "file") {
                VerdictBuilder.verdict(of: $0, .ended)
            }
        }

        func check(_ input: inout FuzzBytes) throws {
            let (form, order, limit, skip) = (input.byte(), input.byte(), input.byte(), input.byte())
            switch form & 3 {
            case 0: try stats(form, StatsOrder.allCases[Int(order) % StatsOrder.allCases.count], Int(limit), Int(skip))
            case 1: try processes()
            case 2: try hangs(form, Int(limit))
            default: _ = try? client.health()
            }
        }

        /// The answer is an export itself, of the views that were asked for.
        private func stats(_ form: UInt8, _ order: StatsOrder, _ limit: Int, _ skip: Int) throws {
            let isLimited = form & 4 != 0
            let process = form & 8 != 0 ? export.processes.first?.name : nil
            let match = form & 16 != 0 ? "a" : nil
            var query = StatsQuery(order, limit: isLimited ? limit : nil, process: process)
            (query.skip, query.match, query.isReversed) = (skip, match, form & 32 != 0)
            let answer = try client.export(query)
            let (stores, views) = (answer.processes.count, answer.processes.reduce(0) { $0 + $1.views.count })
            let there = export.processes.filter { process == nil || $0.name == process || String($0.pid) == process }
            let all = there.reduce(0) { $0 + $1.views.count }
            try hold(stores == there.count, "\(stores) stores of \(there.count)")
            try hold(views <= (isLimited ? min(limit, all) : all), "\(views) views of \(all)")
            try hold(isLimited || match != nil || views == all, "\(views) views of \(all)")
            let matching = answer.matchingViews
            try hold((matching != nil) == isLimited, "\(String(describing: matching)) views match")
        }

        private func processes() throws {
            let found = client.processes()
            try hold(found == export.processes.map { $0.with(views: []) }, "other processes: \(found)")
        }

        /// They are those of the file, at most as many as were asked for.
        private func hangs(_ form: UInt8, _ limit: Int) throws {
            let since = form & 4 != 0 ? export.generatedAt : nil
            guard let all = export.run?.hangs else { return }
            let list = try client.hangs(HangsQuery(since: since, limit: limit))
            try hold(list.hangs.count <= limit, "\(list.hangs.count) hangs, at most \(limit)")
            let isSame = list.hangs.map(\.id) == all.prefix(limit).map(\.id)
            try hold(since != nil || isSame, "other hangs: \(list)")
        }
    }
#endif
