internal import StoreEngine

/// Conditions joined by one operator, in order.
struct ConditionList {
    /// The conditions that were prepended, in reverse order.
    private var before: [SQL] = []
    private var after: [SQL] = []

    init() {}
    init(_ sql: SQL) { after = [sql] }

    private var count: Int { before.count + after.count }
    private var all: [SQL] { before.reversed() + after }

    /// The shorter list is copied into the longer list, so that the cost of a chain of any shape depends only on its
    /// length.
    mutating func append(_ other: consuming ConditionList) {
        guard other.count > count else { return after += other.all }
        swap(&self, &other)
        before += other.all.reversed()
    }

    func joined(_ separator: SQL) -> SQL { ConditionList.joined(all, separator) }

    /// Long lists become trees with a few hundred conditions in a node, because SQLite parses a list into a tree as
    /// deep as the list is long, and rejects a depth of thousands.
    private static func joined(_ parts: [SQL], _ separator: SQL) -> SQL {
        let width = 200
        var parts = parts
        while parts.count > width {
            parts = stride(from: 0, to: parts.count, by: width).map { start in
                joined(Array(parts[start..<Swift.min(start + width, parts.count)]), separator)
            }
        }
        return "\(list: parts.lazy.map { "(\($0))" }, separator: separator)"
    }
}
