import TestSupport
import Testing

@testable import PersistentObjects

/// Closures that run after the commit.
struct AfterCommitTests {
    final class Order: PersistentObject {
        override class var tableName: String { "order" }
        var number = 0
        @Transient var onSave: (() throws -> Void)?
        override func willSave() throws { try onSave?() }
    }

    struct Veto: Error {}

    @Test func `afterCommit closures run once, after the outermost commit`() throws {
        try withTemporarySession { session, file throws in
            var calls: [String] = []
            session.afterCommit { calls.append("at once") }
            try session.transaction { () throws in
                try session.transaction { () throws in
                    try Order().save()
                    session.afterCommit { calls.append("inner") }
                }
                session.afterCommit { calls.append((try? file.sqlite("SELECT count(*) FROM \"order\"")) ?? "") }
                expect(calls, ["at once"])
            }
            expect(calls, ["at once", "inner", "1"])
        }
    }

    @Test func `afterCommit closures do not run if their transaction is rolled back`() throws {
        try withTemporarySession { session, _ throws in
            var calls = 0
            try session.transaction { () throws in
                #expect(throws: Veto.self) {
                    try session.transaction { () throws in
                        session.afterCommit { calls += 1 }
                        throw Veto()
                    }
                }
                session.afterCommit { calls += 10 }
                session.rollBack()
            }
            #expect(calls == 0)
        }
    }

    @Test func `an afterCommit closure added in a hook runs after the commit of the save`() throws {
        try withTemporarySession { session, _ throws in
            let order = Order()
            var calls: [Bool] = []
            order.onSave = { session.afterCommit { calls.append(order.isNew) } }
            try order.save()
            #expect(calls == [false])
            order.number = 1
            order.onSave = {
                session.afterCommit { calls.append(true) }
                throw Veto()
            }
            #expect(throws: Veto.self) { try order.save() }
            order.onSave = nil
            try order.save()
            #expect(calls == [false])
        }
    }
}
