// SPDX-License-Identifier: MIT
// One widget of GTK's, and what it was told last.

#if RERENDER_GTK
    import CRerenderGTK

    /// A widget on a canvas. GTK is told only what is other than before, so that nothing draws again without need.
    ///
    /// Proof of the unsafe parts: the pointer is a widget that its canvas keeps until ``remove()``, and nothing is done with it
    /// after that; texts and structures are lent for each call. All of it is on the main actor, which GTK runs on.
    @MainActor
    @safe
    final class ScreenWidget {
        enum Kind: Hashable {
            case canvas, label, entry, scale, button
        }

        private struct Label: Equatable {
            let text: String
            let look: ScreenLook
            let isCentred: Bool
        }

        let kind: Kind
        /// Names it in input.
        let number: UInt64
        /// The commit in which it was shown last.
        var commit: UInt64 = 0
        /// Whether the user has done something with it of which the loop has not told yet what came of it.
        var isAhead = false
        private let widget: UnsafeMutableRawPointer
        private var place: (rect: PixelRect, canvas: ObjectIdentifier, after: ObjectIdentifier?)?
        /// The widgets in it: the commit that they are placed for, and the last of them.
        private var placed: (commit: UInt64, last: ScreenWidget?) = (0, nil)
        private var label: Label?
        private var paint: CanvasPaint?
        private var face: ControlFace?
        private var opacity: Float = 1

        /// Makes a widget; the number names it in input.
        init(_ kind: Kind, number: UInt64) {
            (self.kind, self.number) = (kind, number)
            unsafe widget = unsafe Self.make(kind, number)
        }

        private static func make(_ kind: Kind, _ number: UInt64) -> UnsafeMutableRawPointer {
            switch kind {
            case .canvas: unsafe render_loop_make_canvas()
            case .label: unsafe render_loop_make_label()
            case .entry: unsafe render_loop_make_entry(number)
            case .scale: unsafe render_loop_make_scale(number)
            case .button: unsafe render_loop_make_button(number)
            }
        }

        private init(canvas: UnsafeMutableRawPointer) {
            (kind, number) = (.canvas, 0)
            unsafe widget = unsafe canvas
        }

        static var windowCanvas: ScreenWidget { unsafe ScreenWidget(canvas: render_loop_canvas()) }

        private(set) lazy var content = unsafe ScreenWidget(canvas: render_loop_button_canvas(widget))

        /// Puts a widget in front of those that were placed in this one for the same commit.
        func add(_ child: ScreenWidget, at rect: PixelRect, in commit: UInt64) {
            if placed.commit != commit { placed = (commit, nil) }
            let after = placed.last
            placed.last = child
            let (canvas, before) = (ObjectIdentifier(self), after.map { ObjectIdentifier($0) })
            if let known = child.place, known == (rect, canvas, before) { return }
            child.place = (rect, canvas, before)
            unsafe render_loop_place(
                widget, child.widget, after.map { unsafe $0.widget }, Int32(rect.x), Int32(rect.y), Int32(rect.width),
                Int32(rect.height))
        }

        /// Takes it out of its canvas. Nothing may be done with it after that.
        func remove() { unsafe render_loop_remove(widget) }

        // MARK: What it shows

        func show(_ text: String, _ look: ScreenLook, isCentred: Bool) {
            let wanted = Label(text: text, look: look, isCentred: isCentred)
            guard wanted != label else { return }
            label = wanted
            var native = look.native
            unsafe render_loop_set_label(widget, text, &native, isCentred)
        }

        func show(_ wanted: CanvasPaint) {
            guard wanted != paint else { return }
            paint = wanted
            var native = wanted.native
            unsafe render_loop_paint(widget, &native)
        }

        /// Shows the value of a control; of one that the user is ahead with, what the user did stays until then.
        func show(_ wanted: ControlFace) {
            guard !isAhead, wanted != face else { return }
            face = wanted
            switch wanted {
            case .field(let text, let title): unsafe render_loop_set_text(widget, text, title)
            case .slider(let value): unsafe render_loop_set_value(widget, value)
            case .button: break
            }
        }

        /// The user did something: what is shown is no longer what was told last.
        func takeInput() {
            isAhead = true
            face = nil
        }

        func setOpacity(_ wanted: Float) {
            guard wanted != opacity else { return }
            opacity = wanted
            unsafe render_loop_set_opacity(widget, wanted)
        }

        func setSize(_ width: Int, _ height: Int) { unsafe render_loop_set_size(widget, Int32(width), Int32(height)) }

        func setName(_ name: String) { unsafe render_loop_set_name(widget, name) }
    }

    struct CanvasPaint: Hashable {
        var fill: [Float] = [0, 0, 0, 0]
        var border: [Float] = [0, 0, 0, 0]
        var line: Float = 0
        var clips = false
        var letsClicksThrough = false

        var native: render_loop_paint {
            render_loop_paint(
                fill: (fill[0], fill[1], fill[2], fill[3]), border: (border[0], border[1], border[2], border[3]),
                line: line, clips: clips, lets_clicks_through: letsClicksThrough)
        }
    }

    // How large character cells are in a window, and what takes how many of them.

    /// A rectangle in pixels.
    struct PixelRect: Hashable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int

        /// The rectangle, smaller by so much on each side; larger where that is negative.
        func inset(_ horizontally: Int, _ vertically: Int) -> PixelRect {
            PixelRect(
                x: x + horizontally, y: y + vertically, width: max(0, width - 2 * horizontally),
                height: max(0, height - 2 * vertically))
        }
    }

    /// The cells of a window: about a digit wide, and as high as a control, so that texts beside controls are level with them.
    enum Grid {
        static let width = 8
        static let height = 38
        /// What a text may be higher than its cells: the distance of lines.
        private static let slack = 6
        /// No window has more; sums of it are still numbers of GTK's.
        private static let most = 1 << 20

        static func rect(_ cells: CellRect) -> PixelRect {
            PixelRect(
                x: pixels(cells.origin.x, width), y: pixels(cells.origin.y, height),
                width: pixels(cells.size.width, width), height: pixels(cells.size.height, height))
        }

        private static func pixels(_ cells: Int, _ size: Int) -> Int { min(max(cells, -most), most) * size }

        /// The whole cells that are in so many pixels.
        static func size(inWidth width: Int, height: Int) -> CellSize {
            CellSize(width: width / Self.width, height: height / Self.height)
        }

        /// The cells that a text of so many pixels takes.
        static func size(aroundWidth width: Int, height: Int) -> CellSize {
            CellSize(
                width: (width + Self.width - 1) / Self.width,
                height: max(1, (height - slack + Self.height - 1) / Self.height))
        }

        static func point(x: Double, y: Double) -> CellPoint {
            func cell(_ place: Double, _ size: Int) -> Int {
                place.isFinite ? Int((min(max(place, 0), Double(most)) / Double(size)).rounded(.down)) : 0
            }
            return CellPoint(x: cell(x, width), y: cell(y, height))
        }
    }

    /// Sizes by GTK's fonts, in cells of the grid.
    @MainActor
    package final class GridMetrics: LayerMetrics {
        private static let fieldWidth = 32
        /// GTK's own distance of a button's label from its edge, on both sides.
        private static let buttonEdges = 4

        /// Makes metrics; the window has to be there.
        package init() {}

        /// Proof: the numbers are lent for the call.
        package func size(of text: String, _ look: TextLook) -> CellSize {
            var native = look.native
            var (width, height) = (Int32(0), Int32(0))
            unsafe render_loop_measure(text, &native, &width, &height)
            return text.isEmpty
                ? CellSize(width: 0, height: 1) : Grid.size(aroundWidth: Int(width), height: Int(height))
        }

        package func size(of face: ControlFace, label: CellSize) -> CellSize {
            switch face {
            case .button: CellSize(width: label.width + Self.buttonEdges, height: label.height)
            case .field, .slider: CellSize(width: Self.fieldWidth, height: 1)
            }
        }
    }
#endif
