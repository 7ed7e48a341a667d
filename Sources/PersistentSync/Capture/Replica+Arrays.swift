/// An element of an array as the file has it now.
struct ArrayRow {
    /// Nil for a new element.
    var id: ElementID?
    let value: SyncValue
    /// Whether the value may have changed.
    let isChanged: Bool
}

extension Replica {
    /// The number of digits of a place from which all elements of an array get new places.
    private static var longestPlace: Int { 128 }

    /// Makes the rows the visible elements of an array, in their order.
    ///
    /// The longest run of elements that are in order keeps its places, so that a move writes one place.
    mutating func takeArray(
        _ rows: [ArrayRow], removed: [ElementID], in property: Text, of key: ObjectKey,
        using random: inout some RandomNumberGenerator
    ) {
        guard var object = objects[key] else { return }
        let before = object.arrays[property] ?? [:]
        var elements = before
        for id in removed {
            guard let element = elements[id], element.isPresent else { continue }
            elements[id]?.length = Life.next(element.length)
        }
        let kept = rows.longestRun { row in
            row.id.flatMap { id in elements[id].flatMap { $0.isPresent ? ($0.place.value, id) : nil } }
        }
        var upper = [Place?](repeating: nil, count: rows.count + 1)
        for index in rows.indices.reversed() {
            let place = kept.contains(index) ? rows[index].id.flatMap { elements[$0]?.place.value } : nil
            upper[index] = place ?? upper[index + 1]
        }
        var last: Place?
        var ids: [ElementID] = []
        for (index, row) in rows.enumerated() {
            if let id = row.id, let element = elements[id] {
                if !kept.contains(index) {
                    let place = Place.between(last, upper[index], by: device, using: &random)
                    elements[id]?.place = Register(place, tick(after: element.place.clock))
                }
                if !element.isPresent { elements[id]?.length = Life.next(element.length) }
                if row.isChanged, element.value.value != row.value {
                    elements[id]?.value = Register(row.value, tick(after: element.value.clock))
                }
                ids.append(id)
            } else {
                lastElement += 1
                let (id, clock) = (ElementID(device, lastElement), tick(after: .none))
                let place = Place.between(last, upper[index], by: device, using: &random)
                elements[id] = ArrayElement(
                    length: 1, place: Register(place, clock), value: Register(row.value, clock))
                ids.append(id)
            }
            last = ids.last.flatMap { elements[$0]?.place.value }
        }
        if ids.contains(where: { elements[$0]?.place.value.digits.count ?? 0 > Self.longestPlace }) {
            last = nil
            for id in ids {
                guard let element = elements[id] else { continue }
                let place = Place.between(last, nil, by: device, using: &random)
                elements[id]?.place = Register(place, tick(after: element.place.clock))
                last = place
            }
        }
        guard elements != before else { return }
        object.arrays[property] = elements
        store(object, key)
    }
}

extension [ArrayRow] {
    /// The indices of the longest run of rows whose ranks increase. Rows without a rank are not part of it.
    fileprivate func longestRun(_ rank: (ArrayRow) -> (Place, ElementID)?) -> Set<Int> {
        let ranks = map(rank)
        // The last index of the best run of each length, and the index before each index in its run.
        var (ends, before): ([Int], [Int?]) = ([], Array<Int?>(repeating: nil, count: count))
        for index in indices {
            guard let own = ranks[index] else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if let other = ranks[ends[middle]], other < own { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var (run, next): (Set<Int>, Int?) = ([], ends.last)
        while let index = next {
            run.insert(index)
            next = before[index]
        }
        return run
    }
}
