// SPDX-License-Identifier: MIT
// Phases and event handlers of widgets, and frames of windows, as the C part tells of them.

import CRerenderGTK
@_spi(Bridge) import Rerender
import RerenderModel

#if RERENDER_PROBES && RERENDER_GTK
    /// Callbacks beside those of runs. On GTK's thread alone.
    ///
    /// Proof of the unsafe parts: a phase or handler is one that was returned here, which its view or the counter keeps; the memory of
    /// a span is the C part's, which ends it before it leaves the function that has it; a frame lives for the call.
    enum WidgetPhases {
        static func fill(_ callbacks: inout crerender_gtk_callbacks) {
            precondition(InjectedSpan.byteCount <= MemoryLayout<crerender_gtk_span>.size)
            unsafe fillSpans(&callbacks)
            unsafe fillForgotten(&callbacks)
            unsafe fillFrames(&callbacks)
            unsafe fillSteps(&callbacks)
            unsafe WidgetLoop.fill(&callbacks)
            unsafe callbacks.input = { _ in RerenderStore.noteInput() }
        }

        private static func fillSpans(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.phase = { view, phase in
                guard let view = unsafe view else { return nil }
                return unsafe Unmanaged<WidgetView>.fromOpaque(view)._withUnsafeGuaranteedRef {
                    unsafe WidgetPhases.pointer($0.span(phase))
                }
            }
            unsafe callbacks.handler = { context, view, name in
                guard let name = unsafe name else { return nil }
                let counted = unsafe view.map {
                    unsafe Unmanaged<WidgetView>.fromOpaque($0).takeUnretainedValue().counted
                }
                // Widgets without room share a view, whose name is that of one of them.
                let key = counted.flatMap { $0.hasRoom ? $0.label : nil }
                let handler = unsafe String(cString: name)
                return unsafe WidgetCounter.with(context) { unsafe WidgetPhases.pointer($0.handler(handler, of: key)) }
                    ?? nil
            }
            unsafe callbacks.span_began = { phase, span in
                guard let phase = unsafe phase, let span = unsafe span else { return 0 }
                return unsafe Unmanaged<InjectedSpan>.fromOpaque(phase)._withUnsafeGuaranteedRef {
                    unsafe $0.begin(in: UnsafeMutableRawPointer(span))
                }
            }
            unsafe callbacks.span_ended = { phase, span in
                guard let phase = unsafe phase, let span = unsafe span else { return 0 }
                return unsafe Unmanaged<InjectedSpan>.fromOpaque(phase)._withUnsafeGuaranteedRef {
                    unsafe $0.end(in: UnsafeMutableRawPointer(span))
                }
            }
        }

        private static func fillSteps(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.step = { view, instance, isLayout, previous, writer, outside in
                guard let view = unsafe view else { return nil }
                return unsafe Unmanaged<WidgetView>.fromOpaque(view)._withUnsafeGuaranteedRef {
                    unsafe $0.counted.step(
                        instance: instance, isLayout: isLayout, after: previous, writer: UInt(writer), outside: outside)
                }
            }
            unsafe callbacks.queued_step = { unsafe InjectedStep.overIdleFunction($0) }
            unsafe callbacks.idle_added = { InjectedLoop.idleAdded(returningTo: UInt($0)) }
            unsafe InjectedStep.follow { unsafe crerender_gtk_source_step() }
            unsafe callbacks.keep_step = { if let step = unsafe $0 { unsafe InjectedStep.keep(step) } }
            unsafe callbacks.forget_step = { if let step = unsafe $0 { unsafe InjectedStep.forget(step) } }
        }

        private static func fillForgotten(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.span_forgotten = { span in
                if let span = unsafe span { unsafe InjectedSpan.forget(in: UnsafeMutableRawPointer(span)) }
            }
        }

        private static func fillFrames(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.frame_began = { context in
                unsafe WidgetCounter.with(context) { $0.store?.frameBegan() ?? 0 } ?? 0
            }
            unsafe callbacks.frame_ended = { context, frame in
                guard let told = unsafe frame?.pointee else { return }
                unsafe WidgetCounter.with(context) { $0.store?.frameEnded(told.number, MeasuredFrame(told)) }
            }
            unsafe callbacks.frame_presented = { context, nanoseconds in
                unsafe WidgetCounter.with(context) { $0.store?.framePresented(nanoseconds: nanoseconds) }
            }
        }

        fileprivate static func pointer(_ span: InjectedSpan?) -> UnsafeMutableRawPointer? {
            unsafe span.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        }
    }

    extension MeasuredFrame {
        fileprivate init(_ frame: crerender_gtk_frame) {
            self.init(
                update: frame.update, layout: frame.layout, snapshot: frame.snapshot, drawing: frame.drawing,
                interval: frame.interval, isIntervalTold: frame.is_interval_told)
            (processor, isSame, isEarly) = (frame.processor, frame.is_same, frame.is_early)
        }
    }
#endif
