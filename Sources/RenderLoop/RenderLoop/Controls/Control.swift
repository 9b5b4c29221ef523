// SPDX-License-Identifier: MIT
// All controls share a label, a name for input, and a face that shows a value. A button is the simplest control.

/// A view that takes input; buttons, fields and switches are made of it.
package struct Control<Label: View>: PrimitiveView {
    /// By which scripts find the control; nil for one that is found by ``View/inputName(_:)`` alone.
    let title: String?
    /// Whether typed characters without a target may come here.
    let takesKeys: Bool
    /// What a renderer with controls of its own shows around the label; nil for the label alone.
    let face: ControlFace?
    let label: Label
    /// Takes an event, with the layer as it is laid out; false if it is not for this control.
    let receive: @MainActor (InputEvent, Layer) -> Bool

    /// Makes a view that hands input to `receive`.
    package init(
        title: String? = nil, takesKeys: Bool = false, face: ControlFace? = nil, label: Label,
        receive: @escaping @MainActor (InputEvent, Layer) -> Bool
    ) {
        self.title = title
        self.takesKeys = takesKeys
        self.face = face
        self.label = label
        self.receive = receive
    }

    package static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        ControlNode(view, in: context, content: { $0.label }) { view, layer in
            layer.layout = .joined(.center)
            if let face = view.face, layer.drawsControls { layer.content = .control(face) }
        }
    }
}

private final class ControlNode<Label: View>: LayerNode<Control<Label>, Label>, InputTarget {
    override func didMount() {
        super.didMount()
        loop.inputs.register(self, as: view.title, takesKeys: view.takesKeys)
    }

    override func willUnmount() { loop.inputs.remove(self, takesKeys: view.takesKeys) }

    override func viewDidChange(from old: Control<Label>) {
        super.viewDidChange(from: old)
        if old.title != view.title { loop.inputs.rename(self, to: view.title) }
    }

    func receive(_ event: InputEvent) -> Bool {
        guard view.receive(event, layer) else { return false }
        switch event.kind {
        case .tap where view.takesKeys: loop.inputs.focused = self
        case .began: loop.inputs.captured = self
        default: break
        }
        return true
    }
}

/// Gives a view a name by which input finds it.
package struct InputNameModifier: PrimitiveModifier {
    let name: String

    /// A node that passes input on to the first view in it that takes it.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        NameNode(view, in: context) { $0.content }
    }

    private final class NameNode<Content: View>: ModifierNode<InputNameModifier, Content>, InputTarget {
        override func didMount() {
            loop.inputs.register(self, as: view.modifier.name)
            super.didMount()
        }

        override func viewDidChange(from old: ModifiedContent<Content, InputNameModifier>) {
            if old.modifier.name != view.modifier.name { loop.inputs.rename(self, to: view.modifier.name) }
            super.viewDidChange(from: old)
        }

        override func willUnmount() { loop.inputs.remove(self) }

        /// The name is for the views in it, which are offered the event, too.
        func receive(_ event: InputEvent) -> Bool { false }
    }
}

extension View {
    /// Gives the view a name, by which scripts and tests find it.
    public func inputName(_ name: String) -> some View {
        modifier(InputNameModifier(name: name))
    }
}

/// A control's value: as the renderer's own control, or as characters where it has none.
struct FaceView: LayerView {
    let face: ControlFace
    let characters: String

    /// The layer shows one of both.
    func configure(_ layer: Layer) { layer.content = layer.drawsControls ? .control(face) : .text(characters) }
}

/// A label that runs an action when it is tapped.
public struct Button<Label: View>: WrapperContent {
    let label: Label
    let title: String?
    let action: @MainActor () -> Void

    /// Makes a button; a script finds it by ``View/inputName(_:)``.
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.label = label()
        title = nil
        self.action = action
    }

    var content: some View {
        Control(title: title, face: .button, label: label) { event, _ in
            guard event.kind == .tap else { return false }
            action()
            return true
        }
    }
}

extension Button where Label == Text {
    /// Makes a button with a text, by which a script finds it.
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
        label = Text(title)
        self.title = String(title)
        self.action = action
    }
}

// The controls that show a value: a field for a line of text, and a slider for a number in a range.

/// A line of text that the user edits: at its end, or anywhere in a field that a renderer has.
///
/// It reads the text itself: a view that only passes a binding on does not depend on it. A tap gives it the focus, so
/// that typed characters come here; without one the field that appeared first has it. Scripts find it by its title.
/// Shown as `[text_]`, with the title in place of an empty text.
public struct TextField: View {
    /// What deletes the last character: backspace, and delete as terminals send it.
    public nonisolated static let deletions: Set<Character> = ["\u{8}", "\u{7F}"]

