#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects
    @testable import PersistentTransfer
    @testable import StoreEngine

    /// The memory of stores during a copy, and the indexes that are created at its end.
    @Suite(.onSQLite("one of the stores is a file, the other is on a server")) struct CopyResourceTests {
        private struct Stop: Error {}

        private final class Seen {
            var caches: Set<[DatabaseValue?]> = []
            var indexes: Set<[String]> = []
        }

        private func cache(_ session: Session) throws -> DatabaseValue? {
            try session.connection.value("PRAGMA cache_size")
        }

        /// The indexes of some tables, without those of primary keys.
        private func indexes(_ session: Session) throws -> [String] {
            try ["copied_person", "copied_account"].flatMap { try session.connection.schema.indexes(of: $0) }
                .map { "\($0.isUnique) \($0.sql ?? $0.name)" }.sorted()
        }

        private func copy(
            _ source: Store, _ target: Store, _ report: @escaping (Session, Session) throws -> Void
        ) throws {
            try source.withSession { source in
                try target.withSession { target in
                    _ = try StoreCopy(source, target, leaving: []) { _ in try report(source, target) }
                        .run(CopiedShop.classes)
                }
            }
        }

        @Test func `both files have small caches until the end of the copy`() throws {
            try withTemporaryStore { file, _ in
                try file.withSession { try CopiedShop.fill($0, 1) }
                for (size, small, large) in [(64_000 * 1024, -4096, -64_000), (1 << 20, -1024, -1024)] {
                    let place = try TemporaryStore()
                    let target = try place.open(configuration: .init(cacheSize: size))
                    defer { target.close() }
                    let seen = Seen()
                    try copy(file, target) { source, target in
                        seen.caches.insert([try cache(source), try cache(target)])
                    }
                    expect(seen.caches, [[.integer(-4096), .integer(Int64(small))]])
                    try expect(file.withSession { try cache($0) }, .integer(-64_000))
                    try expect(target.withSession { try cache($0) }, .integer(Int64(large)))
                }
            }
        }

        @Test func `a copy that throws restores the caches`() throws {
            try withTemporaryStore { file, _ in
                try file.withSession { try CopiedShop.fill($0, 1) }
                try withTemporaryStore { target, _ in
                    #expect(throws: Stop.self) { try copy(file, target) { _, _ in throw Stop() } }
                    try expect(file.withSession { try cache($0) }, .integer(-64_000))
                    try expect(target.withSession { try cache($0) }, .integer(-64_000))
                }
            }
        }

        @Test func `indexes that are not unique are created after the rows`() throws {
            let database = try PostgresDatabase()
            let server = try Store(.postgres(database.address()))
            defer { server.close() }
            try withTemporaryStore { file, _ in
                try file.withSession { try CopiedShop.fill($0, 3) }
                try withTemporaryStore { other, _ in
                    for target in [server, other] {
                        let before = try target.withSession { session in
                            for type in CopiedShop.classes + [CopiedChief.self] { try target.prepare(type) }
                            return try indexes(session)
                        }
                        #expect(before.contains { $0.hasPrefix("false") && $0.contains("name") })
                        let seen = Seen()
                        try copy(file, target) { _, target in seen.indexes.insert(try indexes(target)) }
                        let unique = before.filter { $0.hasPrefix("true") }
                        #expect(!unique.isEmpty)
                        expect(seen.indexes, [unique])
                        try expect(target.withSession { try indexes($0) }, before)
                        expect(try CopiedShop.contents(target), try CopiedShop.contents(file))
                    }
                }
            }
        }

        @Test func `a copy can be continued after the indexes were created by another program`() throws {
            try withTemporaryStore { file, _ in
                try file.withSession { try CopiedShop.fill($0, 5) }
                try withTemporaryStore { target, place in
                    let seen = Seen()
                    #expect(throws: Stop.self) {
                        try copy(file, target) { _, target in
                            seen.indexes.insert(try indexes(target))
                            throw Stop()
                        }
                    }
                    target.close()
                    let again = try place.open()
                    defer { again.close() }
                    try again.prepare(CopiedPerson.self)
                    let prepared = try again.withSession { try indexes($0) }
                    #expect(seen.indexes.allSatisfy { $0.count < prepared.count })
                    try file.copy(CopiedShop.classes, to: again)
                    try expect(again.withSession { try indexes($0) }, prepared)
                    expect(try CopiedShop.contents(again), try CopiedShop.contents(file))
                }
            }
        }
    }
#endif
