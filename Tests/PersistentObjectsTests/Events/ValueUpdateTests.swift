import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// Watched values of queries.
@Suite(.hangLimit) @MainActor
struct ValueUpdateTests {
    typealias Plant = Watched.Plant

    /// Gives literals a fixed type, which speeds up type checking.
    private func list(_ numbers: Int...) -> [Int] { numbers }

    @Test func `a count is delivered at once and after each commit that changes it`() async throws {
        try await withSession { session, _ in
            try session.save([Plant("a", 5), Plant("b", 1)])
            var counts = Plant.where { $0.height > 3 }.updates { try $0.count() }.makeAsyncIterator()
            try await expect(counts.next(), 1)
            try Plant("c", 9).save()
            try await expect(counts.next(), 2)
            // One row is added and one is removed: the count is equal and is not delivered again.
            let plants = try Plant.query.order(by: \.name).all()
            (plants[0].height, plants[1].height) = (0, 4)
            try session.saveChanges()
            try plants[2].delete()
            try await expect(counts.next(), 1)
        }
    }

    @Test func `each terminal method can be watched`() async throws {
        try await withSession { session, _ in
            let (ann, bob) = (Plant("a", 5), Plant("b", 1))
            try session.save([ann, bob])
            let query = Plant.where { $0.height > 0 }
            let count = await FollowedValue(query) { try $0.count() }
            let exists = await FollowedValue(query) { try $0.where { $0.height > 8 }.exists() }
            let sum = await FollowedValue(query) { try $0.sum(\.height) }
            let total = await FollowedValue(query) { try $0.total(\.height) }
            let average = await FollowedValue(query) { try $0.average(\.height) }
            let least = await FollowedValue(query) { try $0.min(\.height) }
            let most = await FollowedValue(query) { try $0.max(\.height) }
            let names = await FollowedValue(query.order(by: \.name)) { try $0.values(of: \.name) }
            let ids = await FollowedValue(query) { try $0.ids() }
            let first = await FollowedValue(query.order(by: \.name, .descending)) { try $0.first() }
            let grouped = await FollowedValue(query) { try $0.counted(by: \.height) }
            let distinct = await FollowedValue(query) { try $0.distinct(\.height) }
            let cid = Plant("c", 9)
            try cid.save()
            await settle()
            await wait { list(first.values.count, distinct.values.count, grouped.values.count) == [2, 2, 2] }
            #expect(count.values == [2, 3] && exists.values == [false, true] && sum.values == [6, 15])
            #expect(total.values == [6, 15] && average.values == [3, 5] && most.values == [5, 9])
            expect(least.values, [1])
            #expect(names.values == [["a", "b"], ["a", "b", "c"]] && ids.values.last?.count == 3)
            expect(first.values, [bob, cid])
            expect(grouped.values, [[5: 1, 1: 1], [5: 1, 1: 1, 9: 1]])
            expect(distinct.values.map { Set($0) }, [[5, 1], [5, 1, 9]])
            #expect(!count.hasEnded && !first.hasEnded)
            count.cancel()
            await wait { count.hasEnded }
            #expect(count.hasEnded && count.error == nil)
        }
    }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `commits that cannot change the value do not evaluate it again`() async throws {
        try await withSession { session, _ in
            let (ann, garden, tool) = (Plant("a", 5), Watched.Garden(), Watched.Tool())
            ann.garden = garden
            try session.save([ann, tool])
            let tall = await FollowedValue(Plant.where { $0.height > 3 }) { try $0.count() }
            let sum = await FollowedValue(Plant.where { $0.name == "a" }) { try $0.sum(\.height) }
            let all = await FollowedValue(Plant.query) { try $0.count() }
            expect(list(tall.askCount, sum.askCount, all.askCount), [1, 1, 1])
            // Changes of other columns and tables, and a rolled back change.
            ann.note = "dry"
            try ann.save()
            await settle()
            (garden.size, tool.price) = (7, 8)
            try session.saveChanges()
            await settle()
            try session.transaction { () throws in
                try Plant("x", 8).save()
                session.rollBack()
            }
            await settle()
            try Plant.where { $0.name == "a" }.update { $0.note = "wet" }
            await settle()
            expect(list(tall.askCount, sum.askCount, all.askCount), [1, 1, 1])
            // Two of the queries read this column, and only one of them has a new result.
            ann.height = 8
            try ann.save()
            await wait { sum.values.count == 2 && tall.askCount == 2 }
            expect(list(tall.askCount, sum.askCount, all.askCount), [2, 2, 1])
            #expect(tall.values == [1] && sum.values == [5, 8] && all.values == [1])
            ann.name = "b"
            try ann.save()
            await wait { sum.values.count == 3 }
            expect(list(tall.askCount, sum.askCount, all.askCount), [2, 3, 1])
            try ann.delete()
            await wait { all.values.count == 2 && tall.values.count == 2 && sum.values.count == 3 }
            #expect(tall.values == [1, 0] && sum.values == [5, 8, nil] && all.values == [1, 0])
        }
    }