    private let title: String
    @Binding private var text: String

    /// Makes a field for a text.
    public init(_ title: some StringProtocol, text: Binding<String>) {
        self.title = String(title)
        _text = text
    }

    /// The text between brackets.
    public var body: some View {
        let characters = text.isEmpty ? "[_\(title)]" : "[\(text)_]"
        Control(
            title: title, takesKeys: true, label: FaceView(face: .field(text, title: title), characters: characters)
        ) { event, _ in
            receive(event)
        }
    }

    private func receive(_ event: InputEvent) -> Bool {
        switch event.kind {
        case .tap: return true
        case .key(let character) where Self.deletions.contains(character):
            if !text.isEmpty { text.removeLast() }
        case .key(let character) where character.isPrinted: text.append(character)
        case .text(let edited): text = edited.filter(\.isPrinted)
        default: return false
        }
        return true
    }
}

extension Character {
    /// Whether it belongs in a line of text; what would end the line or command a terminal does not.
    fileprivate var isPrinted: Bool {
        !isNewline && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// A knob on a track of eleven cells, `---O-------`.
///
/// It reads the value itself, as a ``TextField`` does. It takes a value from 0 to 1 for the whole range, and drags: the
/// knob goes where the drag begins and follows it until its end, outside of the track too. Scripts find it by
/// ``View/inputName(_:)``.
public struct Slider: View {
    private static let cells = 11

    @Binding private var value: Double
    private let bounds: ClosedRange<Double>
    private let step: Double

    /// Makes a slider. Its values are the bounds and those that are whole steps from the lower one; a step of 0 or less
    /// allows all values.
    public init<Value: BinaryFloatingPoint>(
        value: Binding<Value>, in bounds: ClosedRange<Value> = 0...1, step: Value.Stride = 0
    ) where Value.Stride: BinaryFloatingPoint {
        _value = value.asDouble
        self.bounds = Double(bounds.lowerBound)...Double(bounds.upperBound)
        self.step = Double(step)
    }

    /// The track and the knob.
    public var body: some View {
        Control(title: nil, label: FaceView(face: .slider(fraction), characters: track)) { event, layer in
            receive(event, layer)
        }
    }

    private var track: String {
        let knob = Int((fraction * Double(Self.cells - 1)).rounded())
        return String(repeating: "-", count: knob) + "O" + String(repeating: "-", count: Self.cells - 1 - knob)
    }

    /// Where the value is in its range. A value outside of it, or none at all, is at an end.
    private var fraction: Double {
        let length = bounds.upperBound - bounds.lowerBound
        guard length > 0, value > bounds.lowerBound else { return 0 }
        return min(1, (value - bounds.lowerBound) / length)
    }

    private func receive(_ event: InputEvent, _ layer: Layer) -> Bool {
        switch event.kind {
        case .value(let fraction): set(fraction)
        case .began, .moved, .ended:
            set(Double(event.latest.location.x - layer.screenFrame.origin.x) / Double(Self.cells - 1))
        case .tap, .key, .text, .scrolled: return false
        }
        return true
    }

    private func set(_ fraction: Double) {
        guard !fraction.isNaN else { return }
        let length = bounds.upperBound - bounds.lowerBound
        // A range without an end has no part that could be meant.
        guard length.isFinite else { return }
        let wanted = min(max(fraction, 0), 1) * length
        var distance = min(stepped(wanted), length)
        if length - wanted < abs(distance - wanted) { distance = length }
        value = distance < length ? bounds.lowerBound + distance : bounds.upperBound
    }

    /// The nearest multiple of the step; its own are too close to be counted where the step is next to nothing.
    private func stepped(_ wanted: Double) -> Double {
        guard step > 0 else { return wanted }
        let steps = (wanted / step).rounded()
        guard steps > 0 else { return 0 }
        return steps.isFinite ? steps * step : wanted
    }
}

@MainActor
extension Binding where Value: BinaryFloatingPoint {
    /// By a key path, so that two of the same value are the same input.
    fileprivate var asDouble: Binding<Double> { self[dynamicMember: \.asDouble] }
}

extension BinaryFloatingPoint {
    fileprivate var asDouble: Double {
        get { Double(self) }
        set { self = Self(newValue) }
    }
}
