import TestSupport
import Testing

@testable import PersistentObjects

/// Collections that may be nil, where others make them nil.
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

    @Test func `what others make nil is nil here, too`() throws {
        try withTemporarySession { session, _ throws in
            let box = Box()
            try box.save()
            try makeNil(box, session.store)
            #expect(try Box.all() == [box])
            #expect(box.tags == nil && !box.hasChanges)
        }
    }

    @Test func `an edit stays when the collection is read again, and goes with a reload`() throws {
        try withTemporarySession { session, _ throws in
            let box = Box()
            try box.save()
            try makeNil(box, session.store)
            box.tags = ["mine"]
            #expect(try Box.all() == [box])
            #expect(box.tags == ["mine"] && box.hasChanges)
            try box.reload()
            #expect(box.tags == nil && !box.hasChanges)
        }
    }
}
