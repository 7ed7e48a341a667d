internal import StoreEngine

/// Conditions that are joined by one connective, in their order.
struct ConditionList {
    /// The conditions that were prepended, in reverse order.
    private var before: [SQL] = []
    private var after: [SQL] = []

    init() {}
    init(_ sql: SQL) { after = [sql] }

    private var count: Int { before.count + after.count }
    private var all: [SQL] { before.reversed() + after }

    /// The shorter list goes to the longer one: a chain of any shape costs what its length says.
    mutating func append(_ other: consuming ConditionList) {
        guard other.count > count else { return after += other.all }
        swap(&self, &other)
        before += other.all.reversed()
    }

    func joined(_ separator: SQL) -> SQL { ConditionList.joined(all, separator) }

    /// In a tree of a few hundred branches a node: SQLite reads a list of thousands as a tree as deep, and refuses it.
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
