/// The effect of some written rows on a long list of rows, without comparing every row.
///
/// Unwritten rows keep their relative order. Written rows are removed from the list, and those of them that the query
/// finds are inserted again.
struct ListPatch {
    /// The list before.
    let old: [Int64]
    /// The places of the written rows in the list before, in order.
    let places: [Int]
    /// The unwritten rows of the list.
    let unwritten: [Int64]
    /// The inserted rows in the query's order, each with the number of unwritten rows that precede it.
    private var entries: [(place: Int, id: Int64)] = []
    /// The number of unwritten rows that remain in the list; nil if all remain.
    private var keptCount: Int?

    init(_ old: [Int64], written: Set<Int64>) {
        self.old = old
        places = ListPatch.places(of: written, in: old)
        unwritten = ListPatch.removing(places, from: old)
    }

    /// The places of some rows in a list, in order.
    static func places(of rows: Set<Int64>, in list: [Int64]) -> [Int] {
        guard rows.count > ListPatch.fewest else { return rows.compactMap { list.firstIndex(of: $0) }.sorted() }
        return list.indices.filter { rows.contains(list[$0]) }
    }

    /// Up to this number of rows, searching for each of them is faster than looking up each element.
    private static let fewest = 8

    private static func removing<T>(_ places: [Int], from list: [T]) -> [T] {
        guard !places.isEmpty else { return list }
        var rest: [T] = []
        rest.reserveCapacity(list.count - places.count)
        var start = 0
        for place in places {
            rest += list[start..<place]
            start = place + 1
        }
        rest += list[start...]
        return rest
    }

    /// The number of unwritten rows that preceded a row in the list; nil if the row was not in the list.
    func formerPlace(of id: Int64) -> Int? {
        places.firstIndex { old[$0] == id }.map { places[$0] - $0 }
    }

    /// Inserts a row before the unwritten row at a place. The calls are made in the query's order.
    mutating func insert(_ id: Int64, at place: Int) { entries.append((place, id)) }

    /// Keeps only the first rows, because the query has a limit. Returns false if a row that was not in the list may
    /// belong to them.
    mutating func cut(to limit: Int) -> Bool {
        // A list below the limit contains every row that the query finds.
        guard old.count >= limit else { return unwritten.count + entries.count <= limit || cutEnd(to: limit) }
        // Rows that are not in the list follow its last unwritten row. A written row there may follow them.
        entries.removeAll { $0.place == unwritten.count }
        guard unwritten.count + entries.count >= limit else { return false }
        return unwritten.count + entries.count == limit || cutEnd(to: limit)
    }

    private mutating func cutEnd(to limit: Int) -> Bool {
        var kept = unwritten.count
        while kept + entries.count > limit {
            if let last = entries.last, last.place >= kept { entries.removeLast() } else { kept -= 1 }
        }
        keptCount = kept
        return true
    }

    /// The values of the unwritten rows that remain, and of the entries, in the order of the list after.
    private func merged<T>(_ values: [T], _ entry: (Int64) -> T?) -> [T] {
        let unwritten = values.prefix(keptCount ?? values.count)
        var list: [T] = []
        list.reserveCapacity(unwritten.count + entries.count)
        var start = 0
        for (place, id) in entries {
            list += unwritten[start..<place]
            if let value = entry(id) { list.append(value) }
            start = place
        }
        list += unwritten[start...]
        return list
    }

    /// The list after.
    var new: [Int64] { merged(unwritten) { $0 } }

    /// Changes the values of the list before into those of the list after.
    func apply<T>(to values: inout [T], _ entry: (Int64) -> T?) {
        guard keptCount == nil, places.count + entries.count <= ListPatch.fewest else {
            values = merged(ListPatch.removing(places, from: values), entry)
            return
        }
        // Moving the rest of the array a few times is faster than copying it by parts.
        for place in places.reversed() { values.remove(at: place) }
        for (offset, inserted) in entries.enumerated() {
            if let value = entry(inserted.id) { values.insert(value, at: inserted.place + offset) }
        }
    }

    /// Whether the list contains the same rows in the same order.
    var keepsList: Bool {
        guard keptCount ?? unwritten.count == unwritten.count, entries.count == places.count else { return false }
        return zip(entries, places.enumerated()).allSatisfy { entry, place in
            entry.id == old[place.element] && entry.place == place.element - place.offset
        }
    }

    /// The difference between the lists, and the places in the new list of the written rows that are in both.
    var difference: (ListDifference, changed: [Int]) {
        var difference = ListDifference()
        var changed: [Int] = []
        var kept: [(origin: Int, place: Int, mayStay: Bool)] = []
        var found: Set<Int64> = []
        for (offset, entry) in entries.enumerated() {
            let place = entry.place + offset
            found.insert(entry.id)
            guard let index = places.firstIndex(where: { old[$0] == entry.id }) else {
                difference.add(inserted: place)
                continue
            }
            kept.append((places[index], place, places[index] - index == entry.place))
            changed.append(place)
        }
        for place in places where !found.contains(old[place]) { difference.add(deleted: place) }
        for place in placesOfCutRows { difference.add(deleted: place) }
        difference.sortDeleted()
        // A row whose preceding unwritten rows are the same did not move, unless it changed places with such a row.
        let staying = kept.filter(\.mayStay)
        let isUnmoved = ListDifference.longestRise(staying.map(\.origin))
        let unmoved = Set(zip(staying, isUnmoved).filter(\.1).map(\.0.origin))
        for row in kept where !unmoved.contains(row.origin) { difference.add(moved: row.origin, to: row.place) }
        return (difference, changed)
    }

    /// The places, in the list before, of the unwritten rows beyond the limit.
    private var placesOfCutRows: [Int] {
        guard let keptCount, keptCount < unwritten.count else { return [] }
        var cut: [Int] = []
        var written = places[...]
        var place = old.count - 1
        while cut.count < unwritten.count - keptCount {
            if written.last == place { written.removeLast() } else { cut.append(place) }
            place -= 1
        }
        return cut
    }
}
