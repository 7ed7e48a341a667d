import TestSupport
import Testing

@testable import PersistentObjects

/// Optional collections that another session sets to nil.
struct NilCollectionTests {
    final class Box: PersistentObject {
        override class var tableName: String { "nil_collection_box" }
        var name = ""
        var tags: [String]? = ["a"]
    }

    private func makeNil(_ box: Box, _ store: Store) throws {
        try store.withSession { _ throws in
            let other = try Box.all()[0]
            other.tags = nil
            try other.save()
        }
    }

    @Test func `a collection that another session set to nil becomes nil`() throws {
        try withTemporarySession { session, _ throws in
            let box = Box()
            try box.save()
            try makeNil(box, session.store)
            try expect(Box.all(), [box])
            #expect(box.tags == nil && !box.hasChanges)
        }
    }

    @Test
    func `an edit of a collection set to nil elsewhere is a conflict, unless it sets nil too`() throws {
        for isNil in [false, true] {
            try withTemporarySession(.init(lostEdits: .ignore)) { session, file throws in
                let box = Box()
                try box.save()
                try makeNil(box, session.store)
                box.tags = isNil ? nil : ["mine"]
                #expect(try Box.all() == [box])
                guard isNil else {
                    let error = #expect(throws: StoreError.self) { try box.save() }
                    #expect(error?.code == .staleObject && error?.conflicts.first?.property == "tags")
                    #expect(try file.sqlite("SELECT count(*) FROM nil_collection_box_tags") == "0")
                    return
                }
                try box.save()
                #expect(box.tags == nil && !box.hasChanges)
            }
        }
    }

    @Test func `an edit is kept when the collection is read again, and dropped by a reload`() throws {
        try withTemporarySession { session, _ throws in
            let box = Box()
            try box.save()
            try makeNil(box, session.store)
            box.tags = ["mine"]
            try expect(Box.all(), [box])
            #expect(box.tags == ["mine"] && box.hasChanges)
            try box.reload()
            #expect(box.tags == nil && !box.hasChanges)
        }
    }
}
