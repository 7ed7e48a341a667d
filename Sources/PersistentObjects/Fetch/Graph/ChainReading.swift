/// Which references of a class to itself consecutive levels of a fetch followed.
///
/// Level by level, a list of linked objects would take one statement for each object. From the third level on,
/// stretches are read, each twice as long as the previous stretch. The number of statements is the logarithm of the
/// list's length. At most twice the needed rows are read, because some objects further on may be in memory.
struct ChainReading {
    private struct Chain {
        let root: PersistentObject.Type
        let column: String
        /// The last level that followed the reference, and how many consecutive levels followed it.
        var level: Int
        var count: Int
    }

    private var chains: [Chain] = []
    private var level = 0

    private static let firstLevel = 3
    private static let firstDepth = 64
    private static let lastDepth = 1 << 20
    /// A tree is wider than a list and has few levels.
    private static let width = 8

    /// The links to continue from at the next level, and how many steps to read ahead.
    mutating func next(_ references: [ReferenceLinks]) -> [(links: ReferenceLinks, depth: Int)] {
        level += 1
        var found: [(ReferenceLinks, Int)] = []
        for links in references where links.map.root == links.target.map.root && links.ids.count <= ChainReading.width {
            let column = links.map.properties[links.ordinal].column
            guard let known = chains.firstIndex(where: { $0.root == links.map.root && $0.column == column }) else {
                chains.append(Chain(root: links.map.root, column: column, level: level, count: 1))
                continue
            }
            // Each subclass has its own property for the reference at the same level.
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
