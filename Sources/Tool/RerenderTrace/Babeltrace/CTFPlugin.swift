// SPDX-License-Identifier: MIT
// The classes of libbabeltrace2's plugins that we use. Part of the fence around its C calls.

internal import CScreen

/// The CTF reader and the muxer.
///
/// Proof of the unsafe parts: both plugins are kept while the object lives, and with them their classes.
@safe
final class CTFPlugin {
    private let ctf: OpaquePointer
    private let utils: OpaquePointer
    /// The class `source.ctf.fs`.
    let source: OpaquePointer
    /// The class `filter.utils.muxer`.
    let muxer: OpaquePointer

    init() throws(TraceError) {
        unsafe ctf = unsafe try Self.plugin("ctf")
        unsafe utils = unsafe try Self.plugin("utils")
        guard let source = unsafe bt_plugin_borrow_source_component_class_by_name_const(ctf, "fs"),
            let muxer = unsafe bt_plugin_borrow_filter_component_class_by_name_const(utils, "muxer")
        else { throw .reader("has no reader of CTF files", BabeltraceFault.takeCauses()) }
        unsafe self.source = unsafe source
        unsafe self.muxer = unsafe muxer
    }

    deinit {
        unsafe bt_plugin_put_ref(ctf)
        unsafe bt_plugin_put_ref(utils)
    }

    private static func plugin(_ name: String) throws(TraceError) -> OpaquePointer {
        var plugin: OpaquePointer?
        let status = unsafe bt_plugin_find(name, bt_bool(1), bt_bool(1), bt_bool(1), bt_bool(1), bt_bool(0), &plugin)
        guard status == BT_PLUGIN_FIND_STATUS_OK, let plugin = unsafe plugin else {
            throw .reader("finds no plugin \"\(name)\"", BabeltraceFault.takeCauses())
        }
        return unsafe plugin
    }
}

/// What the CTF reader says of a directory, without opening its streams.
///
/// Proof of the unsafe parts: each object is put when the call that made it returns; what is borrowed is read before.
enum CTFSupport {
    /// Directories of one trace have one group; nil where the directory is no trace that it can read.
    static func group(of directory: String, _ plugin: CTFPlugin) -> String? {
        guard let parameters = unsafe bt_value_map_create() else { return nil }
        defer { unsafe bt_value_put_ref(parameters) }
        unsafe bt_value_map_insert_string_entry(parameters, "type", "directory")
        unsafe bt_value_map_insert_string_entry(parameters, "input", directory)
        let query = unsafe bt_query_executor_create(
            bt_component_class_source_as_component_class_const(plugin.source), "babeltrace.support-info", parameters)
        guard let query = unsafe query else { return nil }
        defer { unsafe bt_query_executor_put_ref(query) }
        var result: OpaquePointer?
        guard unsafe bt_query_executor_query(query, &result) == BT_QUERY_EXECUTOR_QUERY_STATUS_OK,
            let result = unsafe result
        else {
            _ = BabeltraceFault.takeCauses()
            return nil
        }
        defer { unsafe bt_value_put_ref(result) }
        // Anything but a map is the plain weight of what it cannot read.
        guard unsafe bt_value_get_type(result) == BT_VALUE_TYPE_MAP,
            let weight = unsafe bt_value_map_borrow_entry_value_const(result, "weight"),
            unsafe bt_value_get_type(weight) == BT_VALUE_TYPE_REAL, unsafe bt_value_real_get(weight) > 0
        else { return nil }
        guard let group = unsafe bt_value_map_borrow_entry_value_const(result, "group"),
            unsafe bt_value_get_type(group) == BT_VALUE_TYPE_STRING
        else { return directory }
        return unsafe String(cString: bt_value_string_get(group))
    }
}
