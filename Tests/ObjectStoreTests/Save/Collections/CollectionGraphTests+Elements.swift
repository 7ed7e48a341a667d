import TestSupport
import Testing

@testable import PersistentObjects

extension CollectionGraphTests {
    // MARK: Elements

    @Test func `unsaved elements are saved with their owner, each once`() throws {
        try withTemporarySession { session, file in
            let shelf = Shelf()
            let thing = Thing()
            shelf.things = [thing, thing, Box()]
            shelf.unique = [thing]
            shelf.byNumber = [1: thing, 2: Ball()]
            shelf.perhapsThings = [Ball()]
            try shelf.save()
            try expect(file.sqlite("SELECT count(*) FROM thing"), "4")
            #expect(shelf.things.allSatisfy { !$0.isNew && !$0.hasChanges } && !shelf.hasChanges)
            thing.name = "changed"
            shelf.things.append(Box())
            try shelf.save()
            try expect(file.sqlite("SELECT count(*), sum(name = 'changed') FROM thing"), "5|1")
            try session.saveChanges()
        }
    }

    @Test func `an element whose row is missing is an error, in fetches and saves`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { _ in
                let shelf = Shelf()
                shelf.things = Self.things(3)
                try shelf.save()
                _ = try file.sqlite("PRAGMA foreign_keys = OFF; DELETE FROM thing WHERE id = 2")
                let other = Shelf()
                other.things = [shelf.things[1]]
                let error = #expect(throws: StoreError.self) { try other.save() }
                #expect(error?.code == .brokenReference && error?.property == "things" && other.isNew)
            }
            try store.withSession { session in
                let error = #expect(throws: StoreError.self) { try Shelf.all() as [Shelf] }
                #expect(error?.code == .brokenReference && error?.property == "things" && error?.rowID == 1)
                #expect(session.classes.allIdentities.allSatisfy { $0.brokenInvariant() == nil })
                #expect(try Thing.count() == 2)
                _ = try file.sqlite("DELETE FROM shelf_things WHERE value_id = 2")
                #expect(try Shelf.first()?.things.count == 2)
            }
        }
    }

    @Test func `a save is refused while a collection contains a deleted element`() throws {
        try withTemporarySession { _, _ in
            let shelf = Shelf()
            try shelf.save()
            let thing = Thing()
            try thing.save()
            try thing.delete()
            shelf.things = [thing]
            let error = #expect(throws: StoreError.self) { try shelf.save() }
            #expect(error?.code == .objectIsDeleted && error?.property == "things")
            shelf.things = []
            try shelf.save()
        }
    }

    @Test func `an owned element that moves to a new owner is not deleted`() throws {
        try withTemporarySession { session, file in
            let shelf = Shelf()
            shelf.owned = [Ball(), Ball(), Ball()]
            try shelf.save()
            let balls = shelf.owned
            let other = Shelf()
            other.owned = [balls[0]]
            shelf.owned = [balls[1]]
            try session.save([shelf, other])
            #expect(!balls[0].isDeleted && balls[2].isDeleted && other.owned == [balls[0]])
            try expect(file.sqlite("SELECT group_concat(id) FROM thing"), "1,2")
            let third = Shelf()
            try third.save()
            third.owned = [balls[1]]
            shelf.owned = []
            try session.saveChanges()
            #expect(!balls[1].isDeleted)
            try expect(file.sqlite("SELECT owner_id, value_id FROM shelf_owned ORDER BY 1"), "2|1\n3|2")
        }
    }

    @Test func `an owned element that moves to another owning collection is not deleted`() throws {
        try withTemporarySession { session, file in
            let shelf = Shelf()
            shelf.owned = [Ball(), Ball()]
            try shelf.save()
            let balls = shelf.owned
            shelf.owned = [balls[1]]
            shelf.spare = [balls[0]]
            try shelf.save()
            #expect(!balls[0].isDeleted)
            shelf.owned = []
            shelf.spare = []
            shelf.lazy = [balls[1]]
            try shelf.save()
            #expect(balls[0].isDeleted && !balls[1].isDeleted)
            try expect(file.sqlite("SELECT group_concat(id) FROM thing"), "2")
            #expect(session.classes.allIdentities.allSatisfy { $0.brokenInvariant() == nil })
        }
    }

    @Test func `elements that leave a lazy owning collection that was never loaded are deleted`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { _ in
                let shelf = Shelf()
                shelf.lazy = [Ball(), Ball()]
                try shelf.save()
            }
            try store.withSession { _ in
                let shelf = try #require(try Shelf.first())
                shelf.lazy = [try #require(try Ball.find(2))]
                try shelf.save()
                try expect(file.sqlite("SELECT group_concat(id) FROM thing"), "2")
                shelf.lazy = []
                try shelf.save()
                try expect(file.sqlite("SELECT count(*) FROM thing"), "0")
            }
        }
    }
}
