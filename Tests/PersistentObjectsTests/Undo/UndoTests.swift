import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The effects of `undo()` and `redo()` on the file and on objects.
struct UndoTests {
    typealias Person = UndoModel.Person
    typealias Company = UndoModel.Company
    typealias Pet = UndoModel.Pet

    @Test func `an update is undone and redone`() throws {
        try UndoModel.withSession { session, file throws in
            let joe = Person()
            joe.name = "Smith"
            try joe.save()
            joe.name = "Jones"
            joe.age = 40
            try joe.save()
            #expect(session.canUndo && !session.canRedo)
            #expect(try session.undo())
            #expect(joe.name == "Smith" && joe.age == nil && !joe.hasChanges)
            try expect(file.file.sqlite("SELECT name, age FROM person"), "Smith|")
            #expect(session.canUndo && session.canRedo)
            #expect(try session.redo())
            #expect(joe.name == "Jones" && joe.age == 40 && !joe.hasChanges && !session.canRedo)
            try expect(file.file.sqlite("SELECT name, age FROM person"), "Jones|40")
        }
    }

    @Test(.onSQLite("PostgreSQL has no full text search yet"))
    func `the search index follows undo and redo`() throws {
        try UndoModel.withSession { session, _ throws in
            let note = UndoModel.Note()
            note.text = "Smith"
            try note.save()
            note.text = "Jones"
            try note.save()
            try session.undo()
            #expect(try UndoModel.Note.search("smith").all() == [note] && UndoModel.Note.search("jones").all() == [])
            try session.redo()
            #expect(try UndoModel.Note.search("jones").all() == [note] && UndoModel.Note.search("smith").all() == [])
        }
    }

    @Test func `undoing an insertion deletes the object, and redo restores it`() throws {
        try UndoModel.withSession { session, _ throws in
            let joe = Person()
            joe.name = "Smith"
            joe.tags = ["a", "b"]
            joe.marks = ["x": 1]
            try joe.save()
            let id = joe.id
            try session.undo()
            #expect(joe.isDeleted && joe.name == "Smith" && !session.canUndo)
            #expect(try Person.count() == 0 && session.rows("SELECT * FROM person_tags").isEmpty)
            #expect(throws: StoreError.self) { try joe.save() }
            try session.redo()
            #expect(!joe.isDeleted && !joe.isNew && joe.id == id && joe.tags == ["a", "b"] && joe.marks == ["x": 1])
            #expect(try Person.find(id ?? 0) === joe && !joe.hasChanges)
            joe.tags.insert("c")
            try joe.save()
            try expect(session.rows("SELECT value FROM person_tags").count, 3)
        }
    }

    @Test func `undoing a deletion restores the same instances with their cascades`() throws {
        try UndoModel.withSession { session, file throws in
            let joe = Person()
            let ann = UndoModel.Employee()
            (joe.name, ann.name, ann.salary) = ("Joe", "Ann", 7)
            joe.friends = [ann, joe, ann]
            ann.friends = [joe]
            joe.note = "a note"
            joe.passport = UndoModel.Passport()
            let rex = Pet()
            let tom = Pet()
            (rex.name, tom.name) = ("Rex", "Tom")
            (rex.owner, tom.owner) = (joe, joe)
            try session.save([joe, ann, rex, tom])
            expect(joe.pets, [rex, tom])
            let before = try file.rows()
            let passport = joe.passport
            try joe.delete()
            #expect(joe.isDeleted && rex.isDeleted && ann.friends.isEmpty && passport?.isDeleted == true)
            let after = try file.rows()
            try session.undo()
            try expect(file.rows(), before)
            #expect(!joe.isDeleted && !rex.isDeleted && !tom.isDeleted && passport?.isDeleted == false)
            #expect(try Person.all() == [joe, ann] && Pet.all() == [rex, tom])
            #expect(joe.friends == [ann, joe, ann] && ann.friends == [joe] && joe.passport === passport)
            #expect(joe.pets == [rex, tom] && rex.owner === joe && joe.note == "a note")
            #expect(!joe.hasChanges && !ann.hasChanges && !rex.hasChanges && !tom.hasChanges)
            try session.redo()
            try expect(file.rows(), after)
            #expect(joe.isDeleted && rex.isDeleted && !ann.isDeleted && ann.friends.isEmpty)
            try session.undo()
            joe.pets.removeFirst()
            joe.friends.removeLast()
            try joe.save()
            #expect(rex.owner == nil && joe.friends == [ann, joe])
            withExtendedLifetime((tom, passport)) {}
        }
    }

