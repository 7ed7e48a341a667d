import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// Watched queries deliver their results at once and after each relevant commit.
@Suite(.hangLimit)
struct LiveQueryTests {
    typealias Person = HeardEvents.Person

    private func adults() -> Query<Person> { Person.where { $0.age > 17 }.order(by: \.name) }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `updates deliver the current results first, and then each difference`() async throws {
        try await withSession { session, _ in
            let (ann, bob, cid) = (Person("Ann", age: 20), Person("Bob", age: 20), Person("Cid", age: 3))
            try session.save([ann, bob, cid])
            var updates = adults().updates().makeAsyncIterator()
            let first = try #require(try await updates.next())
            #expect(first.isFirst && first.objects == [ann, bob] && Array(first.map(\.name)) == ["Ann", "Bob"])
            #expect(first.inserted == [] && first.changed == [])

            cid.age = 18
            try cid.save()
            let second = try #require(try await updates.next())
            #expect(second.objects == [ann, bob, cid] && second.inserted == [2] && !second.isFirst)
            #expect(second[2] === cid && second.count == 3 && second.changed == [])

            ann.name = "Zoe"
            try ann.save()
            let third = try #require(try await updates.next())
            #expect(third.objects == [bob, cid, ann] && third.moved == [.init(from: 0, to: 2)])
            expect(third.changed, [2])

            try bob.delete()
            cid.tags = ["a"]
            try cid.save()
            let fourth = try #require(try await updates.next())
            #expect(fourth.objects == [cid, ann] && fourth.deleted == [0] && fourth.changed == [0])
        }
    }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `irrelevant commits run no query, and commits without a difference send no update`() async throws {
        try await withSession { session, _ in
            try session.save([Person("Ann", age: 20), Person("Cid", age: 3)])
            let company = HeardEvents.Company()
            try company.save()
            var updates = adults().updates().makeAsyncIterator()
            _ = try await updates.next()
            let log = try StatementLog(session)
            company.name = "Acme"
            try company.save()
            try HeardEvents.Passport().save()
            // A change in the queried table, but not in the result: the query runs, but sends no update.
            let cid = try #require(try Person.where { $0.name == "Cid" }.first())
            cid.age = 4
            try cid.save()
            let bob = Person("Bob", age: 20)
            try bob.save()
            let update = try #require(try await updates.next())
            #expect(update.inserted == [1] && update.changed == [])
            #expect(log.statements.count { $0.contains("ORDER BY") && $0.contains("\"age\" >") } == 1)
        }
    }

    @Test func `many commits become one update, and commits without a difference send none`() async throws {
        try await withSession { session, _ in
            _ = try Person.count()
            var updates = adults().updates().makeAsyncIterator()
            _ = try await updates.next()
            for index in 1...100 { try Person("\(index)", age: 20).save() }
            let gone = Person("gone", age: 20)
            try gone.save()
            try gone.delete()
            let update = try #require(try await updates.next())
            #expect(update.count == 100 && update.inserted == Array(0..<100))
            let kid = Person("kid")
            try kid.save()
            try Person("last", age: 30).save()
            try await expect(updates.next()?.count, 101)
        }
    }

    @Test func `changes in other tables that the query reads send updates`() async throws {
        try await withSession { session, _ in
            let (ann, bob) = (Person("Ann"), Person("Bob"))
            let (acme, zen) = (HeardEvents.Company(), HeardEvents.Company())
            (acme.name, zen.name) = ("Acme", "Zen")
            (ann.employer, bob.employer) = (acme, zen)
            try session.save([ann, bob])
            var ordered = Person.query.order { $0.employer.name }.updates().makeAsyncIterator()
            var tagged = Person.where { $0.tags.contains("a") }.updates().makeAsyncIterator()
            try await expect(ordered.next()?.objects, [ann, bob])
            try await expect(tagged.next()?.objects, [])
            acme.name = "Zzz"
            try acme.save()
            try await expect(ordered.next()?.objects, [bob, ann])
            bob.tags = ["a"]
            try bob.save()
            try await expect(tagged.next()?.objects, [bob])
            // Raw SQL in the table of the collection.
            try session.execute("INSERT INTO heard_person_tags (owner_id, position, value) VALUES (?, 1, 'a')", ann)
            try await expect(tagged.next()?.objects, [ann, bob])
        }
    }

