// SPDX-License-Identifier: MIT
import RerenderShow
import Testing

@Suite("The unit of a column of durations")
struct DurationScaleTests {
    private static func texts(_ durations: UInt64...) -> [String] {
        let scale = DurationScale(durations)
        return durations.map { scale.text($0) }
    }

    @Test("is that of the longest, and all have as many decimals, so that a longer one looks longer")
    func aligned() {
        #expect(Self.texts(526, 14_300) == ["0.52µs", "14.30µs"])
        #expect(Self.texts(1_580, 2_310) == ["1.58µs", "2.31µs"])
        #expect(Self.texts(1_580, 23_540, 152_000) == ["1.5µs", "23.5µs", "152.0µs"])
        #expect(Self.texts(120_000, 152_000) == ["120µs", "152µs"])
        #expect(Self.texts(7, 812) == ["7ns", "812ns"])
        #expect(Self.texts(9_999, 999_999_999) == ["0.009ms", "999.999ms"], "cut, and not rounded into the next unit")
        #expect(Self.texts(75_000_000_000, 1_500_000_000) == ["75.0s", "1.5s"])
    }

    @Test("is the next smaller one where the shortest would have no figure")
    func smaller() {
        #expect(Self.texts(900, 133_000, 3_750_000) == ["0.90µs", "133.00µs", "3750.00µs"])
        #expect(Self.texts(7, 99_999) == ["0.007µs", "99.999µs"])
        #expect(Self.texts(900, 99_999_999) == ["0.90µs", "99999.99µs"])
        #expect(Self.texts(900, 100_000_000) == ["<0.001ms", "100.000ms"], "a longer one would have too many figures")
    }

    @Test("none is 0, and less than has a figure is said to be less, and not to be none")
    func little() {
        #expect(Self.texts(0, 5_000, 400_000_000) == ["0", "0.005ms", "400.000ms"])
        #expect(Self.texts(526, 400_000_000) == ["<0.001ms", "400.000ms"])
        #expect(Self.texts(0) == ["0"])
        #expect(Self.texts() == [])
        #expect(DurationScale([]).text(12) == "12ns")
    }

    @Test("no duration is too long for it")
    func longest() {
        #expect(Self.texts(.max) == ["18446744073s"])
        #expect(Self.texts(1_000_000, .max) == ["0.001s", "18446744073.709s"])
    }
}
