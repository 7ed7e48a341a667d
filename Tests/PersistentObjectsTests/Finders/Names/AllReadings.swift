@testable import PersistentObjects

/// A second parser of criteria for classes without links. It tries all readings and is therefore slow.
struct AllReadings {
    /// All readings found.
    private(set) var found: [ParsedFinder] = []
    private let tokens: [[UInt8]]

    init(of criteria: String, _ properties: [String]) {
        tokens = properties.map { Array(FinderGrammar.token(of: $0).utf8) }
        let start = ParsedFinder(subject: .find)
        let rest = Array(criteria.utf8)[...]
        read(rest, ParsedFinder(subject: .find, alternatives: [[]]))
        behind("OrderBy", rest) { $0.readOrder($1, start) }
    }

    /// The readings with the fewest element operators on properties without elements.
    var best: [ParsedFinder] {
        let least = found.map(misfits).min() ?? 0
        return found.filter { misfits($0) == least }
    }

    private func misfits(_ finder: ParsedFinder) -> Int {
        finder.alternatives.joined().count { [.containingAll, .containingAny].contains($0.comparison.operation) }
    }

    private mutating func behind(
        _ word: String, _ rest: ArraySlice<UInt8>, _ body: (inout AllReadings, ArraySlice<UInt8>) -> Void
    ) {
        if rest.starts(with: word.utf8) { body(&self, rest.dropFirst(word.utf8.count)) }
    }

    private mutating func read(_ rest: ArraySlice<UInt8>, _ finder: ParsedFinder) {
        for (place, token) in tokens.enumerated() where !token.isEmpty && rest.starts(with: token) {
            let rest = rest.dropFirst(token.count)
            for way in Self.plain + (rest.first.flatMap { Self.ways[$0] } ?? []) where rest.starts(with: way.words) {
                var finder = finder
                finder.alternatives[finder.alternatives.count - 1].append(
                    ParsedFinder.Criterion(
                        path: [place], comparison: way.comparison, ignoresCase: way.ignoresCase,
                        firstArgument: finder.argumentCount))
                finder.argumentCount += way.comparison.argumentCount
                readOn(rest.dropFirst(way.words.count), finder)
            }
        }
    }

    private struct Way {
        let words: [UInt8]
        let comparison: FinderComparison
        let ignoresCase: Bool
    }

    private static let plain = [Way(words: [], comparison: FinderComparison(.equal), ignoresCase: false)]

    /// Operators with and without words about case, by their first byte.
    private static let ways = Dictionary(
        grouping: FinderGrammar.operators.flatMap { row in
            var ways = [(row.spelling, row.ignoresCase)]
            for word in ["IgnoreCase", "IgnoringCase"] where !row.ignoresCase && row.comparison.argumentCount > 0 {
                ways.append((row.spelling + word, true))
                if !row.spelling.isEmpty { ways.append((word + row.spelling, true)) }
            }
            return ways.filter { !$0.0.isEmpty }.map { words, ignoresCase in
                Way(words: Array(words.utf8), comparison: row.comparison, ignoresCase: ignoresCase)
            }
        }, by: { $0.words[0] })

    private mutating func readOn(_ rest: ArraySlice<UInt8>, _ finder: ParsedFinder) {
        if rest.isEmpty { found.append(finder) }
        behind("And", rest) { $0.read($1, finder) }
        behind("Or", rest) { reader, rest in
            var finder = finder
            finder.alternatives.append([])
            reader.read(rest, finder)
        }
        behind("OrderBy", rest) { $0.readOrder($1, finder) }
        for word in ["AllIgnoreCase", "AllIgnoringCase"] {
            behind(word, rest) { reader, rest in
                var finder = finder
                finder.ignoresCaseOfTexts = true
                if rest.isEmpty { reader.found.append(finder) }
                reader.behind("OrderBy", rest) { $0.readOrder($1, finder) }
            }
        }
    }

    private mutating func readOrder(_ rest: ArraySlice<UInt8>, _ finder: ParsedFinder) {
        for (place, token) in tokens.enumerated() where !token.isEmpty && rest.starts(with: token) {
            for direction in ["", "Asc", "Ascending", "Desc", "Descending"] {
                behind(direction, rest.dropFirst(token.count)) { reader, rest in
                    var finder = finder
                    finder.orders.append(.init(path: [place], isDescending: direction.hasPrefix("Desc")))
                    if rest.isEmpty { reader.found.append(finder) }
                    reader.behind("And", rest) { $0.readOrder($1, finder) }
                    if !direction.isEmpty { reader.readOrder(rest, finder) }
                }
            }
        }
    }
}
