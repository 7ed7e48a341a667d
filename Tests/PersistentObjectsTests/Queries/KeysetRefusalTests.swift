import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Objects that a page cannot go on from, for a value that has no place in the order.
struct KeysetRefusalTests {
    final class Mark: PersistentObject {
        override class var tableName: String { "refused_mark" }
        var rate = 0.0
        @Lazy var note: String? = nil
        var tags: [String] = []
    }

    @Test func `from an object without a value that is stored no page goes on`() throws {
        try withTemporarySession(.init(lostEdits: .ignore)) { session, _ throws in
            let mark = Mark()
            try mark.save()
            mark.rate = .nan
            let error = #expect(throws: (any Error).self) { try Mark.query.order(by: \.rate).after(mark, limit: 1) }
            #expect(error.map { "\($0)".contains("Mark.rate") } == true, "\(String(describing: error))")
            mark.revert()
            withExtendedLifetime(session) {}
        }
    }

    @Test func `in an order by a collection nothing is behind anything`() throws {
        try withTemporarySession { session, _ throws in
            let mark = Mark()
            try mark.save()
            let error = #expect(throws: QueryError.self) { try Mark.query.order(by: \.tags).after(mark, limit: 1) }
            #expect(error == .notExpressible("Mark.tags has no order"))
            withExtendedLifetime(session) {}
        }
    }

    @Test func `from an object whose lazy value cannot be read no page goes on`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { _ in try Mark().save() }
            try store.withSession { _ throws in
                let mark = try #require(try Mark.query.all().first)
                _ = try file.sqlite("DELETE FROM refused_mark")
                let error = #expect(throws: StoreError.self) {
                    try Mark.query.order(by: \.note).after(mark, limit: 1)
                }
                #expect(error?.code == .rowGone && error?.property == "note" && error?.rowID == 1)
            }
        }
    }
}
