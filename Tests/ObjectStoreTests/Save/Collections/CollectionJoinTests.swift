import TestSupport
import Testing

@testable import PersistentObjects

/// Reading the elements of one collection by a join with its table.
struct CollectionJoinTests {
    class Tune: PersistentObject {
        override class var tableName: String { "tune" }
        var name = ""
    }

    final class LiveTune: Tune { var place = "" }

    final class Mix: PersistentObject {
        override class var tableName: String { "mix" }
        var tunes: [Tune] = []
        var byName: [String: Tune] = [:]
    }

    /// Saves a mix of every fifth tune, in descending order, and one of them twice.
    private func save(_ session: Session) throws -> Int64 {
        let tunes = (0..<100).map { number in
            let tune = number.isMultiple(of: 10) ? LiveTune() : Tune()
            tune.name = "tune \(number)"
            return tune
        }
        // One by one, so that the ids are in order, whatever the classes.
        for tune in tunes { try tune.save() }
        let mix = Mix()
        mix.tunes = tunes.filter { $0.rowID % 5 == 1 }.reversed()
        mix.tunes.insert(mix.tunes[7], at: 3)
        try mix.save()
        return mix.rowID
    }

    private static func isJoin(_ text: String) -> Bool { text.contains("mix_tunes\" CROSS JOIN \"tune\"") }

    @Test func `elements that are not in memory are read by a join, in order and each once`() throws {
        try withTemporarySession { session, file in
            let id = try save(session)
            var found: Mix?
            let log = try statements(of: session) { found = try Mix.find(id) }
            // A server reads lists without joins.
            let isRead = log.count { Self.isJoin($0) } == 1 && !log.contains { $0.contains("json_each") }
            #expect(isRead || TestEngine.isPostgres, "\(log)")
            let mix = try #require(found)
            let ids = Array(stride(from: Int64(96), through: 1, by: -5))
            expect(mix.tunes.map(\.rowID), ids[..<3] + [ids[7]] + ids[3...])
            #expect(mix.tunes[3] === mix.tunes[8])
            expect(mix.tunes.map { $0 is LiveTune }, mix.tunes.map { ($0.rowID - 1).isMultiple(of: 10) })
            expect(mix.tunes.map(\.name), mix.tunes.map { "tune \($0.rowID - 1)" })
            try expect(file.sqlite("SELECT count(*) FROM mix_tunes"), "21")
        }
    }

    @Test func `elements of which some are in memory, and neighbours, are read by their ids`() throws {
        try withTemporarySession { session, _ in
            let id = try save(session)
            let held = try Tune.find(51)
            let log = try statements(of: session) { _ = try Mix.find(id)?.tunes.count }
            #expect(!log.contains(where: Self.isJoin), "\(log)")
            try withExtendedLifetime(held) {
                let mix = try #require(try Mix.find(id))
                #expect(mix.tunes.contains { $0 === held })
                mix.tunes = try Tune.find([8, 7, 9])
                try mix.save()
            }
            let dense = try statements(of: session) { try expect(Mix.find(id)?.tunes.map(\.rowID), [8, 7, 9]) }
            #expect(!dense.contains(where: Self.isJoin), "\(dense)")
        }
    }

    @Test func `an element without a row is an error that names it`() throws {
        try withTemporarySession { session, file in
            let id = try save(session)
            _ = try file.sqliteWithoutForeignKeys("DELETE FROM tune WHERE id = 21")
            let error = #expect(throws: StoreError.self) { _ = try Mix.find(id) }
            #expect(error?.code == .brokenReference && "\(error as Any)".contains("#21"), "\(error as Any)")
        }
    }
}
