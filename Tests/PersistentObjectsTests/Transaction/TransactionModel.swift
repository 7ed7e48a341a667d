import PersistentObjects

/// The object of the model-based transaction test.
final class TransactionNode: PersistentObject {
    override class var tableName: String { "transaction_node" }
    /// Constant; identifies the object in the model.
    var number = 0
    var text = 0
    var tags: [Int] = []
    var next: TransactionNode?
    var list: [TransactionNode] = []
    @Inverse(\TransactionNode.next) var previous: [TransactionNode]
}

/// The expected state of file and memory in plain dictionaries.
struct TransactionModel {
    /// The values of an object or a row; other objects are represented by their numbers.
    struct Values: Equatable {
        var text = 0
        var tags: [Int] = []
        var next: Int?
        var list: [Int] = []

        init() {}

        init(_ node: TransactionNode) {
            (text, tags, next, list) = (node.text, node.tags, node.next?.number, node.list.map(\.number))
        }
    }

    enum Property: String, CaseIterable { case text, tags, next, list }

    struct Held {
        enum State { case new, saved, deleted }
        let object: TransactionNode
        var state = State.new
        var values = Values()
        /// The values in the file, as known by the object.
        var baseline = Values()

        func isEdited(_ property: Property) -> Bool { !values.isSame(property, baseline) }
        var edits: [Property] { Property.allCases.filter(isEdited) }
    }

    /// A transaction: the state at its start, and its effects.
    struct Level {
        let rows: [Int: Values]
        let held: [Int: Held]
        /// The objects that were saved, deleted or changed by a query.
        var touched: Set<Int> = []
        /// The values of new objects at their first save.
        var firstSaves: [Int: Values] = [:]
        /// Links that were removed with their targets.
        var loosened: [Int: Set<Property>] = [:]
    }

    var rows: [Int: Values] = [:]
    var held: [Int: Held] = [:]
    var levels: [Level] = []
}

extension TransactionModel.Values {
    func isSame(_ property: TransactionModel.Property, _ other: Self) -> Bool {
        switch property {
        case .text: text == other.text
        case .tags: tags == other.tags
        case .next: next == other.next
        case .list: list == other.list
        }
    }

    mutating func take(_ property: TransactionModel.Property, of other: Self) {
        switch property {
        case .text: text = other.text
        case .tags: tags = other.tags
        case .next: next = other.next
        case .list: list = other.list
        }
    }
}

// The effects of operations.
extension TransactionModel {
    private mutating func touch(_ number: Int) {
        guard !levels.isEmpty else { return }
        let place = levels.count - 1
        if let held = held[number], held.state == .new {
            if levels[place].firstSaves[number] == nil { levels[place].firstSaves[number] = held.values }
        } else if levels[place].firstSaves[number] == nil {
            levels[place].touched.insert(number)
        }
    }

    /// Saves objects and the objects that they reach. Returns false if the save must be refused because a deleted
    /// object is reached.
    ///
    /// - Parameter inverse: The objects in an object's inverse, if it is loaded; these are reached, too.
    mutating func save(_ roots: [Int], _ inverse: (Int) -> [Int]) -> Bool {
        var reached: Set<Int> = []
        var waiting = roots
        while let number = waiting.popLast() {
            if held[number]?.state == .deleted { return false }
            guard reached.insert(number).inserted, let values = held[number]?.values ?? rows[number] else { continue }
            waiting += (values.next.map { [$0] } ?? []) + values.list + inverse(number)
        }
        for number in reached {
            guard let object = held[number], object.state == .new || !object.edits.isEmpty else { continue }
            touch(number)
            held[number]?.state = .saved
            held[number]?.baseline = object.values
            rows[number] = object.values
        }
        return true
    }

    mutating func delete(_ number: Int) {
        touch(number)
        held[number]?.state = .deleted
        rows[number] = nil
        for (owner, row) in rows {
            if row.next == number {
                rows[owner]?.next = nil
                held[owner]?.baseline.next = nil
                if held[owner]?.values.next == number { held[owner]?.values.next = nil }
                loosen(owner, .next)
            }
            if row.list.contains(number) {
                rows[owner]?.list.removeAll { $0 == number }
                held[owner]?.baseline.list.removeAll { $0 == number }
                held[owner]?.values.list.removeAll { $0 == number }
                loosen(owner, .list)
            }
        }
    }

    private mutating func loosen(_ owner: Int, _ property: Property) {
        if !levels.isEmpty { levels[levels.count - 1].loosened[owner, default: []].insert(property) }
    }

    /// Updates the text of all rows with a given text, like a query.
    ///
    /// - Parameter isLive: Whether an object is in memory.
    mutating func update(_ old: Int, to new: Int, _ isLive: (Int) -> Bool) {
        for (number, row) in rows where row.text == old {
            if isLive(number) { touch(number) }
            setText(of: number, new)
        }
    }

    /// Changes the text of a row without the library, and reads the row again.
    mutating func overwrite(_ number: Int, _ text: Int) { setText(of: number, text) }

    private mutating func setText(of number: Int, _ text: Int) {
        rows[number]?.text = text
        guard let object = held[number] else { return }
        if !object.isEdited(.text) { held[number]?.values.text = text }
        held[number]?.baseline.text = text
    }

    // MARK: Transactions

    mutating func begin() { levels.append(Level(rows: rows, held: held)) }

    mutating func commit() {
        let inner = levels.removeLast()
        guard !levels.isEmpty else { return }
        absorb(inner)
        levels[levels.count - 1].loosened.merge(inner.loosened) { $0.union($1) }
    }

    /// Objects saved or deleted in a nested transaction count for the outer one, however the nested one ended.
    private mutating func absorb(_ inner: Level) {
        guard !levels.isEmpty else { return }
        let place = levels.count - 1
        for (number, values) in inner.firstSaves where levels[place].firstSaves[number] == nil {
            levels[place].firstSaves[number] = values
        }
        for number in inner.touched where levels[place].firstSaves[number] == nil {
            levels[place].touched.insert(number)
        }
    }

    mutating func rollBack() {
        let level = levels.removeLast()
        rows = level.rows
        defer { absorb(level) }
        for (number, now) in held {
            if let values = level.firstSaves[number] {
                held[number] = Held(object: now.object, state: .new, values: values)
            } else if level.touched.contains(number) {
                held[number] = level.held[number] ?? asRow(number, now.object)
            } else if now.state == .saved, let row = rows[number] {
                for property in Property.allCases {
                    let isLoosened = level.loosened[number]?.contains(property) ?? false
                    if isLoosened, let start = level.held[number], start.isEdited(property) {
                        held[number]?.values.take(property, of: start.values)
                    } else if !now.isEdited(property) {
                        held[number]?.values.take(property, of: row)
                    }
                }
                held[number]?.baseline = row
            }
        }
    }

    func asRow(_ number: Int, _ object: TransactionNode) -> Held {
        let row = rows[number] ?? Values()
        return Held(object: object, state: .saved, values: row, baseline: row)
    }
}
