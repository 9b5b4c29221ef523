// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("Rows that say nothing of their own")
struct FoldedRowsTests {
    private static func view(_ key: ViewKey, _ reasons: (String, UInt64)...) -> Stats {
        let counts = reasons.map { Sample.reason($0.0, $0.1) }
        return Sample.view(key, count: counts.reduce(0) { $0 + $1.count }, average: 1_000, reasons: counts)
    }

    private static func folded(_ views: [Stats], kind: StoreKind = .widgets) -> FoldedRows {
        FoldedRows(StatsOrder.cost.ranked([Sample.store(kind: kind, views: views)]))
    }

    private static let calendar = [
        view("Window", ("child Leaflet", 1_489), ("initial", 2)),
        view("Leaflet", ("child Stack", 1_400), ("child Label", 91)),
        view("Stack", ("layout", 1_490), ("initial", 1)), view("Label", ("property label", 90)),
        view("Inner", ("parent: Stack", 20)),
    ]

    @Test("are folded under the row that has the cause, over several steps, and counted there")
    func passing() {
        let folded = Self.folded(Self.calendar)
        #expect(folded.rows.map(\.view.key) == ["Stack", "Label"])
        #expect(folded.rows.map(\.folded) == [" (+2 parents, +1 child)", ""])
        #expect(folded.hidden.map(\.view.key).sorted() == ["Inner", "Leaflet", "Window"])
        #expect(
            folded.line(isWhole: true, how: "--all")
                == "… 3 widgets only pass on what others caused; --all shows them")
        #expect(folded.line(isWhole: false, how: "a")?.hasPrefix("… at least 3 widgets only pass on") == true)
    }

    @Test("those that were evaluated once are one line, from two on")
    func once() {
        let icons = (0..<3).map { Self.view(ViewKey(rawValue: "Icon \($0)"), ("initial", 4)) }
        let folded = Self.folded(Self.calendar + icons)
        #expect(folded.rows.map(\.view.key) == ["Stack", "Label"] && folded.hidden.count == 6)
        #expect(
            folded.line(isWhole: true, how: "--all")
                == "… 3 widgets only pass on what others caused and 3 were drawn once; --all shows them")
        let views = Self.folded([Self.view("Clock", ("tick", 9))] + icons, kind: .views)
        #expect(views.line(isWhole: true, how: "--all") == "… 3 views were evaluated once; --all shows them")
        let single = Self.folded([Self.view("Clock", ("tick", 9)), icons[0]])
        #expect(single.rows.count == 2 && single.line(isWhole: true, how: "--all") == nil)
        #expect(Self.folded(icons).rows.count == 3, "nothing would be left")
    }

    @Test("a row that one passes on for stays, though it was evaluated once")
    func root() {
        let folded = Self.folded([
            Self.view("New", ("initial", 1)), Self.view("Box", ("child New", 1)), Self.view("Other", ("initial", 1)),
            Self.view("Third", ("initial", 1)),
        ])
        #expect(folded.rows.map(\.view.key) == ["New"] && folded.rows[0].folded == " (+1 parent)")
        #expect(folded.hidden.map(\.view.key).sorted() == ["Box", "Other", "Third"])
    }

    @Test(
        "widgets that drew for one widget and others stand under that one; a part in a folded widget stands under none")
    func others() {
        let folded = Self.folded([
            Self.view("Row/GtkLabel#size", ("property visible", 9), ("initial", 1)),
            Self.view("Row#Row", ("child Row/GtkLabel#size and others", 9), ("initial", 2)),
            Self.view("Window/AdwGizmo", ("child Row/GtkLabel#size", 3), ("child Row/GtkLabel#size and others", 6)),
            Self.view("Row/trough", ("layout for Row/GtkGrid#grid", 3), ("initial", 1)),
        ])
        #expect(folded.rows.map(\.view.key) == ["Row/GtkLabel#size"])
        #expect(folded.rows[0].folded == " (+2 parents)" && folded.hidden.count == 3)
        #expect(
            folded.line(isWhole: true, how: "--all")
                == "… 2 widgets only pass on what others caused and 1 was drawn for a layout or a state; --all shows them"
        )
    }

    private static let calculator = [
        view("Window#main", ("property default-height", 1), ("child Window/GtkEntry#display", 150)),
        view("Window/GtkEntry#display", ("tick", 159), ("initial", 1)),
        view(
            "Window/GtkBox", ("child Window/GtkEntry#display", 316), ("style", 5), ("state hover", 2), ("initial", 6)),
        view("Window/GtkButton", ("child Window/GtkImage", 3), ("initial", 3)),
        view("Window/GtkLabel#clock", ("layout", 300)),
    ]

    @Test("what GTK drew a few times by itself stands under the widget of the program, unless it costs or goes on")
    func parts() {
        var image = Self.view("Window/GtkImage", ("layout", 5), ("initial", 5))
        let folded = Self.folded(Self.calculator + [image])
        #expect(folded.rows.map(\.view.key) == ["Window/GtkLabel#clock", "Window/GtkEntry#display", "Window#main"])
        #expect(folded.rows.map(\.folded) == ["", " (+1 parent)", " (+1 parent, +1 part)"])
        #expect(
            folded.line(isWhole: true, how: "--all")
                == "… 2 widgets pass on what others caused and 1 was drawn for a layout or a state; --all shows them")
        image.body.totalNanoseconds = 4_000_000
        let costly = Self.folded(Self.calculator + [image])
        #expect(costly.rows.map(\.view.key).first == "Window/GtkImage" && costly.rows[0].folded == " (+1 parent)")
        image.body.totalNanoseconds = 1_000
        image.reasons.append(Sample.reason("queue_draw", 1))
        #expect(Self.folded(Self.calculator + [image]).rows.contains { $0.view.key == "Window/GtkImage" })
        // A view of another framework may have such a key, and is no widget.
        let row = Self.view("Window/GtkImage", ("layout", 5))
        #expect(Self.folded(Self.calculator + [row], kind: .views).rows.contains { $0.view.key == "Window/GtkImage" })
    }

    @Test("stay where they have a cause of their own, a finding, a hang, or a waste that their author can end")
    func kept() {
        func rows(_ change: (inout Stats) -> Void) -> [ViewKey] {
            var row = Self.view("Row", ("parent: Stack", 20))
            change(&row)
            return Self.folded(Self.calendar + [row], kind: .views).rows.map(\.view.key)
        }
        #expect(!rows { _ in }.contains("Row"))
        #expect(rows { $0.reasons.append(Sample.reason("tick", 1)) }.contains("Row"))
        #expect(rows { $0.reasons.append(Sample.reason(Reason.other, 1)) }.contains("Row"))
        #expect(rows { $0.wasted.count = 20 }.contains("Row"))
        #expect(rows { $0.hangs.add(nanoseconds: 300_000_000) }.contains("Row"))
        #expect(rows { $0.reasons = [Sample.reason("parent: Nowhere", 20)] }.contains("Row"))
        // Rows that pass on to each other have no cause among them.
        let ring = Self.folded([
            Self.view("A", ("child B", 3)), Self.view("B", ("child A", 3)), Self.view("C", ("child C", 3)),
        ])
        #expect(ring.rows.count == 3)
    }

    @Test("the table says how many are folded under a row and below it, and --all shows them")
    func table() {
        var screen = StatsScreen(
            export: Sample.export([Sample.store(kind: .widgets, views: Self.calendar)]), health: nil, order: .cost,
            limit: nil)
        func lines() -> [String] { screen.lines(width: 100, colours: false) }
        #expect(
            lines().contains { $0.hasPrefix("Stack") && $0.hasSuffix("  layout 99% (+2 parents, +1 child)") },
            "\(lines())")
        #expect(lines().contains("… 3 widgets only pass on what others caused; --all shows them"))
        #expect(!lines().contains { $0.hasPrefix("Window") })
        screen.showsAll = true
        #expect(lines().contains { $0.hasPrefix("Window") } && !lines().joined().contains("--all"))
        #expect(!lines().joined().contains("+2 parents"))
    }

    @Test("where not all views are known, the line says so, and the limit counts rows that are shown")
    func part() {
        var screen = StatsScreen(
            export: Sample.export([Sample.store(kind: .widgets, views: Self.calendar)]), health: nil, order: .cost,
            limit: 1, total: 90)
        let lines = screen.lines(width: 100, colours: false)
        #expect(lines.contains("… 1 of 87 widgets shown; --limit all shows every widget"), "\(lines)")
        #expect(lines.contains("… at least 3 widgets only pass on what others caused; --all shows them"))
        screen.total = nil
        #expect(
            screen.lines(width: 100, colours: false).contains("… 1 of 2 widgets shown; --limit all shows every widget"))
    }
}
