// SPDX-License-Identifier: MIT
// The graph that reads: plugins, a source for each trace, a muxer, and our sink. Part of the fence around libbabeltrace2's C calls.

internal import CScreen

/// Reads traces, some messages at a time, into a decoder.
///
/// Proof of the unsafe parts: the graph has the decoder's address and uses it only in `bt_graph_run_once`, which is called
/// while this object, and with it the decoder, lives; the graph is let go of before the decoder.
@safe
final class BabeltraceGraph {
    private let graph: OpaquePointer
    private let decoder: MessageDecoder
    /// What the graph's classes come from.
    private let plugin: CTFPlugin
    private let path: String

    /// Opens traces: a list of directories for each.
    init(_ traces: [[String]], _ plugin: CTFPlugin, _ decoder: MessageDecoder, path: String) throws(TraceError) {
        guard let graph = unsafe bt_graph_create(0) else {
            throw .reader("has no memory", BabeltraceFault.takeCauses())
        }
        unsafe self.graph = unsafe graph
        self.decoder = decoder
        self.plugin = plugin
        self.path = path
        var ports: [OpaquePointer] = unsafe []
        for (index, directories) in traces.enumerated() {
            unsafe ports += try open(directories, named: "trace\(index)")
        }
        let sink = unsafe try addSink()
        guard let input = unsafe bt_component_sink_borrow_input_port_by_name_const(sink, "in") else { throw fault() }
        // One stream needs no sorting.
        let output = unsafe ports.count == 1 ? ports[0] : try mux(ports)
        unsafe try connect(output, to: input)
    }

    deinit { unsafe bt_graph_put_ref(graph) }

    /// Gives the decoder the next messages; false at the end.
    func run() throws(TraceError) -> Bool {
        switch unsafe bt_graph_run_once(graph) {
        case BT_GRAPH_RUN_ONCE_STATUS_OK, BT_GRAPH_RUN_ONCE_STATUS_AGAIN: return true
        case BT_GRAPH_RUN_ONCE_STATUS_END: return false
        default: throw fault()
        }
    }

    private func open(_ directories: [String], named name: String) throws(TraceError) -> [OpaquePointer] {
        guard let parameters = unsafe bt_value_map_create(), let inputs = unsafe bt_value_array_create() else {
            throw fault()
        }
        defer {
            unsafe bt_value_put_ref(inputs)
            unsafe bt_value_put_ref(parameters)
        }
        for directory in directories { unsafe bt_value_array_append_string_element(inputs, directory) }
        unsafe bt_value_map_insert_entry(parameters, "inputs", inputs)
        var source: OpaquePointer?
        let status = unsafe bt_graph_add_source_component(
            graph, plugin.source, name, parameters, BT_LOGGING_LEVEL_NONE, &source)
        guard status == BT_GRAPH_ADD_COMPONENT_STATUS_OK, let source = unsafe source else { throw fault() }
        return unsafe (0..<bt_component_source_get_output_port_count(source)).compactMap {
            unsafe bt_component_source_borrow_output_port_by_index_const(source, $0)
        }
    }

    /// Sorts several streams by time, and returns the port where they come out.
    private func mux(_ ports: [OpaquePointer]) throws(TraceError) -> OpaquePointer {
        var muxer: OpaquePointer?
        let status = unsafe bt_graph_add_filter_component(
            graph, plugin.muxer, "muxer", nil, BT_LOGGING_LEVEL_NONE, &muxer)
        guard status == BT_GRAPH_ADD_COMPONENT_STATUS_OK, let muxer = unsafe muxer else { throw fault() }
        for index in unsafe ports.indices {
            // It always has one more than are connected.
            guard let input = unsafe bt_component_filter_borrow_input_port_by_index_const(muxer, UInt64(index)) else {
                throw fault()
            }
            unsafe try connect(ports[index], to: input)
        }
        guard let output = unsafe bt_component_filter_borrow_output_port_by_index_const(muxer, 0) else { throw fault() }
        return unsafe output
    }

    private func connect(_ output: OpaquePointer, to input: OpaquePointer) throws(TraceError) {
        guard unsafe bt_graph_connect_ports(graph, output, input, nil) == BT_GRAPH_CONNECT_PORTS_STATUS_OK else {
            throw fault()
        }
    }

    private func addSink() throws(TraceError) -> OpaquePointer {
        var sink: OpaquePointer?
        let decoder = unsafe Unmanaged.passUnretained(decoder).toOpaque()
        let status = unsafe bt_graph_add_simple_sink_component(
            graph, "report", nil,
            { iterator, decoder in
                guard let iterator = unsafe iterator, let decoder = unsafe decoder else {
                    return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR
                }
                return unsafe Unmanaged<MessageDecoder>.fromOpaque(decoder)._withUnsafeGuaranteedRef {
                    unsafe $0.consume(iterator)
                }
            }, nil, decoder, &sink)
        guard status == BT_GRAPH_ADD_COMPONENT_STATUS_OK, let sink = unsafe sink else { throw fault() }
        return unsafe sink
    }

    private func fault() -> TraceError { .unreadable(path, BabeltraceFault.takeCauses()) }
}

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

/// Proof of the unsafe parts: the error is ours from the moment it is taken until it is released, and its texts with it.
enum BabeltraceFault {
    /// The causes of this thread's last failure, the first one first; the thread then has none.
    static func takeCauses() -> [String] {
        guard let error = unsafe bt_current_thread_take_error() else { return [] }
        defer { unsafe bt_error_release(error) }
        var causes: [String] = []
        // The first three: the later ones only say who passed it on.
        for index in unsafe 0..<min(bt_error_get_cause_count(error), 3) {
            guard let cause = unsafe bt_error_borrow_cause_by_index(error, index) else { continue }
            if let text = unsafe bt_error_cause_get_message(cause) { unsafe causes.append(String(cString: text)) }
        }
        return causes
    }
}
