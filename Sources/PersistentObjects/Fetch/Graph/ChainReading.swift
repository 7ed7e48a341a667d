/// Which references of a class to itself the levels of a fetch have followed, one after the other.
///
/// A list of linked objects would take a statement for each. From the third
/// level on whole stretches are read, each twice as long as the one before: as
/// many statements as the logarithm of the list, and at most as many rows again
/// as are wanted, since some may be in memory further on.
struct ChainReading {
    private struct Chain {
        let root: PersistentObject.Type
        let column: String
        /// The level that it was last met at, and how many there were before in a row.
        var level: Int
        var count: Int
    }

    private var chains: [Chain] = []
    private var level = 0

    private static let firstLevel = 3
    private static let firstDepth = 64
    private static let lastDepth = 1 << 20
    /// A tree is wider, and has few levels.
    private static let width = 8

    /// What to read on from at the next level, and how many steps far.
    mutating func next(_ references: [ReferenceLinks]) -> [(links: ReferenceLinks, depth: Int)] {
        level += 1
        var found: [(ReferenceLinks, Int)] = []
        for links in references where links.map.root == links.target.map.root && links.ids.count <= ChainReading.width {
            let column = links.map.properties[links.place].column
            guard let known = chains.firstIndex(where: { $0.root == links.map.root && $0.column == column }) else {
                chains.append(Chain(root: links.map.root, column: column, level: level, count: 1))
                continue
            }
            // Subclasses have a property each at the same level.
            if chains[known].level < level {
                chains[known].count = chains[known].level == level - 1 ? chains[known].count + 1 : 1
                chains[known].level = level
            }
            let step = chains[known].count - ChainReading.firstLevel
            guard step >= 0 else { continue }
            let depth = step < 14 ? ChainReading.firstDepth << step : ChainReading.lastDepth
            found.append((links, depth))
        }
        return found
    }
}
