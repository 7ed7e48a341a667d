import Testing

@testable import PersistentObjects

/// Requires that four times as many pieces are four times the work at the most, but for a constant.
///
/// It begins with few, so that what grows faster is found while there is little of it.
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
    /// How much the charts have that a name behind `find` may be read by: all else that is done goes over them.
    func work(on name: String) -> Int {
        let asWritten = Array(name.utf8)
        let spellings = [asWritten] + (vocabulary.lexicon.uniform(asWritten, from: 4).map { [$0] } ?? [])
        return spellings.reduce(0) { work, name in
            let chart = FinderChart(of: name, from: 4, .mark, vocabulary)
            return work + chart.nodes.count + chart.steps.count
        }
    }
}
