/// The changes to an array's rows that put them in the new order, in an order in which they can be made.
///
/// Positions initially have gaps of 1024. A new place between two rows is in the middle of their gap; if there is none
/// left, the nearest rows around it are spread again, as few of them as possible.
struct PositionPlan: Equatable {
    /// The distance of positions in a new array, and of what is appended to the last.
    static let step = ChildTable.positionStep

    struct Move: Equatable {
        var from: Int64
        let to: Int64
    }

    /// A new element, by its index in the whole new array, and the position it belongs to.
    struct Placement: Equatable {
        let index: Int
        let position: Int64
    }

    /// Rows to delete: from and to, both with.
    private(set) var deletes: [ClosedRange<Int64>] = []
    /// Rows that get another position; no position is taken while another row has it.
    private(set) var moves: [Move] = []
    /// Rows that get another value, where they are after the moves.
    private(set) var updates: [Placement] = []
    private(set) var inserts: [Placement] = []

    /// The part of an array that changed, and the rows that are known of it.
    struct Change {
        /// How many elements stay before the part that changed, and after it.
        let prefix: Int
        let suffix: Int
        /// What happens to the elements between them; its indices count from `prefix`.
        let matching: ArrayMatching
        /// Positions of old rows that follow one another; those of the changed part are among them, and of a row
        /// before it and one after it, where there are such.
        let positions: [Int64]
        /// The index of the old element that the first of `positions` belongs to.
        let firstKnown: Int
        let oldCount: Int
    }

    /// A row that is to be, in the new order.
    private struct Entry {
        /// Where it is now; nil for a row that is new.
        let source: Int64?
        /// Where it is to be; nil where that is not known yet.
        var target: Int64?
        let index: Int
        let isUpdate: Bool
    }

    /// Nil if the positions do not suffice (they are at the limit of the integers): all rows are to be rewritten.
    init?(_ change: Change) {
        let (prefix, positions, first) = (change.prefix, change.positions, change.firstKnown)
        let oldEnd = change.oldCount - change.suffix
        let newEnd = prefix + change.matching.sources.count
        func position(_ old: Int) -> Int64 { positions[old - first] }

        var entries: [Entry] = []
        entries.reserveCapacity(positions.count + change.matching.sources.count)
        for old in first..<prefix {
            entries.append(Entry(source: position(old), target: position(old), index: old, isUpdate: false))
        }
        for (offset, source) in change.matching.sources.enumerated() {
            let index = prefix + offset
            switch source {
            case .kept(let old), .replaced(let old):
                let place = position(prefix + old)
                let isUpdate = if case .replaced = source { true } else { false }
                entries.append(Entry(source: place, target: place, index: index, isUpdate: isUpdate))
            case .moved(let old):
                entries.append(Entry(source: position(prefix + old), target: nil, index: index, isUpdate: false))
            case .fresh: entries.append(Entry(source: nil, target: nil, index: index, isUpdate: false))
            }
        }
        for old in oldEnd..<first + positions.count {
            entries.append(
                Entry(source: position(old), target: position(old), index: newEnd + old - oldEnd, isUpdate: false))
        }

        let isOpen = (start: first == 0, end: first + positions.count == change.oldCount)
        let span = positions.first.flatMap { low in positions.last.map { low...$0 } }
        guard PositionPlan.place(&entries, isOpen, span) else { return nil }
        addDeletes(change.matching.removed.map { (prefix + $0, position(prefix + $0)) })
        var wanted: [Move] = []
        for entry in entries {
            guard let target = entry.target else { return nil }
            guard let source = entry.source else {
                inserts.append(Placement(index: entry.index, position: target))
                continue
            }
            if source != target { wanted.append(Move(from: source, to: target)) }
            if entry.isUpdate { updates.append(Placement(index: entry.index, position: target)) }
        }
        guard order(wanted, isOpen, span) else { return nil }
    }

    /// Contiguous rows are deleted with one statement.
    private mutating func addDeletes(_ rows: [(old: Int, position: Int64)]) {
        var last: Int?
        for row in rows {
            if let last, row.old == last + 1 {
                deletes[deletes.count - 1] = deletes[deletes.count - 1].lowerBound...row.position
            } else {
                deletes.append(row.position...row.position)
            }
            last = row.old
        }
    }

    // MARK: Places