    @Test func `a deleted object that was released is recreated by undo`() throws {
        try UndoModel.withSession { session, _ throws in
            var joe: Person? = Person()
            joe?.name = "Joe"
            try joe?.save()
            try joe?.delete()
            weak let old = joe
            joe = nil
            #expect(old == nil, "the history keeps no objects")
            try session.undo()
            try expect(Person.first()?.name, "Joe")
        }
    }

    @Test func `edits of a deleted object are discarded when undo restores it`() throws {
        try UndoModel.withSession { session, _ throws in
            let joe = Person()
            (joe.name, joe.tags) = ("Joe", ["a"])
            try joe.save()
            joe.age = 5
            try joe.delete()
            (joe.name, joe.tags, joe.friends) = ("other", ["b"], [joe])
            try session.undo()
            #expect(joe.name == "Joe" && joe.tags == ["a"] && joe.friends == [] && joe.age == nil && !joe.hasChanges)
        }
    }

    @Test func `undo keeps unsaved edits, and a new commit clears redo`() throws {
        try UndoModel.withSession { session, _ throws in
            let joe = Person()
            let ann = Person()
            try session.save([joe, ann])
            joe.name = "Joe"
            try joe.save()
            joe.age = 5
            joe.tags = ["new"]
            ann.name = "edited"
            let new = Person()
            new.name = "new"
            try session.undo()
            #expect(joe.name == "" && joe.age == 5 && joe.tags == ["new"] && ann.name == "edited")
            #expect(joe.changes.map(\.name) == ["age", "tags"] && new.isNew && new.name == "new")
            try session.save([joe, ann, new])
            #expect(!session.canRedo, "a new commit ends what can be done again")
            #expect(try !session.redo())
        }
    }

    @Test func `references, collections and inverses follow undo and redo`() throws {
        try UndoModel.withSession { session, file throws in
            let acme = Company()
            acme.desks = [UndoModel.Desk(), UndoModel.Desk(), UndoModel.Desk()]
            for (number, desk) in acme.desks.enumerated() { desk.number = number }
            let (joe, ann) = (Person(), Person())
            let rex = Pet()
            rex.owner = joe
            try session.save([acme, joe, ann, rex])
            let desks = acme.desks
            let start = try file.rows()
            joe.employer = acme
            joe.friends = [ann, joe]
            rex.owner = ann
            acme.desks = [desks[2], desks[0]]
            try session.save([joe, rex, acme])
            #expect(desks[1].isDeleted && ann.pets == [rex] && joe.pets == [])
            let end = try file.rows()
            try session.undo()
            try expect(file.rows(), start)
            #expect(joe.employer == nil && joe.friends == [] && rex.owner === joe && acme.desks == desks)
            #expect(ann.pets == [] && joe.pets == [rex] && !desks[1].isDeleted)
            try session.redo()
            try expect(file.rows(), end)
            #expect(joe.employer === acme && joe.friends == [ann, joe] && acme.desks == [desks[2], desks[0]])
            #expect(ann.pets == [rex] && joe.pets == [] && desks[1].isDeleted)
        }
    }

    @Test func `raw SQL, and updates and deletions by queries, are levels`() throws {
        try UndoModel.withSession { session, file throws in
            let people = (0..<5).map { number in
                let person = Person()
                (person.name, person.age) = ("P\(number)", number)
                return person
            }
            try session.save(people)
            var states = [try file.rows()]
            try session.execute("UPDATE person SET age = age + 10 WHERE age > ?", 2)
            states.append(try file.rows())
            try Person.where { $0.age > 3 }.update { $0.name = "Q" }
            states.append(try file.rows())
            _ = try Person.where { $0.age > 12 }.delete()
            states.append(try file.rows())
            _ = try Person.deleteAll()
            states.append(try file.rows())
            for state in states.dropLast().reversed() {
                try session.undo()
                #expect(try file.rows() == state)
            }
            #expect(people.map(\.age) == [0, 1, 2, 3, 4] && people.allSatisfy { !$0.isDeleted && !$0.hasChanges })
            for state in states.dropFirst() {
                try session.redo()
                #expect(try file.rows() == state)
            }
            #expect(people.allSatisfy { $0.isDeleted })
        }
    }

