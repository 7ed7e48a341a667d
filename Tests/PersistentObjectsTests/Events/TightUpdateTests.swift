import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// The statements that commits cause for a watched query.
@Suite(.hangLimit, .onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
struct TightUpdateTests {
    typealias Plant = Watched.Plant
    typealias Garden = Watched.Garden

    /// The number of SELECT statements in a log that read a table.
    private func asks(_ log: StatementLog, _ table: String = "watched_plant") -> Int {
        log.statements.count { $0.hasPrefix("SELECT") && $0.contains("\"\(table)\"") }
    }

    @Test func `a change of an unrelated column runs no query`() async throws {
        try await withSession { session, _ in
            let (ann, bob) = (Plant("a", 5), Plant("b", 5))
            try session.save([ann, bob, Plant("c", 1)])
            var tall = Plant.where { $0.height > 3 }.order(by: \.name).updates().makeAsyncIterator()
            try await expect(tall.next()?.count, 2)
            let log = try StatementLog(session)
            bob.note = "dry"
            try bob.save()
            let update = try #require(try await tall.next())
            #expect(update.objects == [ann, bob] && update.changed == [1] && update.inserted == [])
            #expect(!update.isFirst && asks(log) == 0)
            // The update by a query needs no SELECT. Raw SQL needs one, because its effect is unknown.
            try Plant.query.update { $0.note = "wet" }
            log.removeAll()
            try await expect(tall.next()?.changed, [0, 1])
            #expect(asks(log) == 0 && bob.note == "wet")
            try session.execute("UPDATE watched_plant SET note = 'x' WHERE name = 'a'")
            try await expect(tall.next()?.changed, [0])
            #expect(asks(log) == 1 && ann.note == "x")
        }
    }

    @Test func `changes of columns in the condition or order, insertions and deletions run the query`() async throws {
        try await withSession { session, _ in
            let (ann, bob) = (Plant("a", 5), Plant("b", 5))
            try session.save([ann, bob])
            var tall = Plant.where { $0.height > 3 }.order(by: \.name).updates().makeAsyncIterator()
            _ = try await tall.next()
            let log = try StatementLog(session)
            ann.name = "z"
            try ann.save()
            try await expect(tall.next()?.moved, [.init(from: 1, to: 0)])
            expect(asks(log), 1)
            bob.height = 1
            try bob.save()
            try await expect(tall.next()?.deleted, [0])
            try Plant("c", 8).save()
            try await expect(tall.next()?.inserted, [0])
            try ann.delete()
            try await expect(tall.next()?.deleted, [1])
        }
    }

    @Test func `rows that another session changed are read again, without running the query`() async throws {
        try await withSession { session, _ in
            let (ann, bob) = (Plant("a", 5), Plant("b", 5))
            try session.save([ann, bob])
            var tall = Plant.where { $0.height > 3 }.order(by: \.name).updates().makeAsyncIterator()
            _ = try await tall.next()
            let log = try StatementLog(session)
            try await session.store.perform { _ in
                let bob = try #require(try Plant.where { $0.name == "b" }.first())
                bob.note = "dry"
                try bob.save()
            }
            #expect(try await tall.next()?.changed == [1])
            #expect(bob.note == "dry" && asks(log) == 1)
            #expect(!log.statements.contains { $0.contains("\"height\" >") })
        }
    }

    @Test func `the written rows of a long list are read alone`() async throws {
        try await withSession { session, _ in
            let plants = (1...100).map { Plant("\($0)", $0) }
            try session.save(plants)
            var tall = Plant.where { $0.height > 0 }.order(by: \.height).updates().makeAsyncIterator()
            _ = try await tall.next()
            let log = try StatementLog(session)
            // The number of statements that could read the whole list.
            func wholeCount() -> Int {
                log.statements.count {
                    $0.hasPrefix("SELECT") && !$0.contains("json_each") && !$0.contains("sqlite_sequence")
                }
            }
            let first = Plant("first", 1)
            try first.save()
            var update = try #require(try await tall.next())
            #expect(update.inserted == [1] && update[1] === first && update.count == 101)
            plants[98].height = 2
            try plants[98].save()
            update = try #require(try await tall.next())
            #expect(update.moved == [.init(from: 99, to: 3)] && update.changed == [3] && update[3] === plants[98])
            plants[9].height = -1
            plants[0].note = "x"
            try session.saveChanges()
            update = try #require(try await tall.next())
            #expect(update.deleted == [11] && update.changed == [0] && update.moved == [])
            try await session.store.perform { _ in
                try Plant("last", 200).save()
                try Plant.where { $0.name == "3" }.delete()
            }
            update = try #require(try await tall.next())
            #expect(update.map(\.name).suffix(2) == ["100", "last"] && update.deleted == [4])
            expect(wholeCount(), 0)
        }
    }

    @Test func `a commit whose rows the condition excludes runs no query`() async throws {
        try await withSession { session, _ in
            let plants = (1...5).map { Plant("\($0)", $0) }
            try session.save(plants)
            var tall = Plant.where { $0.height > 3 }.updates().makeAsyncIterator()
            _ = try await tall.next()
            let log = try StatementLog(session)
            try Plant("new", 2).save()
            plants[0].height = 3
            try plants[0].save()
            try plants[1].delete()
            let condition = log.statements.filter { $0.hasPrefix("SELECT") && $0.contains("\"height\" >") }
            // The next commit matters, so that earlier ones had time to matter.
            plants[4].note = "x"
            try plants[4].save()
            let update = try #require(try await tall.next())
            #expect(update.changed == [1] && update.inserted == [] && update.deleted == [])
            expect(condition, [])
            #expect(!log.statements.contains { $0.hasPrefix("SELECT") && $0.contains("\"height\" >") })
        }
    }

    @Test func `deleted rows and released objects are handled in updates`() async throws {
        try await withSession { session, _ in
            try session.save([Plant("a", 5), Plant("b", 5)])
            var tall = Plant.where { $0.height > 3 }.order(by: \.name).updates().makeAsyncIterator()
            _ = try await tall.next()
            try Plant.where { $0.name == "a" }.update { $0.note = "x" }
            // The objects were released and are recreated.
            try await expect(tall.next()?.map(\.note), ["x", nil])
            try Plant.where { $0.name == "a" }.update { $0.note = "y" }
            try Plant.where { $0.name == "b" }.delete()
            let last = try #require(try await tall.next())
            #expect(last.map(\.note) == ["y"] && last.deleted == [1] && last.changed == [0])
        }
    }

    @Test func `a query by id ignores changes of other rows`() async throws {
        try await withSession { session, _ in
            let plants = (1...5).map { Plant("\($0)", $0) }
            try session.save(plants)
            let ids = plants.compactMap(\.id)
            var one = Plant.where { $0.id == ids[1] }.updates().makeAsyncIterator()
            var few = Plant.where { $0.id.isIn([ids[1], ids[2]]) && $0.height > 0 }.updates().makeAsyncIterator()
            var last = Plant.where { $0.height > 0 }.where { $0.id == ids[1] }.updates().makeAsyncIterator()
            _ = (try await one.next(), try await few.next(), try await last.next())
            let log = try StatementLog(session)
            for plant in [plants[0], plants[3], plants[4]] { plant.height = 99 }
            try session.saveChanges()
            try plants[0].delete()
            try Plant("new").save()
            // A change of one of its rows in an unrelated column. If the other changes mattered, the query would run.
            plants[1].note = "x"
            try plants[1].save()
            log.removeAll()
            try await expect(one.next()?.changed, [0])
            try await expect(last.next()?.changed, [0])
            expect(asks(log), 0)
            try await expect(few.next()?.changed, [0])
            plants[1].height = -1
            try plants[1].save()
            try await expect(few.next()?.deleted, [0])
            try await expect(one.next()?.changed, [0])
            try plants[1].delete()
            try await expect(one.next()?.deleted, [0])
            try await expect(last.next()?.deleted, [0])
        }
    }

    @Test func `a deleted row runs the query only if it was in the result or before an offset`() async throws {
        try await withSession { session, _ in
            let (ann, bob, cid) = (Plant("a", 5), Plant("b", 5), Plant("c", 1))
            try session.save([ann, bob, cid])
            var tall = Plant.where { $0.height > 3 }.updates().makeAsyncIterator()
            var second = Plant.query.order(by: \.name, .descending).offset(1).limit(1).updates().makeAsyncIterator()
            _ = try await tall.next()
            try await expect(second.next()?.objects, [bob])
            let log = try StatementLog(session)
            try cid.delete()
            ann.note = "x"
            try ann.save()
            log.removeAll()
            try await expect(tall.next()?.changed, [0])
            expect(asks(log), 0)
            // A row before the offset matters.
            try await expect(second.next()?.objects, [ann])
        }
    }

    @Test func `an inverse in the condition follows other rows of the same table`() async throws {
        final class Node: PersistentObject {
            override class var tableName: String { "watched_node" }
            var name = ""
            var parent: Node?
            @Inverse(\Node.parent) var children: [Node]
        }
        try await withSession { session, _ in
            let (top, leaf) = (Node(), Node())
            (top.name, leaf.name) = ("top", "leaf")
            try session.save([top, leaf])
            let id = try #require(top.id)
            var tops = Node.where { $0.id == id && $0.children.count > 0 }.updates().makeAsyncIterator()
            var named = Node.where { $0.parent.name == "up" }.updates().makeAsyncIterator()
            try await expect(tops.next()?.count, 0)
            try await expect(named.next()?.count, 0)
            leaf.parent = top
            try leaf.save()
            try await expect(tops.next()?.objects, [top])
            top.name = "up"
            try top.save()
            try await expect(named.next()?.objects, [leaf])
            try leaf.delete()
            try await expect(tops.next()?.deleted, [0])
            try await expect(named.next()?.deleted, [0])
        }
    }

    @Test func `references and nested queries depend only on the columns that they read`() async throws {
        try await withSession { session, _ in
            let (ann, park) = (Plant("a", 5), Garden())
            ann.garden = park
            try ann.save()
            var small = Plant.where { $0.garden.size < 3 }.updates().makeAsyncIterator()
            var green = Garden.where { $0.plants.any { $0.height > 3 } }.updates().makeAsyncIterator()
            _ = (try await small.next(), try await green.next())
            let log = try StatementLog(session)
            park.name = "Park"
            ann.name = "b"
            try session.saveChanges()
            log.removeAll()
            try await expect(small.next()?.changed, [0])
            try await expect(green.next()?.changed, [0])
            expect(asks(log), 0)
            park.size = 8
            ann.height = 1
            try session.saveChanges()
            try await expect(small.next()?.deleted, [0])
            try await expect(green.next()?.deleted, [0])
        }
    }

    @Test func `updates work with included parts and with skipped undecodable rows`() async throws {
        try await withSession { session, _ in
            let (ann, park) = (Plant("a", 5), Garden())
            ann.garden = park
            try ann.save()
            var whole = Garden.query.including(\.plants).updates().makeAsyncIterator()
            var readable = Plant.query.skippingUndecodable { _ in }.updates().makeAsyncIterator()
            _ = (try await whole.next(), try await readable.next())
            park.name = "Park"
            ann.note = "x"
            try session.saveChanges()
            try await expect(whole.next()?.changed, [0])
            try await expect(readable.next()?.changed, [0])
        }
    }

    @Test func `the tables and columns that a statement reads are determined`() throws {
        try withTemporarySession { session, _ in
            _ = (try Plant.count(), try Garden.count(), try HeardEvents.Person.count())
            let plain = try session.reads(of: "SELECT \"name\" FROM \"watched_plant\" WHERE \"height\" > 3")
            #expect(words(plain) == ["watched_plant: height name"] && !plain.readsUnreported && !plain.isAll)
            let list = try session.reads(
                of: "SELECT count(*) FROM watched_plant WHERE id IN (SELECT value FROM json_each(?))")
            expect(words(list), ["watched_plant: id"])
            let child = try session.reads(of: "SELECT name FROM heard_person, heard_person_tags ON owner_id = id")
            #expect(words(child) == ["heard_person: id name", "heard_person_tags: all"] && child.readsUnreported)
            try session.execute("CREATE VIEW watched_view AS SELECT name FROM watched_plant")
            let view = try session.reads(of: "SELECT * FROM watched_view")
            #expect(words(view).contains("watched_plant: all"))
        }
    }

    private func words(_ reads: QueryReads) -> [String] {
        reads.tables.map { table, columns in
            "\(table): \(columns.map { $0.sorted().joined(separator: " ") } ?? "all")"
        }.sorted()
    }
}