    @Test(.onSQLite("the trigger of the test is SQLite's"))
    func `changes by SQL, triggers and delete rules send updates`()
        async throws
    {
        try await withSession { session, _ in
            let (ann, bob) = (Person("Ann", age: 20), Person("Bob", age: 20))
            ann.passport = HeardEvents.Passport()
            ann.employer = HeardEvents.Company()
            try session.save([ann, bob])
            try session.execute(
                """
                CREATE TRIGGER on_company AFTER UPDATE ON heard_company BEGIN
                    UPDATE heard_person SET age = age + 1 WHERE employer_id = new.id;
                END
                """)
            var people = adults().updates().makeAsyncIterator()
            var passports = HeardEvents.Passport.query.updates().makeAsyncIterator()
            _ = try await people.next()
            try await expect(passports.next()?.count, 1)
            try session.execute("UPDATE heard_person SET age = 30 WHERE name = 'Bob'")
            try await expect(people.next()?.changed, [1])
            expect(bob.age, 30)
            let acme = try #require(ann.employer)
            acme.name = "Acme"
            try acme.save()
            try await expect(people.next()?.changed, [0])
            expect(ann.age, 21)
            try ann.delete()
            try await expect(people.next()?.deleted, [0])
            try await expect(passports.next()?.deleted, [0])
            try session.execute("DELETE FROM heard_person")
            try await expect(people.next()?.count, 0)
        }
    }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `commits of other sessions refresh this session's objects and keep edits`() async throws {
        try await withSession { session, _ in
            let (ann, bob) = (Person("Ann", age: 20), Person("Bob", age: 20))
            try session.save([ann, bob])
            var updates = adults().updates().makeAsyncIterator()
            _ = try await updates.next()
            ann.name = "Edited"
            let id = try #require(ann.persistentID)
            try await session.store.perform { _ in
                let ann = try #require(try Person.find(id))
                ann.age = 44
                ann.tags = ["x"]
                try ann.save(.silently)
                try Person("Cid", age: 20).save()
            }
            let update = try #require(try await updates.next())
            #expect(update[0] === ann && ann.age == 44 && ann.tags == ["x"] && ann.name == "Edited")
            #expect(update.changed == [0] && update.inserted == [2])
        }
    }

    @Test func `commits of other processes are delivered after the next call`() async throws {
        try await withSession { session, file in
            let ann = Person("Ann", age: 20)
            try ann.save()
            var updates = adults().updates().makeAsyncIterator()
            _ = try await updates.next()
            _ = try file.sqlite("UPDATE heard_person SET age = 33")
            try expect(Person.all().count, 1)
            try await expect(updates.next()?.changed, [0])
            expect(ann.age, 33)
        }
    }

    @Test func `updates work with limits, untracked objects and subclasses`() async throws {
        try await withSession { session, _ in
            try session.save([Person("B", age: 20), Person("C", age: 20), HeardEvents.Dog()])
            var top = adults().limit(2).updates().makeAsyncIterator()
            var untracked = adults().untracked().updates().makeAsyncIterator()
            var dogs = HeardEvents.Dog.query.updates().makeAsyncIterator()
            _ = try await top.next()
            _ = try await dogs.next()
            try await expect(untracked.next()?.count, 2)
            try Person("A", age: 20).save()
            let update = try #require(try await top.next())
            #expect(update.map(\.name) == ["A", "B"] && update.inserted == [0] && update.deleted == [1])
            try await expect(untracked.next()?.inserted, [0])
            try HeardEvents.Animal().save()
            try HeardEvents.Dog().save()
            try await expect(dogs.next()?.inserted, [1])
        }
    }

    @Test func `updates work with a search and with a condition on a collection of objects`() async throws {
        final class Note: PersistentObject {
            override class var tableName: String { "heard_note" }
            @Searchable var text = ""
            var authors: [Person] = []
        }
        try await withSession { session, _ in
            let (note, joe) = (Note(), Person("Joe"))
            note.authors = [joe]
            try note.save()
            var found = Note.search("smi*").updates().makeAsyncIterator()
            var written = Note.where { $0.authors.any { $0.name == "Joe" } }.updates().makeAsyncIterator()
            try await expect(found.next()?.isEmpty, true)
            try await expect(written.next()?.objects, [note])
            note.text = "a smith"
            try note.save()
            try await expect(found.next()?.objects, [note])
            try await expect(written.next()?.changed, [0])
            try joe.delete()
            try await expect(written.next()?.deleted, [0])
            try session.execute("UPDATE heard_note SET text = 'a baker'")
            try await expect(found.next()?.deleted, [0])
        }
    }

    @Test func `rolled back changes send no update`() async throws {
        try await withSession { session, _ in
            _ = try Person.count()
            var updates = adults().updates().makeAsyncIterator()
            _ = try await updates.next()
            try session.transaction { () throws in
                try Person("Ann", age: 20).save()
                session.rollBack()
            }
            try Person("Bob", age: 20).save()
            try await expect(updates.next()?.map(\.name), ["Bob"])
        }
    }
}
