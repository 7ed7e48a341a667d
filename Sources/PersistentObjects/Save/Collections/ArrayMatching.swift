/// Matches the elements of a changed array with the old elements.
///
/// Elements are represented by numbers. Equal elements have equal numbers, and an element may occur several times.
struct ArrayMatching {
    /// Where an element of the new array comes from.
    enum Source: Equatable {
        /// An old element that keeps its position relative to the other kept elements.
        case kept(Int)
        /// An old element at a different position.
        case moved(Int)
        /// A new element that reuses the row of a removed element.
        case replaced(Int)
        case fresh
    }

    /// The source of each new element.
    private(set) var sources: [Source]
    /// Removed elements whose rows are deleted, in order.
    private(set) var removed: [Int] = []
    private(set) var keptCount = 0

    /// Keeps as many elements as possible, so that a move changes only the rows of moved elements.
    init(old: [Int], new: [Int]) {
        let matches = ArrayMatching.matches(old, new)
        let kept = ArrayMatching.longestIncrease(matches)
        sources = zip(matches, kept).map { match, isKept in
            match < 0 ? .fresh : isKept ? .kept(match) : .moved(match)
        }
        keptCount = kept.count { $0 }
        var isMatched = [Bool](repeating: false, count: old.count)
        for match in matches where match >= 0 { isMatched[match] = true }
        // Between two kept elements, new elements reuse the rows of removed elements.
        var nextOld = 0
        var fresh: [Int] = []
        func fill(upTo end: Int) {
            var used = 0
            for index in nextOld..<end where !isMatched[index] {
                if used < fresh.count {
                    sources[fresh[used]] = .replaced(index)
                    used += 1
                } else {
                    removed.append(index)
                }
            }
            fresh.removeAll(keepingCapacity: true)
            nextOld = end
        }
        for (index, source) in sources.enumerated() {
            switch source {
            case .kept(let old): fill(upTo: old)
            case .fresh: fresh.append(index)
            case .moved, .replaced: break
            }
        }
        fill(upTo: old.count)
    }

    /// For each new element, the first equal old element that is not matched yet; -1 if there is none.
    private static func matches(_ old: [Int], _ new: [Int]) -> [Int] {
        let count = (old.max() ?? -1) + 1
        var first = [Int](repeating: -1, count: count)
        var following = [Int](repeating: -1, count: old.count)
        for index in old.indices.reversed() {
            following[index] = first[old[index]]
            first[old[index]] = index
        }
        return new.map { element in
            guard element < count, first[element] >= 0 else { return -1 }
            defer { first[element] = following[first[element]] }
            return first[element]
        }
    }

    /// Which numbers form the longest increasing subsequence. Negative numbers are skipped.
    private static func longestIncrease(_ numbers: [Int]) -> [Bool] {
        // The smallest last number of a subsequence of each length, and the predecessors (patience sorting).
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() where number >= 0 {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var isMember = [Bool](repeating: false, count: numbers.count)
        var next = ends.last ?? -1
        while next >= 0 {
            isMember[next] = true
            next = previous[next]
        }
        return isMember
    }
}
