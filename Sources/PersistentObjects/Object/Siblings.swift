/// The row ids of one fetch, shared by the boxes of its objects. A lazy property is loaded for neighboring objects
/// together.
final class Siblings {
    /// The ids in fetch order.
    let ids: [Int64]
    /// The positions of the ids in id order; nil if that is the fetch order.
    private lazy var order: [Int]? =
        zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 } ? nil : ids.indices.sorted { ids[$0] < ids[$1] }
    /// Whether a batch could not be loaded. Each object is then loaded alone, so that no batch is retried repeatedly.
    var areLoadedAlone = false

    init(_ ids: [Int64]) { self.ids = ids }

    /// The position of an id; nil for an id of another fetch.
    func position(of id: Int64) -> Int? {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[order?[middle] ?? middle] < id { low = middle + 1 } else { high = middle }
        }
        guard low < ids.count else { return nil }
        let place = order?[low] ?? low
        return ids[place] == id ? place : nil
    }

    /// Calls `body` with the ids nearest to an id, alternating between both sides, so that the order in which they are
    /// read does not matter. A side ends at a run of rejected ids, because their values were loaded before.
    ///
    /// - Parameter body: Returns whether the id was accepted; nil ends the iteration.
    func forEachNeighbour(of id: Int64, _ body: (Int64) -> Bool?) {
        guard !areLoadedAlone, let position = position(of: id) else { return }
        var sides = [(next: position + 1, step: 1, refusals: 0), (next: position - 1, step: -1, refusals: 0)]
        while !sides.isEmpty {
            for index in sides.indices.reversed() {
                let next = sides[index].next
                guard ids.indices.contains(next), sides[index].refusals < Siblings.patience else {
                    sides.remove(at: index)
                    continue
                }
                guard let isWanted = body(ids[next]) else { return }
                sides[index].refusals = isWanted ? 0 : sides[index].refusals + 1
                sides[index].next += sides[index].step
            }
        }
    }

    private static let patience = 256
}
