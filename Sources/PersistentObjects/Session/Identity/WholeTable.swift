/// Which rows the table of a class has, as a fetch of all has found them: as long as nobody has written since, the next
/// one need not read them again.
struct WholeTable {
    /// Stretches of ids that follow one another, in their order.
    private(set) var stretches: [ClosedRange<Int64>] = []
    private(set) var count = 0
    /// Rows that others have written since, as they have told: they are there or gone.
    private(set) var written: Set<Int64> = []
    /// When that was: what the session and its connection counted then.
    private var moment: Moment

    struct Moment: Equatable {
        let epoch: UInt32
        /// Changes with commits of others.
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

    /// Whether these are the rows still, but for those that others have written.
    func isCurrent(at moment: Moment) -> Bool { moment == self.moment && moment.version != nil }

    /// Others have committed, and told what they have written; it counted before what they did.
    ///
    /// - Parameter ids: The rows of this table among that.
    mutating func follow(from old: UInt32?, to new: UInt32, written ids: Set<Int64>) {
        guard moment.version == old else { return }
        moment.version = new
        written.formUnion(ids)
    }

    /// What has become of the rows that others have written is known.
    mutating func settle(_ isThere: (Int64) -> Bool) {
        guard !written.isEmpty else { return }
        // Both lists are in order; what was written counts as it is now, wherever it stood.
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
