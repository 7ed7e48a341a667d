/// Suggestions for a misspelled name. Case is ignored, and a swap of adjacent letters counts as one edit. If no name is
/// near, longer names that begin or end with the string are suggested. Long strings are not compared, which limits the
/// cost for any input.
package struct NameSuggestions: Sendable {
    private let names: [(name: String, folded: [Unicode.Scalar])]
    private static let longest = 128

    package init(_ names: [String]) { self.init(names.map { ($0, $0) }) }

    /// Creates suggestions from names that are compared in a different form than they are displayed.
    init(_ names: [(shown: String, compared: String)]) {
        self.names = names.map { ($0.shown, Self.folded($0.compared)) }
    }

    /// The names near a string, nearest first, at most three, and the distance of the nearest; nil if no name is near.
    package func nearest(to text: String) -> (distance: Int, names: [String])? {
        guard text.utf8.count <= 4 * Self.longest else { return nil }
        let wanted = Self.folded(text)
        guard !wanted.isEmpty, wanted.count <= Self.longest else { return nil }
        let limit = Self.tolerance(for: wanted.count)
        let near = names.enumerated().compactMap { index, entry -> (distance: Int, index: Int)? in
            guard let distance = Self.distance(wanted, entry.folded, atMost: limit) else { return nil }
            return (distance, index)
        }.sortedUnspecialized { ($0.distance, $0.index) < ($1.distance, $1.index) }
        if let best = near.first { return (best.distance, near.prefix(3).map { names[$0.index].name }) }
        let longer = wanted.count < 3 ? [] : names.filter { Self.opensOrCloses(wanted, $0.folded) }
        return longer.isEmpty ? nil : (limit + 1, longer.prefix(3).map(\.name))
    }

    private static func opensOrCloses(_ part: [Unicode.Scalar], _ whole: [Unicode.Scalar]) -> Bool {
        whole.starts(with: part) || whole.suffix(part.count).elementsEqual(part)
    }

    /// A third of the letters: a larger tolerance would suggest names that share only their length.
    private static func tolerance(for length: Int) -> Int {
        length < 2 ? 0 : min(4, max(1, length / 3))
    }

    private static func folded(_ text: String) -> [Unicode.Scalar] {
        Array(text.lowercased().unicodeScalars)
    }

    /// The optimal string alignment distance, or nil if it exceeds the limit.
    static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            row.reserveCapacity(b.count + 1)
            for j in 1...b.count {
                var best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, beforeLast[j - 2] + 1) }
                row.append(best)
            }
            if let least = row.min(), least > limit, let before = last.min(), before >= limit { return nil }
            (beforeLast, last) = (last, row)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}
