import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The recorded commits, their limits, and their levels.
struct UndoHistoryTests {
    typealias Person = UndoModel.Person

    @Test func `nothing is recorded unless recordsUndo is set`() throws {
        try withTemporarySession { session, _ in
            try Person().save()
            #expect(!session.recordsUndo && !session.canUndo && !session.canRedo && session.undoName == nil)
            let error = try #require(throws: StoreError.self) { try session.undo() }
            #expect(error.code == .misuse && error.message.contains("recordsUndo"))
            session.recordsUndo = true
            #expect(session.recordsUndo && !session.canUndo)
            try expect(session.undo(), false)
            try expect(session.redo(), false)
            try Person().save()
            #expect(session.canUndo)
            session.recordsUndo = false
            #expect(!session.canUndo)
            session.recordsUndo = true
            #expect(!session.canUndo, "what was recorded is forgotten")
        }
    }

    @Test func `a group is one level with a name`() throws {
        try UndoModel.withSession { session, file throws in
            let joe = Person()
            try joe.save()
            let start = try file.rows()
            try session.undoGroup("Rename") {
                joe.name = "A"
                try joe.save()
                try session.undoGroup("inner") {
                    joe.name = "B"
                    joe.tags = ["x"]
                    try joe.save()
                }
                try Person().save()
            }
            #expect(session.undoName == "Rename" && session.redoName == nil)
            let end = try file.rows()
            try session.undo()
            #expect(session.undoName == nil && session.redoName == "Rename" && session.canUndo)
            try expect(file.rows(), start)
            #expect(joe.name == "" && joe.tags == [])
            try session.redo()
            try expect(file.rows(), end)
            #expect(joe.name == "B" && joe.tags == ["x"])
        }
    }

