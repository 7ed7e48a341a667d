/// The ids of the rows of one fetch, shared by their boxes: what is lazy of one is loaded with that of its neighbours.
final class Siblings {
    /// In the order of the fetch.
    let ids: [Int64]
    /// The places of the ids in their own order; nil where that is the order of the fetch.
    private lazy var order: [Int]? =
        zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 } ? nil : ids.indices.sorted { ids[$0] < ids[$1] }
    /// Whether a batch could not be loaded: then each is loaded alone, so that none is tried again and again.
    var areLoadedAlone = false

    init(_ ids: [Int64]) { self.ids = ids }

    /// Where an id is; nil for one of another fetch.
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

    /// Calls `body` with the ids that are nearest to one, on both sides in turn, so that it does not matter in which
    /// order they are read. A side ends where a row of ids was not wanted: those have been loaded before.
    ///
    /// - Parameter body: answers whether the id was wanted; nil ends all.
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
