/// The order of results of a query without an order: ascending ids.
///
/// The order is made here, not with `ORDER BY`, because SQLite would rather read a whole table in order than a part of
/// it through an index, and it sorts whole rows. Most results need only the check, because a table, and the rows with
/// one value in an index, are in this order anyway.
enum IDOrder {
    static func isSorted(_ objects: [PersistentObject]) -> Bool { isSorted({ objects[$0].rowID }, objects.count) }

    static func sorted(_ objects: consuming [PersistentObject]) -> [PersistentObject] {
        guard objects.count > 1, let places = places({ objects[$0].rowID }, objects.count) else { return objects }
        return places.map { objects[$0] }
    }

    /// Values of rows, sorted by the ids of the rows.
    static func sorted<Value>(_ values: [Value], by ids: [Int64]) -> [Value] {
        guard let places = places({ ids[$0] }, ids.count) else { return values }
        return places.map { values[$0] }
    }

    static func sort(_ ids: inout [Int64]) {
        if !isSorted({ ids[$0] }, ids.count) { ids.sort() }
    }

    /// Each id once, in ascending order.
    static func sortedUnique(_ ids: [Int64]) -> [Int64] {
        // Objects that were saved together are already in order.
        if zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { return ids }
        guard var first = ids.first, var last = ids.first else { return ids }
        for id in ids {
            if id < first { first = id }
            if id > last { last = id }
        }
        let (width, isHuge) = last.subtractingReportingOverflow(first)
        // A bit for each id in the range, if the bits take no more memory than a set.
        guard !isHuge, width < 64 * Int64(ids.count) else { return Set(ids).sorted() }
        var bits = [UInt64](repeating: 0, count: Int(width) / 64 + 1)
        for id in ids {
            let place = UInt64(bitPattern: id &- first)
            bits[Int(truncatingIfNeeded: place &>> 6)] |= 1 &<< (place & 63)
        }
        var unique: [Int64] = []
        for (place, word) in bits.enumerated() {
            var left = word
            while left != 0 {
                unique.append(first + Int64(place * 64 + left.trailingZeroBitCount))
                left &= left - 1
            }
        }
        return unique
    }

    /// The current indices of the rows, in the order of their ids; nil if the rows are already in order.
    @inline(__always)
    private static func places(_ id: (Int) -> Int64, _ count: Int) -> [Int]? {
        guard !isSorted(id, count) else { return nil }
        let rows = (0..<count).map { (id: id($0), place: $0) }
        // Criteria with a join can find a row more than once. The order of equal ids is kept.
        return rows.sorted { ($0.id, $0.place) < ($1.id, $1.place) }.map(\.place)
    }

    @inline(__always)
    private static func isSorted(_ id: (Int) -> Int64, _ count: Int) -> Bool {
        var last = Int64.min
        for place in 0..<count {
            let next = id(place)
            if next < last { return false }
            last = next
        }
        return true
    }
}
