import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// The search for the place of a new row in a long list.
@Suite(.hangLimit, .onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
struct PlaceSearchTests {
    private typealias Plant = Watched.Plant

    /// The statements that search: one tells whether the query finds the row, and the others compare it with rows of
    /// the list.
    private static let fewest = 2

    @Test func `a new row at an end is found by one comparison, and any other row at its place`() async throws {
        try await withSession { session, _ in
            try session.save((1...300).map { Plant("\($0)", $0 * 2) })
            var tall = Plant.where { $0.height > -100 }.order(by: \.height).updates().makeAsyncIterator()
            var heights = try #require(try await tall.next()).map(\.height)
            let log = try StatementLog(session)
            for height in [1, 601, -1, 603, 3, 599, 300, 301, 151, 449, 2, 600] {
                log.removeAll()
                try Plant("new", height).save()
                let place = heights.firstIndex { $0 > height } ?? heights.count
                let isAtEnd = place == 0 || place == heights.count
                heights.insert(height, at: place)
                let update = try #require(try await tall.next())
                expect(update.inserted, [place])
                expect(update.map(\.height), heights)
                let searches = log.statements.filter { $0.contains("json_each") && $0.contains("ORDER BY") }
                #expect(isAtEnd ? searches.count == Self.fewest : searches.count > Self.fewest, "\(searches)")
            }
        }
    }
}
