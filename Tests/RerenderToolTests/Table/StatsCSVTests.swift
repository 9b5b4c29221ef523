// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

@testable import RerenderTool

@Suite("The export as CSV")
struct StatsCSVTests {
    @Test("the header is stable: programs rely on it")
    func header() {
        #expect(
            StatsCSV.header
                == "process,pid,store,connected,key,file,line,count,instances,commits,wasted_count,wasted_measured,"
                + "wasted_inferred,wasted_ns,body_last_ns,body_avg_ns,body_max_ns,body_p50_ns,body_p95_ns,body_p99_ns,"
                + "body_total_ns,total_last_ns,total_avg_ns,total_max_ns,total_p50_ns,total_p95_ns,total_p99_ns,"
                + "total_total_ns,hangs,hang_last_ns,hang_worst_ns,top_reason,top_reason_count,last_reason,"
                + "last_rendered_at\r\n")
    }

    @Test("a record has a field for each column, in the same order")
    func record() {
        let row = StatsOrder.count.ranked([Sample.shop])[0]
        #expect(
            StatsCSV(isForTerminal: false).record(row)
                == "shop,4711,main,true,CartTotal,Shop/Cart.swift,12,312,1,300,308,300,8,41000000,0,133000,399000,0,266000,"
                + "332500,41496000,0,0,0,0,0,0,0,0,0,0,ticker.tick,300,initial,2026-11-20T22:44:56.623Z\r\n")
    }

    @Test("a file gets a hostile label as it is, a terminal gets it made safe")
    func hostile() {
        let store = Sample.store(views: [Sample.view("a,\u{1B}[2J\"\n", count: 1)])
        let row = StatsOrder.count.ranked([store])[0]
        #expect(StatsCSV(isForTerminal: false).record(row).contains("\"a,\u{1B}[2J\"\"\n\""))
        #expect(StatsCSV(isForTerminal: true).record(row).contains("\"a,\\u{1b}[2J\"\"\\u{a}\""))
    }
}
