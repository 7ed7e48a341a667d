import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Concurrent sessions.
struct ConcurrencyTests {
    final class Item: PersistentObject {
        override class var tableName: String { "item" }
        var writer = 0
        var number = 0
        var text = ""
    }

    /// The tasks wait for each other, on a busy machine for seconds.
    private static var patient: Store.Configuration { .init(durability: .relaxed, busyTimeout: .seconds(600)) }

    private static func item(_ writer: Int, _ number: Int) -> Item {
        let item = Item()
        (item.writer, item.number, item.text) = (writer, number, "\(writer)/\(number)")
        return item
    }

    @Test func `four tasks save 500 objects each, and none is lost`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: Self.patient)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    try await store.withSession { session in
                        for number in 0..<250 { try Self.item(writer, number).save() }
                        await Task.yield()
                        for start in stride(from: 250, to: 500, by: 50) {
                            let batch = (start..<start + 50).map { Self.item(writer, $0) }
                            try session.save(batch)
                            let ids = batch.compactMap(\.id)
                            #expect(ids.count == 50 && zip(ids, ids.dropFirst()).allSatisfy { $0 + 1 == $1 })
                        }
                        let own = try Item.findByWriter(writer)
                        #expect(own.count == 500 && own.allSatisfy { $0.text == "\(writer)/\($0.number)" })
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try file.sqlite(
                "SELECT count(*), count(DISTINCT text), max(id), sum(text = writer || '/' || number) FROM item")
                == "2000|2000|2000|2000")
        #expect(try file.sqlite("PRAGMA integrity_check") == "ok")
    }

    @Test func `two stores on one file write in turn, and both see all rows`() async throws {
        let file = try TemporaryStore()
        let stores = try [
            file.open(configuration: Self.patient), file.open(configuration: Self.patient),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    try stores[writer % 2].withSession { _ in
                        for number in 0..<100 { try Self.item(writer, number).save() }
                    }
                }
            }
            try await group.waitForAll()
        }
        for store in stores { try expect(store.withSession { _ in try Item.count() }, 400) }
    }

    @Test func `sessions that read while another session writes see whole transactions`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: Self.patient)
        try store.withSession { session in try session.save((0..<20).map { Self.item(0, $0) }) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try store.withSession { session in
                    let items = try Item.all()
                    for round in 1...100 {
                        for item in items { item.writer = round }
                        try session.save(items)
                    }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    try store.withSession { _ in
                        for _ in 0..<150 {
                            let writers = Set(try Item.all().map(\.writer))
                            expect(writers.count, 1, "half a transaction was read")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try expect(file.sqlite("SELECT min(writer), max(writer) FROM item"), "100|100")
    }

    @Test func `several threads can release objects of a session while the session fetches`() throws {
        try withTemporarySession(.init(lostEdits: .ignore)) { session, _ in
            try session.save((0..<100).map { Self.item(0, $0) })
            let queue = DispatchQueue(label: "dropping", attributes: .concurrent)
            let group = DispatchGroup()
            for round in 0..<200 {
                let all = try Item.all()
                expect(all.count, 100)
                for part in 0..<2 {
                    let crate = Smuggled(all.enumerated().filter { $0.offset % 2 == part }.map(\.element))
                    queue.async(group: group) { crate.value = [] }
                }
                _ = try Item.find(Int64(round % 100 + 1))
            }
            group.wait()
            #expect(try session.space(of: Item.self).identity.brokenInvariant() == nil)
            try expect(session.space(of: Item.self).identity.count, 0)
        }
    }
}
