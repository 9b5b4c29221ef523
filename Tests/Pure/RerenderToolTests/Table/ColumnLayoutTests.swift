// SPDX-License-Identifier: MIT
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("Columns are chosen for the width")
struct ColumnLayoutTests {
    private let key = ColumnLayout.Column(
        rank: 0, .essential, natural: 50, minimum: 10, readable: 15, comfortable: 20)
    private let count = ColumnLayout.Column(rank: 1, .essential, natural: 5)
    private let extra = ColumnLayout.Column(rank: 2, .extra, natural: 5)

    @Test("an essential column squeezes the text, an optional one waits until the text is comfortable")
    func order() {
        #expect(ColumnLayout.widths([key, count, extra], total: 17) == [10, 5, nil])
        #expect(ColumnLayout.widths([key, count, extra], total: 27) == [20, 5, nil])
        #expect(ColumnLayout.widths([key, count, extra], total: 33) == [26, 5, nil])
        #expect(ColumnLayout.widths([key, count, extra], total: 34) == [20, 5, 5])
        #expect(ColumnLayout.widths([key, count, extra], total: 200) == [50, 5, 5])
    }

    @Test("a useful column waits until the text is readable, and comes before an extra one")
    func useful() {
        let useful = ColumnLayout.Column(rank: 3, .useful, natural: 5)
        #expect(ColumnLayout.widths([key, extra, useful], total: 21) == [21, nil, nil])
        #expect(ColumnLayout.widths([key, extra, useful], total: 22) == [15, nil, 5])
        #expect(ColumnLayout.widths([key, extra, useful], total: 33) == [26, nil, 5])
        #expect(ColumnLayout.widths([key, extra, useful], total: 34) == [20, 5, 5])
    }

    @Test("what room there is goes to the text that is squeezed most, until all are readable")
    func fair() {
        let why = ColumnLayout.Column(
            rank: 1, .essential, natural: 50, minimum: 10, readable: 30, comfortable: 30)
        #expect(ColumnLayout.widths([key, why], total: 22) == [10, 10])
        #expect(ColumnLayout.widths([key, why], total: 32) == [10, 20])
        #expect(ColumnLayout.widths([key, why], total: 47) == [15, 30])
    }

    @Test("the first column stays whatever the width, cut to it")
    func tiny() {
        #expect(ColumnLayout.widths([key, count], total: 6) == [6, nil])
        #expect(ColumnLayout.widths([key, count], total: 0) == [1, nil])
        #expect(ColumnLayout.widths([], total: 80).isEmpty)
    }

    @Test("a text that is short needs no more than it has")
    func short() {
        let short = ColumnLayout.Column(
            rank: 0, .essential, natural: 4, minimum: 10, readable: 15, comfortable: 20)
        #expect(ColumnLayout.widths([short, count], total: 80) == [4, 5])
    }

    @Test("what is chosen never exceeds the width, for every width and many shapes")
    func fits() {
        let useful = ColumnLayout.Column(rank: 4, .useful, natural: 7)
        for natural in stride(from: 1, through: 60, by: 7) {
            for width in 12...120 {
                let text = ColumnLayout.Column(
                    rank: 3, .essential, natural: natural, minimum: 8, readable: 16, comfortable: 24)
                let widths = ColumnLayout.widths([key, text, count, extra, useful], total: width).compactMap(\.self)
                #expect(widths.reduce(0, +) + ColumnLayout.gap * (widths.count - 1) <= width)
                #expect(!widths.contains { $0 <= 0 })
            }
        }
    }
}
