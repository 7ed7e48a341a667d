import PersistentObjects
import TestSupport
import Testing

/// Whoever observes an object hears what the library changes in it: of each property that has changed, once.
@MainActor struct ObserverTests {
    /// A saved item with observers.
    private func withItem(
        _ body: (Session, ObservedItem, Observers<ObservedItem>) throws -> Void
    ) throws {
        try withTemporarySession { session, _ in
            let item = ObservedItem()
            (item.n, item.name, item.tags) = (1, "a", ["x", "y"])
            try item.save()
            try body(session, item, Observers(item, ObservedItem.reads))
        }
    }

    /// Another session changes the item's row.
    private func change(_ item: ObservedItem, _ session: Session, _ edit: (ObservedItem) throws -> Void) throws {
        let id = try #require(item.id)
        try session.inAnother {
            let other = try #require(try ObservedItem.find(id))
            try edit(other)
            try other.save()
        }
    }

    @Test func `a reload tells of what it has changed`() throws {
        try withItem { session, item, observers in
            try change(item, session) { $0.n = 9 }
            expect(observers.told(), [])
            try item.reload()
            #expect(item.n == 9 && observers.told() == ["n"])
            try item.reload()
            expect(observers.told(), [])
        }
    }

    @Test func `properties of all kinds are told of`() throws {
        try withItem { session, item, observers in
            let owner = ObservedOwner()
            let friend = ObservedItem()
            try session.save([owner, friend])
            let edits: [(String, (ObservedItem) throws -> Void)] = [
                ("name", { $0.name = "b" }), ("size", { $0.size.width = 4 }), ("tags", { $0.tags.append("z") }),
                ("marks", { $0.marks = [3] }), ("prices", { $0.prices = ["a": 1] }), ("notes", { $0.notes = ["q"] }),
                ("notes", { $0.notes = [] }), ("notes", { $0.notes = nil }),
                ("owner", { $0.owner = try ObservedOwner.find(owner.id ?? 0) }),
                ("others", { $0.others = try ObservedItem.find([friend.id ?? 0]) }),
                ("tags", { $0.tags = [] }), ("owner", { $0.owner = nil }), ("others", { $0.others = [] }),
            ]
            _ = observers.told()
            for (name, edit) in edits {
                try change(item, session, edit)
                try session.refresh()
                expect(observers.told(), [name])
            }
        }
    }

    @Test func `a query, a find and a refresh that bring an object up to date tell of it`() throws {
        try withItem { session, item, observers in
            let id = try #require(item.id)
            let reads: [() throws -> Void] = [
                { _ = try ObservedItem.all() },
                { _ = try ObservedItem.findBy.name("a") },
                { _ = try ObservedItem.find([id]) },
                { try session.refresh() },
                { _ = try ObservedItem.where { $0.n > 0 }.first() },
            ]
            for (number, read) in reads.enumerated() {
                try change(item, session) { $0.n = 10 + number }
                try read()
                // What was found by its id is as it is in memory; the query behind it looks.
                if item.n != 10 + number { _ = try ObservedItem.all() }
                expect(item.n, 10 + number)
                expect(observers.told(), ["n"])
            }
        }
    }

    @Test func `what the user is editing is not told of`() throws {
        try withItem { session, item, observers in
            item.n = 5
            expect(observers.told(), ["n"])
            try change(item, session) { ($0.n, $0.name) = (7, "c") }
            _ = try ObservedItem.all()
            #expect(item.n == 5 && item.name == "c" && observers.told() == ["name"])
        }
    }

    @Test func `a revert tells of what it takes back, of all or of one`() throws {
        try withItem { session, item, observers in
            (item.n, item.name, item.tags) = (2, "b", [])
            _ = observers.told()
            item.revert(\.n)
            #expect(item.n == 1 && observers.told() == ["n"])
            item.revert()
            #expect(item.name == "a" && observers.told() == ["name", "tags"])
            item.revert()
            expect(observers.told(), [])
            item.n = 3
            _ = observers.told()
            try session.revert()
            expect(observers.told(), ["n"])
        }
    }

