import TestSupport
import Testing

@testable import PersistentObjects

/// A condition refers to the objects of the closure that creates it.
struct ClosureScopeTests {
    @Test func `a condition on elements throws outside its closure`() throws {
        try withTemporarySession { session, _ throws in
            var kept: Condition?
            let whole = Worker.where { worker in
                worker.friends.any { friend in
                    kept = friend.name == "x"
                    return friend.name == "y"
                }
            }
            #expect(try whole.count() == 0)
            let smuggled = try #require(kept)
            let error = #expect(throws: QueryError.self) { try Worker.where { _ in smuggled }.count() }
            #expect("\(String(describing: error))".contains("The expression refers to objects of another closure"))
            withExtendedLifetime(session) {}
        }
    }
}
