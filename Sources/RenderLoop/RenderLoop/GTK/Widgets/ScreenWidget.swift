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
#endif
