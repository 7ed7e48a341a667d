import PersistentObjects
import TestSupport
import Testing

/// Observers of an object are notified once for each property that the library changes.
@MainActor struct ObserverTests {
    /// Runs the body with a saved item and its observers.
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

    /// Changes the item's row in another session.
    private func change(_ item: ObservedItem, _ session: Session, _ edit: (ObservedItem) throws -> Void) throws {
        let id = try #require(item.id)
        try session.inAnother {
            let other = try #require(try ObservedItem.find(id))
            try edit(other)
            try other.save()
        }
    }

    @Test func `a reload notifies observers of the changed properties`() throws {
        try withItem { session, item, observers in
            try change(item, session) { $0.n = 9 }
            expect(observers.told(), [])
            try item.reload()
            #expect(item.n == 9 && observers.told() == ["n"])
            try item.reload()
            expect(observers.told(), [])
        }
    }

    @Test func `properties of all types notify their observers`() throws {
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

    @Test func `queries, finds and refresh notify observers of refreshed values`() throws {
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
                // `find` may return the object as it is in memory; a query refreshes it.
                if item.n != 10 + number { _ = try ObservedItem.all() }
                expect(item.n, 10 + number)
                expect(observers.told(), ["n"])
            }
        }
    }

    @Test func `a property with unsaved edits is not refreshed and does not notify`() throws {
        try withItem { session, item, observers in
            item.n = 5
            expect(observers.told(), ["n"])
            try change(item, session) { ($0.n, $0.name) = (7, "c") }
            _ = try ObservedItem.all()
            #expect(item.n == 5 && item.name == "c" && observers.told() == ["name"])
        }
    }

    @Test func `reverting all or one property notifies its observers`() throws {
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

    @Test func `a rollback notifies observers of the restored values`() throws {
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

    @Test func `an update by a query notifies observers at the next query that returns the object`() throws {
        try withItem { _, item, observers in
            try ObservedItem.where { $0.n == 1 }.update { $0.n = 6 }
            _ = try ObservedItem.all()
            #expect(item.n == 6 && observers.told() == ["n"])
        }
    }

    @Test func `undo and redo notify observers of the restored values`() throws {
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

    @Test func `a deletion notifies observers of references and collections that it clears`() throws {
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

    @Test func `merging a snapshot notifies observers of the values that it sets`() throws {
        try withItem { session, item, observers in
            var form = item.snapshot()
            try form.set(\.name, to: "from the form")
            try session.merge(form)
            #expect(item.name == "from the form" && observers.told() == ["name"])
        }
    }

    @Test func `setting a property by name notifies its observers`() throws {
        try withItem { _, item, observers in
            try item.set("n", to: 4)
            #expect(item.n == 4 && observers.told() == ["n"])
            let new = ObservedItem()
            let others = Observers(new, ObservedItem.reads)
            try new.set("n", to: 4)
            expect(others.told(), ["n"])
        }
    }

    @Test func `a conflict resolved for the other session notifies observers`() throws {
        try withItem { session, item, observers in
            item.name = "mine"
            try change(item, session) { $0.name = "theirs" }
            _ = observers.told()
            try item.save(.onConflict(.theirs))
            #expect(item.name == "theirs" && observers.told() == ["name"])
        }
    }

    @Test func `a reload notifies observers of computed properties, but not of transient ones`() throws {
        try withItem { session, item, _ in
            let observers = Observers(item, ["label": { _ = $0.label }, "isSelected": { _ = $0.isSelected }])
            try change(item, session) { $0.ignored = 3 }
            try item.reload()
            #expect(item.label == "number 3" && observers.told() == ["label"])
        }
    }

    @Test func `properties of each class in a hierarchy notify their observers`() throws {
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

    @Test func `changes of another object notify no observer`() throws {
        try withItem { session, item, observers in
            let other = ObservedItem()
            try other.save()
            try change(other, session) { $0.n = 9 }
            try session.refresh()
            #expect(other.n == 9 && observers.told() == [])
        }
    }

    @Test func `an object outlives its session, and revert notifies observers`() throws {
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
