import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A run of the test, which applies each operation to the model and the library.
final class TransactionRun {
    struct Difference: Error { let what: String }
    struct Failure: Error {}

    private static let watched = ProcessInfo.processInfo.environment["WATCH"].flatMap { Int($0) }
    struct Weak { weak var object: TransactionNode? }

    let session: Session
    private var random: SeededGenerator
    private(set) var model = TransactionModel()
    private var lastNumber = 0
    /// Objects that were seen, whether they are held or not.
    private var known: [Int: Weak] = [:]
    private(set) var count = 0
    private(set) var log: [String] = []

    init(_ session: Session, _ random: SeededGenerator) {
        self.session = session
        self.random = random
    }

    func step(depth: Int) throws {
        count += 1
        let number = Int.random(in: 0..<100, using: &random)
        switch number {
        case 0..<10: create()
        case 10..<40: edit()
        case 40..<55: try save()
        case 55..<60: try saveChanges()
        case 60..<67: try delete()
        case 67..<71: revert()
        case 71..<76: try refetch()
        case 76..<79: forget(depth)
        case 79..<82: try update()
        case 82..<85: if depth > 0 { try overwrite() } else { try refetch() }
        default: if depth < 5 { try transaction(depth) } else { try save() }
        }
        if let watched = Self.watched, let held = model.held[watched] {
            let row = model.rows[watched].map { "\($0)" } ?? "none"
            log.append("            \(depth): \(MemoryDump.of(held.object, "")) row \(row)")
        }
        try compareMemory()
        if depth == 0 && (60..<67 ~= number || 40..<60 ~= number || number >= 79) { try compareFile() }
    }

    private func any(_ isWanted: (TransactionModel.Held) -> Bool = { _ in true }) -> (Int, TransactionModel.Held)? {
        let fitting = model.held.filter { isWanted($0.value) }.sorted { $0.key < $1.key }
        return fitting.randomElement(using: &random).map { ($0.key, $0.value) }
    }

    func wrong(_ what: String) -> Difference { Difference(what: what) }
}

// Objects.
extension TransactionRun {
    private func create() {
        let living = model.held.values.count { $0.state != .deleted }
        guard living < 8, model.held.count < 16 else { return edit() }
        lastNumber += 1
        let node = TransactionNode()
        node.number = lastNumber
        model.held[lastNumber] = TransactionModel.Held(object: node)
        known[lastNumber] = Weak(object: node)
        log.append("create \(lastNumber)")
    }

    private func edit() {
        guard let (number, held) = any({ $0.state != .deleted }) else { return }
        let node = held.object
        let value = Int.random(in: 0..<4, using: &random)
        let other = any { $0.object !== node }.map(\.1.object)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: node.text = value
        case 2: if value == 0 { node.tags = [] } else { node.tags.append(value) }
        case 3: node.next = value == 0 ? nil : other
        case 4: if let other, !node.list.contains(other) { node.list.insert(other, at: 0) }
        default: if !node.list.isEmpty { node.list.removeLast() }
        }
        model.held[number]?.values = TransactionModel.Values(node)
        log.append("edit \(number): \(TransactionModel.Values(node))")
    }

    private func revert() {
        guard let (number, held) = any({ $0.state == .saved }) else { return }
        held.object.revert()
        model.held[number]?.values = held.baseline
        log.append("revert \(number)")
    }

    /// Only at the top level, because a transaction keeps the objects that it may have to restore.
    private func forget(_ depth: Int) {
        guard depth == 0 else { return edit() }
        let linked = Set(model.held.values.flatMap { ($0.values.next.map { [$0] } ?? []) + $0.values.list })
        let gone = any { held in
            held.state == .saved && held.edits.isEmpty
                || held.state == .deleted && !linked.contains(held.object.number)
        }
        guard let (number, _) = gone else { return }
        model.held[number] = nil
        log.append("forget \(number)")
    }
}

// The file.
extension TransactionRun {
    private func attempt(_ name: String, succeeds: Bool, _ body: () throws -> Void) throws {
        log.append(name + (succeeds ? "" : " (refused)"))
        do { try body() } catch let error as StoreError {
            guard !succeeds, error.code == .objectIsDeleted else { throw error }
            return
        }
        if !succeeds { throw wrong("\(name) was not refused") }
    }

    private func inverse(_ number: Int) -> [Int] {
        guard let node = known[number]?.object,
            let value = MemoryDump.parts(of: node).first(where: { $0.name == "previous" })?.value,
            value != MemoryDump.unloaded
        else { return [] }
        return node.previous.map(\.number)
    }

