/// The changes that turn one list of rows into another.
struct ListDifference {
    /// The places of removed elements in the old list.
    private(set) var deleted: [Int] = []
    /// The places of added elements in the new list.
    private(set) var inserted: [Int] = []
    /// As few elements as possible whose moves explain the different order.
    private(set) var moved: [(from: Int, to: Int)] = []
    /// The places, in the new list, of the elements that are in both lists.
    private(set) var kept: [Int] = []

    /// No difference.
    init() {}

    mutating func add(inserted place: Int) { inserted.append(place) }
    mutating func add(deleted place: Int) { deleted.append(place) }
    mutating func add(moved origin: Int, to place: Int) { moved.append((origin, place)) }
    mutating func sortDeleted() { deleted.sort() }

    init(from old: [Int64], to new: [Int64]) {
        let oldPlaces = Dictionary(old.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let there = Set(new)
        deleted = old.indices.filter { !there.contains(old[$0]) }
        var origins: [Int] = []
        for (place, id) in new.enumerated() {
            if let origin = oldPlaces[id] {
                kept.append(place)
                origins.append(origin)
            } else {
                inserted.append(place)
            }
        }
        let unmoved = ListDifference.longestRise(origins)
        for (index, origin) in origins.enumerated() where !unmoved[index] {
            moved.append((origin, kept[index]))
        }
    }

    /// Which elements belong to the longest increasing subsequence (patience sorting).
    static func longestRise(_ numbers: [Int]) -> [Bool] {
        var ends: [Int] = []
        var before = Array(repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var isPart = Array(repeating: false, count: numbers.count)
        var next = ends.last ?? -1
        while next >= 0 {
            isPart[next] = true
            next = before[next]
        }
        return isPart
    }
}
