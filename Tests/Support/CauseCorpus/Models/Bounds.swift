// SPDX-License-Identifier: MIT
// More models, causes and reports than a reason names, and than older versions kept.

import Observation
import Rerender

private func total(_ view: One<[Ticker]>) -> Int { view.value.reduce(0) { $0 + $1.tick } }

extension Case {
    static let bounds = CaseList.make("bounds") { list in
        for count in [15, 16, 17, 40, 255, 256, 257, 300] {
            list.one("\(count) models of a list, each written once") { recorder in
                let view = One(value: (0..<count).map { _ in Ticker() })
                recorder.evaluate("View", view, is: .initial, body: total)
                var place: Place?
                for ticker in view.value { place = advance(ticker) }
                recorder.evaluate(
                    "View", view, is: .wrote("value[].tick", place, lesser: "Ticker.tick (1 or more of \(count))"),
                    body: total)
            }
        }
        for count in [7, 8, 9, 16, 17, 20, 32] {
            list.one("\(count) causes that are announced") { recorder in
                let view = One(value: "a")
                recorder.evaluate(view, is: .initial)
                for number in 0..<count { recorder.store.invalidate("View", cause: "cause \(number)", writer: "w") }
                let named = (0..<min(count, 8)).map { "cause \($0)" } + (count > 8 ? ["+\(count - 8)"] : [])
                recorder.evaluate(view, is: .announced(named.joined(separator: ", "), by: "w"))
            }
        }
        for count in [15, 16, 17, 32, 256] {
            for index in [0, count - 1] {
                list.one("\(count) reports of reads, as of rows, and number \(index) is written") { recorder in
                    let view = One(value: "a"), tickers = (0..<count).map { _ in Ticker() }
                    recorder.evaluate(view, isDescribed: false, is: .initial)
                    for ticker in tickers { recorder.store.reading("View") { _ = ticker.tick } }
                    let place = advance(tickers[index])
                    recorder.evaluate(view, isDescribed: false, is: .wrote("Ticker.tick", place))
                    withExtendedLifetime(tickers) {}
                }
            }
        }
        list.one("more reports of reads than are kept, and the first is written") { recorder in
            let view = One(value: "a"), tickers = (0..<300).map { _ in Ticker() }
            recorder.evaluate(view, isDescribed: false, is: .initial)
            for ticker in tickers { recorder.store.reading("View") { _ = ticker.tick } }
            _ = advance(tickers[0])
            recorder.evaluate(view, isDescribed: false, is: .open)
            withExtendedLifetime(tickers) {}
        }
    }
}
