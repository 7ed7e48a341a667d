import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Objects that cannot start a page because a value has no position in the order.
struct KeysetRefusalTests {
    final class Mark: PersistentObject {
        override class var tableName: String { "refused_mark" }
        var rate = 0.0
        @Lazy var note: String? = nil
        var tags: [String] = []
    }

    @Test func `after(_:limit:) throws for an object whose value cannot be stored`() throws {
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

    @Test func `after(_:limit:) throws if the order contains a collection`() throws {
        try withTemporarySession { session, _ throws in
            let mark = Mark()
            try mark.save()
            let error = #expect(throws: QueryError.self) { try Mark.query.order(by: \.tags).after(mark, limit: 1) }
            #expect(error == .notExpressible("Mark.tags has no order"))
            withExtendedLifetime(session) {}
        }
    }

    @Test func `after(_:limit:) throws for an object whose lazy value cannot be read`() throws {
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
