import TestSupport
import Testing

@testable import PersistentObjects

/// Several sessions and another process write in each possible way. A session that is notified which rows were
/// written has, after a plain query, the same values as a session that reads all rows for the first time.
@Suite(.onSQLite("a server has no mark that tells which commits there were; all is stale there"))
struct StaleRowsModelTests {
    final class Account: PersistentObject {
        override class var tableName: String { "account" }
        var name = ""
        @Inverse(\Entry.account) var entries: [Entry]
        @Inverse(\Entry.watchers) var watched: [Entry]
    }

    class Entry: PersistentObject {
        override class var tableName: String { "entry" }
        var amount = 0
        var text: String?
        var account: Account?
        var tags: [String] = []
        var watchers: [Account] = []
        @Lazy var related: [Entry] = []
    }

    final class Special: Entry { var extra = 0 }

    final class Alone: PersistentObject {
        override class var tableName: String { "alone" }
        @Unique var number = 0
        var text = ""
    }

    /// Describes all objects.
    private static func picture() throws -> [String] {
        func ids(_ objects: [PersistentObject]) -> [Int64] { objects.map(\.rowID) }
        var lines: [String] = []
        for account in try Account.all() {
            lines.append("account \(account.rowID) \(account.name) \(ids(account.entries).sorted())")
            lines.append("  \(ids(account.watched).sorted())")
        }
        for entry in try Entry.all() {
            lines.append(
                "entry \(entry.rowID) \(entry.amount) \(entry.text ?? "-") \(entry.account?.rowID ?? 0) \(entry.tags)")
            lines.append("  \(ids(entry.watchers)) \(ids(entry.related)) \((entry as? Special)?.extra ?? 0)")
        }
        for alone in try Alone.all() { lines.append("alone \(alone.rowID) \(alone.number) \(alone.text)") }
        return lines
    }

    /// Makes a random write in the current session.
    private static func write(_ session: Session, _ random: inout SeededGenerator) throws {
        let number = Int.random(in: 0..<1000, using: &random)
        let entry = try Entry.all().randomElement(using: &random)
        let account = try Account.all().randomElement(using: &random)
        let alone = try Alone.all().randomElement(using: &random)
        switch Int.random(in: 0..<17, using: &random) {
        case 0:
            let made = Bool.random(using: &random) ? Entry() : Special()
            made.account = account
            (made as? Special)?.extra = number
            try made.save()
        case 1:
            entry?.amount = number
            entry?.text = number % 3 == 0 ? nil : "text \(number)"
            try entry?.save()
        case 2:
            entry?.account = number % 4 == 0 ? nil : account
            try entry?.save()
        case 3:
            entry?.tags = (0..<number % 4).map { "\(number) \($0)" }
            try entry?.save()
        case 4:
            entry?.watchers = try Account.all().filter { _ in Bool.random(using: &random) }
            try entry?.save()
        case 5:
            entry?.related = try Entry.all().filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            try entry?.save()
        case 6: if number % 3 == 0 { try entry?.delete() }
        case 7: if number % 5 == 0 { try account?.delete() }
        case 8: try Entry.where { $0.amount < number }.update { $0.amount = $0.amount + 1 }
        case 9: try session.execute("UPDATE entry SET text = 'raw ' || id WHERE id % 3 = ?", number % 3)
        case 10: try session.execute("INSERT OR REPLACE INTO alone (number, text) VALUES (?, 'put')", number % 20)
        case 11: if number % 3 == 0 { try alone?.delete() }
        case 16: try Alone.where { $0.number == number % 20 }.delete()
        case 12:
            account?.name = "name \(number)"
            try account?.save()
        case 13:
            try session.transaction {
                entry?.amount = -number
                alone?.text = "in \(number)"
                try session.saveChanges()
                if number % 2 == 0 { session.rollBack() }
            }
        case 14:
            let made = Account()
            made.name = "made \(number)"
            try made.save()
        default:
            alone?.text = "text \(number)"
            try alone?.save()
        }
    }

    @Test(arguments: SeededGenerator.seeds(40))
    func `a session notified of other sessions' writes reads the values that they wrote`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporaryStore { store, file in
            try store.withSession { session throws in
                let accounts = (0..<4).map { _ in Account() }
                let entries = (0..<8).map { $0 % 3 == 0 ? Special() : Entry() }
                for entry in entries { entry.account = accounts.randomElement(using: &random) }
                try session.save(accounts + entries)
                for number in 0..<20 {
                    let alone = Alone()
                    alone.number = number
                    try alone.save()
                }
            }
            try store.withSession { first throws in
                try store.withSession { second throws in
                    for session in [first, second] {
                        try CurrentSession.with(session) { _ = try Self.picture() }
                        session.memory.listenToCommits()
                    }
                    // The sessions hold the objects, so that they are refreshed and not read for the first time.
                    let held = try [first, second].map { session throws -> [PersistentObject] in
                        try CurrentSession.with(session) { try Account.all() + Entry.all() + Alone.all() }
                    }
                    defer { withExtendedLifetime(held) {} }
                    for step in 0..<30 {
                        let writer = Int.random(in: 0..<10, using: &random)
                        switch writer {
                        case 0: _ = try file.sqlite("UPDATE alone SET text = 'process \(step)' WHERE id % 2 = 0")
                        case 1:
                            _ = try file.sqlite("UPDATE entry SET amount = amount + 1; DELETE FROM alone WHERE id = 7")
                        case 2, 3: try CurrentSession.with(first) { try Self.write(first, &random) }
                        case 4, 5: try CurrentSession.with(second) { try Self.write(second, &random) }
                        default: try store.withSession { try Self.write($0, &random) }
                        }
                        let looker = [first, second][Int.random(in: 0...1, using: &random)]
                        guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
                        let seen = try CurrentSession.with(looker) { try Self.picture() }
                        let truth = try store.withSession { _ throws in try Self.picture() }
                        expect(seen, truth, "seed \(seed), step \(step), writer \(writer)")
                        expect(looker.classes.allIdentities.compactMap { $0.brokenInvariant() }, [])
                    }
                }
            }
        }
    }
}
