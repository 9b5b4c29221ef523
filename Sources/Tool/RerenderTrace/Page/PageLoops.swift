// SPDX-License-Identifier: MIT
// What main loops did and called, for the page: the sentences, the order and the figures of `stats`, and the slowest interactions.

internal import RerenderModel

extension ReportPage {
    /// Takes over what stores told of their main loops, with so many sources and handlers at most.
    mutating func takeLoops(_ stores: [ProcessStats], limit: Int, _ places: inout PageViews) {
        mainLoops = LoopNotes.lines(stores) + InteractionText.lines(stores).map { MangledNames.readable($0) }
        let all = SourceRow.all(stores)
        sources = all.prefix(limit).map { Source($0, process: places.place(ofProcess: $0.store.pid)) }
        moreSources = all.count - sources.count
    }
}

extension ReportPage.Source {
    fileprivate init(_ source: SourceRow, process: Int) {
        let (row, numbers) = (source.row, source.row.numbers)
        self.init(process: process, kind: row.kind.rawValue, name: source.name)
        (calls, longest) = (row.calls, numbers.longest)
        (processor, isShared) = (numbers.processor, numbers.isShared != 0)
        rate = source.rate.map { ReportPage.Figure(value: $0, text: RateText.cell($0)) }
        core = source.share.map { ReportPage.Figure(value: $0.percent, text: $0.text) }
        thread = row.thread.map { Printable.text($0) }
    }
}
