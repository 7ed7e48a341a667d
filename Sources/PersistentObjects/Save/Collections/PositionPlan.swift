/// The changes that put an array's rows into the new order, sorted so that they can be made one by one.
///
/// Positions initially have gaps of 1024. A row inserted between two rows gets the middle of their gap. If the gap is
/// used up, as few of the nearest rows as possible are respaced.
struct PositionPlan: Equatable {
    /// The distance between positions in a new array, and between appended rows.
    static let step = ChildTable.positionStep

    struct Move: Equatable {
        var from: Int64
        let to: Int64
    }

    /// An element's index in the new array, and the position of its row.
    struct Placement: Equatable {
        let index: Int
        let position: Int64
    }

    /// The ranges of positions whose rows are deleted.
    private(set) var deletes: [ClosedRange<Int64>] = []
    /// Rows that change position. A row moves to a position only when no row has it.
    private(set) var moves: [Move] = []
    /// Rows whose value changes, by their positions after the moves.
    private(set) var updates: [Placement] = []
    private(set) var inserts: [Placement] = []

    /// The changed part of an array, and its known rows.
    struct Change {
        /// The numbers of unchanged elements before and after the changed part.
        let prefix: Int
        let suffix: Int
        /// The matching of the elements between them; its indices count from `prefix`.
        let matching: ArrayMatching
        /// Positions of consecutive old rows, which include the changed part, and the rows before and after it if they
        /// exist.
        let positions: [Int64]
        /// The index of the old element that the first of `positions` belongs to.
        let firstKnown: Int
        let oldCount: Int
    }

    /// A row of the new array.
    private struct Entry {
        /// The current position; nil for a new row.
        let source: Int64?
        /// The new position; nil until it is known.
        var target: Int64?
        let index: Int
        let isUpdate: Bool
    }

    /// Nil if the positions reach the limits of the integers. The caller then rewrites all rows.
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

    /// Sets the target of each entry; returns false if there is no space.
    ///
    /// `isOpen` specifies whether no row precedes the first entry, and whether no row follows the last. `span` is the
    /// range of the current positions.
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
            // At the ends, targets are beyond all existing rows, so that no row blocks another.
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

    /// Respaces the entries of a range and as many neighbors as needed for space; returns the end of the respaced
    /// entries.
    private static func widen(
        _ entries: inout [Entry], _ range: Range<Int>, _ isOpen: (start: Bool, end: Bool)
    ) -> Int? {
        // At an end that is not open, the outermost entry stays, because the rows beyond it are unknown.
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
                // A gap of 16 keeps the next insertions from respacing again.
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

    /// Positions evenly spaced between two positions, at least `gap` apart.
    private static func spread(_ count: Int, between low: Int64, _ high: Int64, gap: Int64) -> [Int64]? {
        let (width, isHuge) = high.subtractingReportingOverflow(low)
        let distance = isHuge ? step : width / Int64(count + 1)
        guard distance >= gap else { return nil }
        return (1...Int64(count)).map { low + distance * $0 }
    }

    // MARK: Order

    /// Sorts moves so that each position is free when a row moves to it; returns false if that is impossible.
    private mutating func order(
        _ wanted: [Move], _ isOpen: (start: Bool, end: Bool), _ span: ClosedRange<Int64>?
    ) -> Bool {
        var wanted = wanted
        // The indices of moves by the positions that they free.
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
                // The moves form a cycle, so one row moves to an unused position first.
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

    /// A position that no row has or moves to.
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
