import StoreEngine
import TestSupport
import Testing

/// Lists of integers as one argument.
@Suite struct IntegerListTests {
    @Test(
        arguments: [
            [], [0], [.min, .max], [-1, 10, -10, 99, 100, 1_000_000_007], Array(-40_000..<40_000),
        ] as [[Int64]])
    func `each integer of a list is read back, in order`(list: [Int64]) throws {
        try withConnection { connection throws in
            let statement = try connection.statement("SELECT value, type FROM json_each(?) ORDER BY key")
            defer { statement.finish() }
            // Again, because the memory of the first list's text is used again.
            for _ in 0..<2 {
                statement.reset()
                statement.beginBinding()
                try statement.bind(list: list, at: 1)
                var found: [Int64] = []
                while try statement.step() {
                    found.append(statement.integer(0))
                    #expect(try statement.column(1).value() == .text("integer"))
                }
                expect(found, list)
            }
        }
    }
}
