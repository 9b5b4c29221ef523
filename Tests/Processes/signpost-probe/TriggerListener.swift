// SPDX-License-Identifier: MIT
// `signpost-probe listen TRIGGER` prints what LTTng's trigger of that name captured, a line per notification. The `lttng` command
// cannot; liblttng-ctl can. Found by dlopen, so that the package builds without LTTng's headers.

import Glibc

/// What only liblttng-ctl can read.
private typealias Handle = UnsafeRawPointer
private typealias List = @convention(c) (UnsafeMutablePointer<Handle?>) -> CInt
private typealias Part = @convention(c) (Handle?) -> Handle?
private typealias PartInto = @convention(c) (Handle?, UnsafeMutablePointer<Handle?>) -> CInt
private typealias Element = @convention(c) (Handle?, CUnsignedInt) -> Handle?
private typealias ElementInto = @convention(c) (Handle?, CUnsignedInt, UnsafeMutablePointer<Handle?>) -> CInt
private typealias Count = @convention(c) (Handle?, UnsafeMutablePointer<CUnsignedInt>) -> CInt
private typealias Number = @convention(c) (Handle?, UnsafeMutablePointer<UInt64>) -> CInt
private typealias Text = @convention(c) (Handle?, UnsafeMutablePointer<UnsafePointer<CChar>?>) -> CInt
private typealias Subscribe = @convention(c) (Handle?, Handle?) -> CInt

/// liblttng-ctl, by the names of its functions.
private struct ControlLibrary {
    struct Missing: Error { let name: String }

    private let library: UnsafeMutableRawPointer

    init() throws {
        guard let library = dlopen("liblttng-ctl.so.0", RTLD_NOW) else { throw Missing(name: "liblttng-ctl") }
        self.library = library
    }

    func find<Found>(_ name: String, as type: Found.Type) throws -> Found {
        guard let address = dlsym(library, name) else { throw Missing(name: name) }
        return unsafeBitCast(address, to: type)
    }
}

enum TriggerListener {
    /// LTTNG_OK.
    private static let succeeded: CInt = 10

    /// Listens for as long as there is a session daemon; returns the status for the end of the process.
    static func run(_ name: String) -> CInt {
        do {
            return try listen(to: name, by: ControlLibrary())
        } catch {
            let line = Array("signpost-probe listen: \(error)\n".utf8)
            write(STDERR_FILENO, line, line.count)
            return EX_UNAVAILABLE
        }
    }

    private static func listen(to name: String, by library: ControlLibrary) throws -> CInt {
        let endpoint = try library.find(
            "lttng_session_daemon_notification_endpoint", as: UnsafePointer<Handle?>.self)
        let create = try library.find("lttng_notification_channel_create", as: Part.self)
        let subscribe = try library.find("lttng_notification_channel_subscribe", as: Subscribe.self)
        let next = try library.find("lttng_notification_channel_get_next_notification", as: PartInto.self)
        guard let condition = try Self.condition(of: name, by: library), let channel = create(endpoint.pointee),
            subscribe(channel, condition) == 0
        else { return 1 }
        print("listening")
        fflush(nil)
        var notification: Handle?
        while next(channel, &notification) == 0 {
            print(try captures(of: notification, by: library))
            fflush(nil)
        }
        return 0
    }

    /// The condition of the trigger of this name; nil without such a trigger.
    private static func condition(of wanted: String, by library: ControlLibrary) throws -> Handle? {
        let list = try library.find("lttng_list_triggers", as: List.self)
        let countOf = try library.find("lttng_triggers_get_count", as: Count.self)
        let at = try library.find("lttng_triggers_get_at_index", as: Element.self)
        let nameOf = try library.find("lttng_trigger_get_name", as: Text.self)
        let conditionOf = try library.find("lttng_trigger_get_const_condition", as: Part.self)
        var triggers: Handle?
        var count: CUnsignedInt = 0
        guard list(&triggers) == succeeded, countOf(triggers, &count) == 0 else { return nil }
        for index in 0..<count {
            let trigger = at(triggers, index)
            var name: UnsafePointer<CChar>?
            if nameOf(trigger, &name) == 0, let name, String(cString: name) == wanted { return conditionOf(trigger) }
        }
        return nil
    }

    /// What a notification captured, each value in brackets.
    private static func captures(of notification: Handle?, by library: ControlLibrary) throws -> String {
        let evaluationOf = try library.find("lttng_notification_get_evaluation", as: Part.self)
        let captured = try library.find(
            "lttng_evaluation_event_rule_matches_get_captured_values", as: PartInto.self)
        let lengthOf = try library.find("lttng_event_field_value_array_get_length", as: Count.self)
        let at = try library.find("lttng_event_field_value_array_get_element_at_index", as: ElementInto.self)
        let numberOf = try library.find("lttng_event_field_value_unsigned_int_get_value", as: Number.self)
        let textOf = try library.find("lttng_event_field_value_string_get_value", as: Text.self)
        var values: Handle?
        var length: CUnsignedInt = 0
        if captured(evaluationOf(notification), &values) == 0 { _ = lengthOf(values, &length) }
        var texts = ""
        for index in 0..<length {
            var value: Handle?
            var number: UInt64 = 0
            var text: UnsafePointer<CChar>?
            if at(values, index, &value) != 0 {
                texts += "[none]"
            } else if numberOf(value, &number) == 0 {
                texts += "[\(number)]"
            } else if textOf(value, &text) == 0, let text {
                texts += "[\(String(cString: text))]"
            }
        }
        return texts
    }
}