    private func save() throws {
        guard let (number, held) = any() else { return create() }
        try attempt("save \(number)", succeeds: model.save([number], inverse)) { try held.object.save() }
    }

    private func saveChanges() throws {
        let changed = model.held.filter { $0.value.state == .saved && !$0.value.edits.isEmpty }.map(\.key)
        try attempt("save changes \(changed.sorted())", succeeds: model.save(changed, inverse)) {
            try session.saveChanges()
        }
    }

    private func delete() throws {
        guard let (number, held) = any({ $0.state == .saved }) else { return create() }
        log.append("delete \(number)")
        try held.object.delete()
        model.delete(number)
    }

    private func refetch() throws {
        log.append("refetch")
        let nodes = try TransactionNode.all()
        guard Set(nodes.map(\.number)) == Set(model.rows.keys), nodes.count == model.rows.count else {
            throw wrong("found \(nodes.map(\.number)), wanted \(model.rows.keys.sorted())")
        }
        for node in nodes {
            known[node.number] = Weak(object: node)
            if let held = model.held[node.number] {
                guard held.object === node else { throw wrong("\(node.number) is in memory twice") }
            } else if Bool.random(using: &random) {
                model.held[node.number] = model.asRow(node.number, node)
            }
        }
    }

    private func update() throws {
        let (old, new) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
        log.append("update text \(old) to \(new)")
        let live = Set(known.filter { $0.value.object != nil }.keys)
        try TransactionNode.where { $0.text == old }.update { $0.text = new }
        model.update(old, to: new, live.contains)
    }

    /// Runs raw SQL, and then a query that reads the result.
    private func overwrite() throws {
        let numbers = model.rows.keys.filter { !(model.held[$0]?.isEdited(.text) ?? false) }.sorted()
        guard let number = numbers.randomElement(using: &random) else { return }
        let text = Int.random(in: 0..<4, using: &random)
        log.append("raw SQL: text of \(number) is \(text)")
        try session.execute("UPDATE transaction_node SET text = ? WHERE number = ?", text, number)
        for node in try TransactionNode.all() { known[node.number] = Weak(object: node) }
        model.overwrite(number, text)
    }

    // MARK: Transactions

    private enum Ending { case well, error, rollBack, commitFails, sqliteRollsBack }

    private func transaction(_ depth: Int) throws {
        let before = dump()
        let former = model.held
        var ending = Ending.well
        log.append("begin \(depth + 1)")
        model.begin()
        do {
            try session.transaction { () throws in
                for _ in 0..<Int.random(in: 1...8, using: &random) { try step(depth: depth + 1) }
                ending = anyEnding(depth)
                switch ending {
                case .well: break
                case .error: throw Failure()
                case .rollBack: session.rollBack()
                case .commitFails:
                    try session.execute("INSERT INTO transaction_node (number, text) VALUES (-1, 0)")
                    try session.connection.execute(SQL("UPDATE transaction_node SET next_id = 99999 WHERE number = -1"))
                case .sqliteRollsBack:
                    try session.execute(
                        "INSERT OR ROLLBACK INTO transaction_node (id, number, text) VALUES (7, 0, 0), (7, 0, 0)")
                }
            }
        } catch let error where !(error is Difference) {
            // After SQLite rolled back, each enclosing transaction fails with the same error.
            let isOfSQLite = (error as? StoreError)?.resultCode == 1555
            let isExpected =
                switch ending {
                case .error: error is Failure
                case .commitFails: (error as? StoreError)?.isOfForeignKeys == true
                case .sqliteRollsBack, .well: isOfSQLite
                case .rollBack: false
                }
            guard isExpected else { throw error }
            log.append("\(depth + 1) failed: \(ending)")
            if depth > 0, isOfSQLite {
                // Memory is restored when the outermost transaction ends.
                model.commit()
                throw error
            }
            model.rollBack()
            return try compareDumps(before, former)
        }
        log.append("end \(depth + 1): \(ending)")
        if ending == .rollBack {
            model.rollBack()
            try compareDumps(before, former)
        } else {
            model.commit()
        }
    }

    private func anyEnding(_ depth: Int) -> Ending {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<10: .well
        case 10..<14: .error
        case 14..<17: .rollBack
        case 17, 18: depth == 0 ? .commitFails : .error
        default: TestEngine.isPostgres ? .error : .sqliteRollsBack
        }
    }
}