    @Test func `exchanged unique values are exchanged back`() throws {
        try UndoModel.withSession { session, _ throws in
            let (joe, ann) = (Person(), Person())
            (joe.email, ann.email) = ("a", "b")
            try session.save([joe, ann])
            (joe.email, ann.email) = ("b", "a")
            try session.save([joe, ann])
            try session.undo()
            #expect(joe.email == "a" && ann.email == "b")
            #expect(try Person.findFirstBy.email("a") === joe)
            try session.redo()
            #expect(joe.email == "b" && ann.email == "a")
            #expect(try Person.findFirstBy.email("a") === ann)
        }
    }

    @Test func `a deletion of all rows by an already cached statement is recorded`() throws {
        try withTemporarySession { session, file in
            let joe = Company()
            joe.name = "Acme"
            try joe.save()
            _ = try session.execute("DELETE FROM company")
            let ann = Company()
            try ann.save()
            session.recordsUndo = true
            _ = try session.execute("DELETE FROM company")
            #expect(try session.undo())
            try expect(file.sqlite("SELECT id FROM company"), "\(ann.id ?? 0)")
        }
    }

    @Test(.onSQLite("the trigger of the test is SQLite's"))
    func `undo and redo do not run user triggers, and revert their changes`() throws {
        try UndoModel.withSession { session, file throws in
            _ = try session.execute("CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)")
            _ = try session.execute(
                "CREATE TRIGGER noted AFTER UPDATE ON person BEGIN INSERT INTO log (text) VALUES (NEW.name); "
                    + "UPDATE company SET name = name || '!'; END")
            let joe = Person()
            let acme = Company()
            try session.save([joe, acme])
            joe.name = "Joe"
            try joe.save()
            try expect(file.file.sqlite("SELECT text FROM log; SELECT name FROM company"), "Joe\n!")
            try session.undo()
            #expect(try file.file.sqlite("SELECT text FROM log; SELECT name FROM company") == "" && acme.name == "")
            try session.redo()
            try expect(file.file.sqlite("SELECT text FROM log; SELECT name FROM company"), "Joe\n!")
            expect(acme.name, "!")
            joe.name = "Jim"
            try joe.save()
            expect(acme.isDeleted, false)
            try expect(file.file.sqlite("SELECT count(*) FROM log"), "2", "triggers run again afterwards")
        }
    }

    @Test func `undo reads only the rows that it writes`() throws {
        func count(_ size: Int) throws -> Int {
            var count = 0
            try UndoModel.withSession { session, _ throws in
                let pets = (0..<size).map { _ in Pet() }
                let joe = Person()
                try session.save(pets + [joe])
                for pet in pets[..<2] { pet.owner = joe }
                try session.save(pets)
                #expect(joe.pets == Array(pets[..<2]))
                count = try statements(of: session) { try session.undo() }.count
                #expect(joe.pets.isEmpty && pets.allSatisfy { $0.owner == nil })
            }
            return count
        }
        #expect(try count(2) == count(80))
    }

    @Test func `rows without objects in memory update loaded inverses`() throws {
        try UndoModel.withSession { session, _ throws in
            let (joe, ann) = (Person(), Person())
            try session.save([joe, ann])
            try session.execute("INSERT INTO pet (name, owner_id) VALUES ('Rex', 1)")
            try session.refresh()
            expect(joe.pets.map(\.name), ["Rex"])
            session.memory.heldTargets = []
            try session.execute("UPDATE pet SET owner_id = 2")
            try session.undo()
            #expect(joe.pets.map(\.name) == ["Rex"] && ann.pets.isEmpty)
            try session.undo()
            #expect(joe.pets.isEmpty)
            try session.redo()
            expect(joe.pets.map(\.name), ["Rex"])
        }
    }
}