    @Test func `a rollback tells of what it takes back, when it is over`() throws {
        try withItem { session, item, observers in
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try session.transaction {
                    item.n = 8
                    item.tags.append("z")
                    try item.save()
                    _ = observers.told()
                    throw Stop()
                }
            }
            #expect(item.n == 1 && item.tags == ["x", "y"] && observers.told() == ["n", "tags"])
        }
    }

    @Test func `an update by a query is told of by the next query that meets the object`() throws {
        try withItem { _, item, observers in
            try ObservedItem.where { $0.n == 1 }.update { $0.n = 6 }
            _ = try ObservedItem.all()
            #expect(item.n == 6 && observers.told() == ["n"])
        }
    }

    @Test(.onSQLite("undo is the file's")) func `undo and redo tell of what they bring back`() throws {
        try withItem { session, item, observers in
            session.recordsUndo = true
            item.n = 2
            item.tags = ["z"]
            try item.save()
            _ = observers.told()
            try session.undo()
            #expect(item.n == 1 && observers.told() == ["n", "tags"])
            try session.redo()
            #expect(item.n == 2 && observers.told() == ["n", "tags"])
        }
    }

    @Test func `a deletion tells of references and collections that it empties`() throws {
        try withItem { session, item, observers in
            let (owner, friend) = (ObservedOwner(), ObservedItem())
            (item.owner, item.others) = (owner, [friend])
            try item.save()
            _ = observers.told()
            try owner.delete()
            #expect(item.owner == nil && observers.told() == ["owner"])
            try friend.delete()
            #expect(item.others.isEmpty && observers.told() == ["others"])
        }
    }

    @Test func `a snapshot that is merged tells of what it sets`() throws {
        try withItem { session, item, observers in
            var form = item.snapshot()
            try form.set(\.name, to: "from the form")
            try session.merge(form)
            #expect(item.name == "from the form" && observers.told() == ["name"])
        }
    }

    @Test func `a property that is set by its name is told of`() throws {
        try withItem { _, item, observers in
            try item.set("n", to: 4)
            #expect(item.n == 4 && observers.told() == ["n"])
            let new = ObservedItem()
            let others = Observers(new, ObservedItem.reads)
            try new.set("n", to: 4)
            expect(others.told(), ["n"])
        }
    }

    @Test func `a conflict that is decided for the others is told of`() throws {
        try withItem { session, item, observers in
            item.name = "mine"
            try change(item, session) { $0.name = "theirs" }
            _ = observers.told()
            try item.save(.onConflict(.theirs))
            #expect(item.name == "theirs" && observers.told() == ["name"])
        }
    }

    @Test func `what is computed is told of with any change, what is not stored with none`() throws {
        try withItem { session, item, _ in
            let observers = Observers(item, ["label": { _ = $0.label }, "isSelected": { _ = $0.isSelected }])
            try change(item, session) { $0.ignored = 3 }
            try item.reload()
            #expect(item.label == "number 3" && observers.told() == ["label"])
        }
    }

    @Test func `properties of each class of a hierarchy are told of`() throws {
        try withTemporarySession { session, _ in
            let circle = ObservedCircle()
            try circle.save()
            let observers = Observers(circle, ObservedCircle.reads)
            let id = try #require(circle.id)
            for (name, edit) in [
                ("color", { $0.color = "red" }), ("radius", { $0.radius = 4 }),
            ] as [(String, (ObservedCircle) -> Void)] {
                try session.inAnother {
                    let other = try #require(try ObservedCircle.find(id))
                    edit(other)
                    try other.save()
                }
                _ = try ObservedShape.all()
                expect(observers.told(), [name])
            }
        }
    }

    @Test func `nobody is told for an object that nobody observes`() throws {
        try withItem { session, item, observers in
            let other = ObservedItem()
            try other.save()
            try change(other, session) { $0.n = 9 }
            try session.refresh()
            #expect(other.n == 9 && observers.told() == [])
        }
    }

    @Test func `objects outlive their session, and a revert tells of it`() throws {
        let file = try TemporaryStore()
        let item = ObservedItem()
        try file.open().withSession { _ in try item.save() }
        let observers = Observers(item, ObservedItem.reads)
        item.n = 4
        _ = observers.told()
        item.revert()
        #expect(item.n == 0 && observers.told() == ["n"])
    }
}