    @Test func `changes by SQL, other sessions and through references update values`() async throws {
        try await withSession { session, _ in
            let (ann, garden) = (Plant("a", 5), Watched.Garden())
            ann.garden = garden
            try ann.save()
            let names = await FollowedValue(Plant.query) { try $0.values { $0.garden.name } }
            let there = await FollowedValue(Plant.where { $0.garden.size > 3 }) { try $0.exists() }
            #expect(names.values == [[""]] && there.values == [false])
            garden.name = "Park"
            try garden.save()
            await wait { names.values.count == 2 }
            try session.execute("UPDATE watched_garden SET size = 9, name = 'Wood'")
            await wait { there.values.count == 2 }
            await wait { names.values.count == 3 }
            try await session.store.perform { _ in
                let garden = try #require(try Watched.Garden.query.first())
                (garden.name, garden.size) = ("Hill", 1)
                try garden.save(.silently)
            }
            await wait { there.values.count == 3 && names.values.count == 4 }
            expect(names.values, [[""], ["Park"], ["Wood"], ["Hill"]])
            expect(there.values, [false, true, false])
        }
    }

    @Test(.onSQLite("the trigger of the test is SQLite's")) func `changes by triggers update values`() async throws {
        try await withSession { session, _ in
            let plant = Plant("a", 5)
            try plant.save()
            try session.execute(
                """
                CREATE TRIGGER grow AFTER UPDATE OF note ON watched_plant BEGIN
                    UPDATE watched_plant SET height = height + 1 WHERE id = new.id;
                END
                """)
            let sum = await FollowedValue(Plant.query) { try $0.sum(\.height) }
            plant.note = "wet"
            try plant.save()
            await wait { sum.values.count == 2 }
            expect(sum.values, [5, 6])
        }
    }

    @Test func `a value computed from objects is evaluated after each commit that may affect it`() async throws {
        try await withSession { session, _ in
            let (ann, garden) = (Plant("a", 5), Watched.Garden())
            ann.garden = garden
            try ann.save()
            // All objects are in memory, so no statement reads gardens.
            let size = await FollowedValue(Plant.query) { try $0.first()?.garden?.size }
            let known = await FollowedValue(session) { try Plant.find(1)?.height }
            garden.size = 4
            try garden.save()
            await wait { size.values.count == 2 }
            ann.height = 6
            try ann.save()
            await wait { known.values.count == 2 }
            #expect(size.values == [0, 4] && known.values == [5, 6])
        }
    }

    @Test func `several queries can form one value`() async throws {
        try await withSession { session, _ in
            try session.save([Plant("a", 5), Plant("b", 1)])
            let counts = await FollowedValue(session) {
                [try Plant.where { $0.height > 3 }.count(), try Watched.Garden.query.count()]
            }
            try Watched.Garden().save()
            await wait { counts.values.count == 2 }
            try Plant("c", 8).save()
            await wait { counts.values.count == 3 }
            expect(counts.values, [[1, 0], [1, 1], [2, 1]])
        }
    }

    @Test func `a soft deletion updates a watched count`() async throws {
        try await withSession { session, _ in
            let tool = Watched.Tool()
            try tool.save()
            let count = await FollowedValue(Watched.Tool.query) { try $0.count() }
            let asks = count.askCount
            tool.price = 8
            try tool.save()
            await settle()
            // `updatedAt` is also an unrelated column.
            if !TestEngine.isPostgres { expect(count.askCount, asks) }
            try tool.delete()
            await wait { count.values.count == 2 }
            expect(count.values, [1, 0])
        }
    }

    @Test func `an error or the end of the store ends watched values`() async throws {
        try await withSession { session, _ in
            try Plant("a").save()
            let wrong = await FollowedValue(Plant.where { $0.name.isEmpty }) { try $0.order(by: \.shout).ids() }
            await wait { wrong.hasEnded }
            #expect(wrong.error != nil && wrong.values.isEmpty)
            struct Odd: Error {}
            let later = await FollowedValue(Plant.query) { query in
                let count = try query.count()
                if count > 1 { throw Odd() }
                return count
            }
            try Plant("b").save()
            await wait { later.hasEnded }
            #expect(later.error is Odd && later.values == [1])
            let last = await FollowedValue(Plant.query) { try $0.count() }
            session.store.close()
            await wait { last.hasEnded }
            #expect(last.hasEnded && last.error == nil && last.values == [2])
        }
    }

    @Test func `a background session can watch values`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let counts = try await store.perform { session in
            var counts: [Int] = []
            for try await count in session.updates({ try Plant.query.count() }) {
                counts.append(count)
                if count == 3 { break }
                try Plant("p").save()
            }
            return counts
        }
        expect(counts, [0, 1, 2, 3])
    }
}

extension Watched.Plant {
    fileprivate var shout: String { name + "!" }
}
