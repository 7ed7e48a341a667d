/// The ids of all rows of a class's table, as a fetch of all objects found them. Until the next write, another fetch
/// need not read the rows again.
struct WholeTable {
    /// Ranges of consecutive ids, in order.
    private(set) var stretches: [ClosedRange<Int64>] = []
    private(set) var count = 0
    /// The rows that other sessions have written since, which may have been deleted.
    private(set) var written: Set<Int64> = []
    /// The counters of the session and its connection at the time of the fetch.
    private var moment: Moment

    struct Moment: Equatable {
        let epoch: UInt32
        /// Changes with commits of other sessions.
        var version: UInt32?
        /// Changes with rows that the connection itself writes.
        let changedRowCount: Int64
    }

    init(at moment: Moment) { self.moment = moment }

    /// Adds the id of the next row.
    @inline(__always)
    mutating func append(_ id: Int64) {
        count += 1
        if let last = stretches.indices.last, stretches[last].upperBound &+ 1 == id {
            stretches[last] = stretches[last].lowerBound...id
        } else {
            stretches.append(id...id)
        }
    }

    /// Adds the ids of the next rows.
    mutating func append(_ ids: ClosedRange<Int64>) {
        append(ids.lowerBound)
        let last = stretches.count - 1
        stretches[last] = stretches[last].lowerBound...ids.upperBound
        count += Int(ids.upperBound - ids.lowerBound)
    }

    /// Whether it is worth its memory. With many short ranges, iterating it would take as long as reading the table.
    var isWorthKeeping: Bool { stretches.count * 16 <= count && written.count * 8 <= count }

    /// Whether the ids are still current, except for rows that other sessions have written.
    func isCurrent(at moment: Moment) -> Bool { moment == self.moment && moment.version != nil }

    /// Records the reported writes of other sessions' commits, if the ids were current before them.
    ///
    /// - Parameter ids: The written rows of this table.
    mutating func follow(from old: UInt32?, to new: UInt32, written ids: Set<Int64>) {
        guard moment.version == old else { return }
        moment.version = new
        written.formUnion(ids)
    }

    /// Updates the ids of the rows that other sessions have written.
    mutating func settle(_ isThere: (Int64) -> Bool) {
        guard !written.isEmpty else { return }
        // Both lists are sorted. For written rows, the current state counts.
        var result = WholeTable(at: moment)
        var rest = written.sorted()[...]
        for stretch in stretches {
            while let id = rest.first, id < stretch.lowerBound {
                if isThere(id) { result.append(id) }
                rest.removeFirst()
            }
            var left: ClosedRange<Int64>? = stretch
            while let id = rest.first, let part = left, id <= part.upperBound {
                if id > part.lowerBound { result.append(part.lowerBound...id - 1) }
                if isThere(id) { result.append(id) }
                left = id < part.upperBound ? id + 1...part.upperBound : nil
                rest.removeFirst()
            }
            if let left { result.append(left) }
        }
        for id in rest where isThere(id) { result.append(id) }
        self = result
    }
}
