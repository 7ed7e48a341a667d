import PersistentObjects

/// The expected contents of a file, by class and by the numbers of the objects.
public struct ChainState: Codable, Sendable {
    struct Row: Codable, Sendable {
        /// The contents by the names of columns. Columns that no class has now are kept, because they may reappear.
        var cells: [String: Content] = [:]
        /// The object that it refers to, and the objects of its list.
        var first: [Int] = []
        var all: [Int] = []
        var isSet = false

        func hasSameLinks(as other: Row) -> Bool {
            let isSet = isSet || other.isSet
            return first == other.first && (isSet ? Set(all) == Set(other.all) : all == other.all)
        }
    }

    var roots: [Int: Row] = [:]
    var items: [Int: Row] = [:]
    var owners: [Int: Row] = [:]
    var names = 0
    var isBelow = true
    var lastTag = 0

    public init() {}

    /// Applies the changes of a version to the columns.
    mutating func follow(_ version: ChainVersion) {
        if names != version.names.rawValue {
            func rename(_ row: inout Row, _ names: [String: String]) {
                row.cells = Dictionary(uniqueKeysWithValues: row.cells.map { (names[$0.key] ?? $0.key, $0.value) })
            }
            let isExchanged = version.names == .exchanged
            let inHierarchy = isExchanged ? ["a": "c", "c": "a"] : ["a": "x", "b": "y", "c": "z"]
            for tag in roots.keys { rename(&roots[tag, default: Row()], inHierarchy) }
            for tag in items.keys { rename(&items[tag, default: Row()], inHierarchy) }
            for tag in owners.keys {
                rename(&owners[tag, default: Row()], isExchanged ? ["a": "b", "b": "a"] : ["a": "x", "b": "y"])
            }
            names = version.names.rawValue
        }
        guard isBelow != version.isBelow else { return }
        // Rows that move to another table keep only the columns that both classes have.
        isBelow = version.isBelow
        for tag in items.keys {
            let cells = items[tag]?.cells ?? [:]
            items[tag]?.cells = cells.filter { ["b", "y"].contains($0.key) }
        }
    }
}