    @Test func `a group that throws keeps its commits as a level, and an empty group is not a level`() throws {
        struct Stop: Error {}
        try UndoModel.withSession { session, _ throws in
            #expect(throws: Stop.self) {
                try session.undoGroup("Half") {
                    try Person().save()
                    throw Stop()
                }
            }
            #expect(try session.undoName == "Half" && Person.count() == 1)
            try session.undo()
            #expect(try Person.count() == 0)
            session.undoGroup("Empty") {}
            #expect(!session.canUndo && session.canRedo, "a group without commits is no level")
        }
    }

    @Test func `undo inside a group is refused`() throws {
        try UndoModel.withSession { session, _ throws in
            try Person().save()
            try session.undoGroup {
                let error = try #require(throws: StoreError.self) { try session.undo() }
                #expect(error.code == .misuse && error.message.contains("undoGroup"))
            }
            #expect(try session.undo())
        }
    }

    @Test func `a commit without changes and a failed commit are not levels`() throws {
        try UndoModel.withSession { session, _ throws in
            let joe = Person()
            joe.email = "a"
            try joe.save()
            session.clearUndo()
            try joe.save()
            try session.execute("UPDATE person SET age = age")
            let other = Person()
            other.email = "a"
            #expect(throws: StoreError.self) { try other.save() }
            #expect(!session.canUndo)
            other.email = "b"
            try other.save()
            try session.undo()
            #expect(try Person.count() == 1 && !session.canUndo)
        }
    }

    @Test func `the limit removes the oldest levels`() throws {
        try UndoModel.withSession { session, _ throws in
            #expect(session.undoLimit == UndoLimit() && session.undoLimit.levels == 100)
            session.undoLimit = UndoLimit(levels: 3)
            let joe = Person()
            for age in 0..<6 {
                joe.age = age
                try joe.save()
            }
            #expect(try (0..<4).map { _ in try session.undo() } == [true, true, true, false])
            #expect(joe.age == 2)
            session.undoLimit.levels = 2
            #expect(try (0..<3).map { _ in try session.redo() } == [true, true, false], "the latest goes")
            #expect(joe.age == 4)
            session.undoLimit.bytes = 1
            #expect(!session.canUndo && !session.canRedo)
            joe.name = String(repeating: "x", count: 10_000)
            session.undoLimit = UndoLimit(bytes: 5000)
            joe.age = 9
            try joe.save()
            #expect(!session.canUndo, "a commit too large by itself ends the history")
            joe.age = 10
            try joe.save()
            #expect(session.canUndo)
            session.undoGroup("Large") {
                #expect(throws: Never.self) {
                    for name in ["x", "y", "z"] {
                        joe.name = String(repeating: name, count: 2000)
                        try joe.save()
                    }
                }
            }
            #expect(!session.canUndo, "nor is a group kept that is too large")
            joe.age = 11
            try joe.save()
            #expect(session.canUndo)
            session.undoLimit.levels = -1
            #expect(!session.canUndo)
        }
    }

    @Test func `the size of a group is the sum of its commits, and the limit is inclusive`() throws {
        try UndoModel.withSession { session, _ throws in
            let joe = Person()
            joe.age = 0
            try joe.save()
            session.clearUndo()
            let history = try #require(session.writing.undoHistory)
            joe.age = 1
            try joe.save()
            let one = history.counts.bytes
            try session.undoGroup("Two") {
                for age in 2...3 {
                    joe.age = age
                    try joe.save()
                }
            }
            #expect(one > 0 && history.counts == (2, 0, 3 * one))
            session.undoLimit.bytes = 3 * one
            #expect(history.counts == (2, 0, 3 * one))
            session.undoLimit.bytes = 3 * one - 1
            #expect(history.counts == (1, 0, 2 * one))
        }
    }

    @Test func `the limit can be set before recording starts`() throws {
        try withTemporarySession { session, _ in
            session.undoLimit = UndoLimit(levels: 1)
            session.recordsUndo = true
            try session.save([Person()])
            try session.save([Person()])
            try expect((0..<2).map { _ in try session.undo() }, [true, false])
        }
    }

    @Test func `the first use of a class is not a level`() throws {
        try withTemporarySession { session, _ in
            session.recordsUndo = true
            _ = try Person.count()
            #expect(!session.canUndo)
            let joe = Person()
            try joe.save()
            // Adds a column to the table.
            let ann = UndoModel.Employee()
            ann.salary = 5
            try ann.save()
            try session.undo()
            try session.undo()
            #expect(joe.isDeleted && ann.isDeleted && !session.canUndo)
            try session.redo()
            try session.redo()
            #expect(!joe.isDeleted && !ann.isDeleted && ann.salary == 5)
        }
    }

    @Test func `a change that cannot be recorded clears the history and causes a note`() throws {
        let notes = Recorder<String>()
        try UndoModel.withSession(.init(onNote: { notes.add($0) })) { session, _ throws in
            try Person().save()
            try session.execute("CREATE TABLE own (a INTEGER, b INTEGER)")
            #expect(session.canUndo, "a table alone is nothing to undo")
            try session.execute("INSERT INTO own VALUES (1, 2)")
            #expect(!session.canUndo && notes.all.count == 1 && notes.all[0].contains("own"))
            try Person().save()
            #expect(try session.undo())
        }
    }

    @Test func `undo works after reset, and an ended session records nothing`() throws {
        let store = try Store.temporary()
        var escaped: Session?
        try store.withSession { session in
            session.recordsUndo = true
            let joe = Person()
            joe.name = "Joe"
            try joe.save()
            try session.reset()
            try session.undo()
            #expect(try Person.count() == 0)
            try session.redo()
            #expect(try Person.first()?.name == "Joe" && !joe.isDeleted)
            escaped = session
        }
        #expect(escaped?.recordsUndo == false && escaped?.canUndo == false)
        escaped?.recordsUndo = true
        #expect(escaped?.recordsUndo == false)
        #expect(throws: StoreError.self) { try escaped?.undo() }
        try store.withSession { session in
            // The new session uses the connection of the previous session.
            #expect(!session.recordsUndo && !session.canUndo)
            try Person().save()
            #expect(!session.canUndo)
        }
    }
}
