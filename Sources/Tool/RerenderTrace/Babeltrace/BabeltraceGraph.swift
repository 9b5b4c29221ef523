// SPDX-License-Identifier: MIT
// The graph that reads: a source for each trace, a muxer, and our sink. Part of the fence around its C calls.

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