    /// Gives each entry its target; false where there is no room.
    ///
    /// `isOpen` says whether nothing is before the first, and after the last; `span` is where the rows are now.
    private static func place(
        _ entries: inout [Entry], _ isOpen: (start: Bool, end: Bool), _ span: ClosedRange<Int64>?
    ) -> Bool {
        var start = 0
        while start < entries.count {
            guard entries[start].target == nil else {
                start += 1
                continue
            }
            var end = start
            while end < entries.count, entries[end].target == nil { end += 1 }
            let low = start > 0 ? entries[start - 1].target : nil
            let high = end < entries.count ? entries[end].target : nil
            // Beyond all rows that are there, so that no row is in the way of another.
            let room =
                switch (low, high) {
                case (nil, nil), (.some, nil): spread(end - start, above: span?.upperBound ?? 0)
                case (nil, .some(let high)): spread(end - start, below: span?.lowerBound ?? high)
                case (.some(let low), .some(let high)): spread(end - start, between: low, high, gap: 1)
                }
            if let room {
                for (offset, target) in room.enumerated() { entries[start + offset].target = target }
                start = end
            } else if let done = widen(&entries, start..<end, isOpen) {
                start = done
            } else {
                return false
            }
        }
        return true
    }

    /// Spreads the entries of a range and so many around it that they have room; the answer is where these end.
    private static func widen(
        _ entries: inout [Entry], _ range: Range<Int>, _ isOpen: (start: Bool, end: Bool)
    ) -> Int? {
        // What is beyond the first and the last row that are known is not.
        let limits = (isOpen.start ? 0 : 1)..<(isOpen.end ? entries.count : entries.count - 1)
        var width = 1
        var window = range
        while true {
            var end = min(limits.upperBound, window.upperBound + width)
            while end < limits.upperBound, entries[end].target == nil { end += 1 }
            let wider = max(limits.lowerBound, window.lowerBound - width)..<end
            let isLast = wider == window
            window = wider
            width *= 2
            let low = window.lowerBound > 0 ? entries[window.lowerBound - 1].target : nil
            let high = window.upperBound < entries.count ? entries[window.upperBound].target : nil
            let room =
                switch (low, high) {
                case (nil, nil): spread(window.count, above: 0)
                case (.some(let low), nil): spread(window.count, above: low)
                case (nil, .some(let high)): spread(window.count, below: high)
                // Spread so thinly that the next insertions need not do this again.
                case (.some(let low), .some(let high)): spread(window.count, between: low, high, gap: isLast ? 1 : 16)
                }
            if let room {
                for (place, target) in zip(window, room) { entries[place].target = target }
                return window.upperBound
            }
            if isLast { return nil }
        }
    }

    private static func spread(_ count: Int, above low: Int64) -> [Int64]? {
        guard !low.addingReportingOverflow(step * Int64(count)).overflow else { return nil }
        return (1...Int64(count)).map { low + step * $0 }
    }

    private static func spread(_ count: Int, below high: Int64) -> [Int64]? {
        guard !high.subtractingReportingOverflow(step * Int64(count)).overflow else { return nil }
        return (1...Int64(count)).reversed().map { high - step * $0 }
    }

    /// Evenly between two positions, `gap` apart at least.
    private static func spread(_ count: Int, between low: Int64, _ high: Int64, gap: Int64) -> [Int64]? {
        let (width, isHuge) = high.subtractingReportingOverflow(low)
        let distance = isHuge ? step : width / Int64(count + 1)
        guard distance >= gap else { return nil }
        return (1...Int64(count)).map { low + distance * $0 }
    }

    // MARK: Order

    /// Puts moves into an order in which each position is free when a row comes to it; false where that cannot be.
    private mutating func order(
        _ wanted: [Move], _ isOpen: (start: Bool, end: Bool), _ span: ClosedRange<Int64>?
    ) -> Bool {
        var wanted = wanted
        // The move by the position that it frees.
        var freeing: [Int64: Int] = [:]
        for (index, move) in wanted.enumerated() { freeing[move.from] = index }
        var isDone = [Bool](repeating: false, count: wanted.count)
        for start in wanted.indices where !isDone[start] {
            var chain = [start]
            while let blocker = freeing[wanted[chain[chain.count - 1]].to], !isDone[blocker] {
                guard blocker == start else {
                    chain.append(blocker)
                    continue
                }
                // They wait for one another in a circle: one of them steps aside.
                guard let aside = PositionPlan.unused(wanted, isOpen, span) else { return false }
                moves.append(Move(from: wanted[start].from, to: aside))
                wanted[start].from = aside
                break
            }
            for index in chain.reversed() {
                moves.append(wanted[index])
                isDone[index] = true
            }
        }
        return true
    }

    /// A position that no row has and none is to have.
    private static func unused(
        _ moves: [Move], _ isOpen: (start: Bool, end: Bool), _ span: ClosedRange<Int64>?
    ) -> Int64? {
        guard let span else { return nil }
        let highest = moves.reduce(span.upperBound) { max($0, $1.to) }
        if isOpen.end, highest < Int64.max { return highest + 1 }
        let lowest = moves.reduce(span.lowerBound) { min($0, $1.to) }
        return isOpen.start && lowest > Int64.min ? lowest - 1 : nil
    }
}
