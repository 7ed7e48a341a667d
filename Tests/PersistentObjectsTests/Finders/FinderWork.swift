import Testing

@testable import PersistentObjects

/// Requires that four times as many pieces cost at most four times the work, plus a constant.
///
/// Counts start small, so that superlinear growth is detected while the work is still small.
func requireLinearWork(
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ work: (_ count: Int) throws -> Int
) throws {
    var (count, done) = (2, try work(2))
    while count < 500 {
        let next = try work(4 * count)
        try #require(next <= 4 * done + 200, comment, sourceLocation: sourceLocation)
        (count, done) = (4 * count, next)
    }
}

extension FinderParser {
    /// The size of the charts of a name after `find`; all further work is proportional to this size.
    func work(on name: String) -> Int {
        let asWritten = Array(name.utf8)
        let spellings = [asWritten] + (vocabulary.lexicon.uniform(asWritten, from: 4).map { [$0] } ?? [])
        return spellings.reduce(0) { work, name in
            let chart = FinderChart(of: name, from: 4, .mark, vocabulary)
            return work + chart.nodes.count + chart.steps.count
        }
    }
}
