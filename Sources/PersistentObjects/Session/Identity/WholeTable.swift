/// The rows of a class's table, as a fetch of all found them: until the next write, another fetch need not read them
/// again.
struct WholeTable {
    /// Stretches of ids that follow one another, in their order.
    private(set) var stretches: [ClosedRange<Int64>] = []
    private(set) var count = 0
    /// Rows that other sessions reported as written since: they exist or were deleted.
    private(set) var written: Set<Int64> = []
    /// When that was: what the session and its connection counted then.
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

    /// Whether it is worth its memory: a list of ids would take as long to go through as the table.
    var isWorthKeeping: Bool { stretches.count * 16 <= count && written.count * 8 <= count }

    /// Whether these are still the rows, except for those that other sessions have written.
    func isCurrent(at moment: Moment) -> Bool { moment == self.moment && moment.version != nil }

    /// Records that other sessions have committed, and reported their writes; it was valid before these.
    ///
    /// - Parameter ids: The rows of this table among them.
    mutating func follow(from old: UInt32?, to new: UInt32, written ids: Set<Int64>) {
        guard moment.version == old else { return }
        moment.version = new
        written.formUnion(ids)
    }

    /// The current state of the rows that other sessions have written is known.
    mutating func settle(_ isThere: (Int64) -> Bool) {
        guard !written.isEmpty else { return }
        // Both lists are ordered; rows that were written count as they are now.
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
