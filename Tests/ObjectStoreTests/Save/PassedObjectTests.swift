import TestSupport
import Testing

@testable import PersistentObjects

/// A save skips unchanged objects quickly, and misses no change behind them.
struct PassedObjectTests {
    final class Bank: PersistentObject {
        override class var tableName: String { "passed_bank" }
        var name = ""
        @Inverse(\Account.bank) var accounts: [Account]
    }

    final class Account: PersistentObject {
        override class var tableName: String { "passed_account" }
        var name = ""
        var bank: Bank?
        @Inverse(\Entry.account) var entries: [Entry]
    }

    final class Kind: PersistentObject {
        override class var tableName: String { "passed_kind" }
        var name = ""
    }

    class Entry: PersistentObject {
        override class var tableName: String { "passed_entry" }
        var amount = 0
        var text = "a text that is too long to stand in itself"
        var account: Account?
        var kind: Kind?
        var parts: [String] = []
        weak var twin: Entry?
    }

    final class Transfer: Entry {
        var target: Account?
        @Lazy var proof: Account?
    }

    private struct Graph {
        let bank = Bank()
        let accounts = (0..<3).map { _ in Account() }
        let kinds = (0..<4).map { _ in Kind() }
        let entries: [Entry]
        var all: [PersistentObject] { [bank] + accounts + kinds + entries }

        init(entries count: Int = 20) {
            entries = (0..<count).map { $0 % 5 == 4 ? Transfer() : Entry() }
            for account in accounts { account.bank = bank }
            for (place, entry) in entries.enumerated() {
                entry.amount = place
                entry.account = accounts[place % 3]
                entry.kind = kinds[place % 4]
            }
        }
    }

    private static func pass() throws { for _ in 0..<300 { _ = try Kind.find([-1]) } }

    /// Runs `body` with a saved graph whose inverses were loaded, and released again or not.
    private static func withGraph(areReleased: Bool, _ body: (Session, Graph) throws -> Void) throws {
        try withTemporarySession(.init(durability: .relaxed)) { session, _ throws in
            let graph = Graph()
            try session.save(graph.all)
            _ = graph.bank.accounts
            for account in graph.accounts { _ = account.entries }
            if areReleased {
                try pass()
                #expect(graph.accounts.allSatisfy { !$0.$entries.isLoaded })
            }
            try body(session, graph)
        }
    }

    @Test(arguments: [false, true]) func `each edited entry of an account is saved with any other entry`(
        areReleased: Bool
    ) throws {
        try Self.withGraph(areReleased: areReleased) { session, graph in
            for entry in graph.entries {
                entry.amount += 100
                entry.text += "!"
                try graph.entries[3].save()
                #expect(!entry.hasChanges, "all are reached by way of the bank")
                #expect(try Entry.where { $0.amount == entry.amount }.count() == 1)
            }
            for entry in graph.entries {
                entry.kind = Kind()
                try graph.entries[0].save()
                #expect(entry.kind?.isNew == false && !entry.hasChanges)
            }
            #expect(try statements(of: session) { try graph.entries[1].save() }.isEmpty)
        }
    }

    @Test(arguments: [false, true]) func `changes behind an unchanged entry are saved`(areReleased: Bool) throws {
        try Self.withGraph(areReleased: areReleased) { session, graph in
            graph.kinds[2].name = "changed"
            try graph.entries[0].save()
            #expect(!graph.kinds[2].hasChanges)
            let transfer = try #require(graph.entries[4] as? Transfer)
            transfer.target = Account()
            transfer.target?.name = "new"
            try session.save(transfer)
            transfer.target?.name = "changed"
            transfer.twin = graph.entries[5]
            try graph.entries[0].save()
            #expect(transfer.target?.hasChanges == false && !transfer.hasChanges)
            transfer.proof = Account()
            try graph.entries[0].save()
            expect(transfer.proof?.isNew, false)
            transfer.proof?.name = "changed"
            try graph.entries[0].save()
            expect(transfer.proof?.hasChanges, false)
        }
    }

    @Test(arguments: [false, true])
    func `entries that move or lose their references are saved, and deleted targets are refused`(
        areReleased: Bool
    ) throws {
        try Self.withGraph(areReleased: areReleased) { session, graph in
            graph.entries[6].account = graph.accounts[1]
            try graph.entries[0].save()
            #expect(!graph.entries[6].hasChanges && graph.accounts[1].entries.contains(graph.entries[6]))
            #expect(!graph.accounts[0].entries.contains(graph.entries[6]))
            try graph.kinds[1].delete()
            #expect(throws: StoreError.self) {
                let entry = Entry()
                entry.kind = graph.kinds[1]
                try session.save(entry)
            }
            graph.entries[1].account?.name = "after"
            graph.entries[1].kind = nil
            graph.entries[5].kind = nil
            graph.entries[9].kind = nil
            graph.entries[13].kind = nil
            graph.entries[17].kind = nil
            try graph.entries[0].save()
            #expect(graph.all.allSatisfy { $0.isDeleted || !$0.hasChanges })
        }
    }

    @Test(arguments: [false, true]) func `a shallow save skips the same objects`(areReleased: Bool) throws {
        try Self.withGraph(areReleased: areReleased) { session, graph in
            graph.entries[3].amount = -1
            graph.entries[0].amount = -2
            try graph.entries[0].save(.shallow)
            #expect(graph.entries[3].hasChanges && !graph.entries[0].hasChanges)
            try graph.entries[0].save()
            #expect(!graph.entries[3].hasChanges)
        }
    }

    @Test(arguments: SeededGenerator.seeds(16)) func `a random edit is saved from any object`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try Self.withGraph(areReleased: seed % 2 == 0) { session, graph in
            for step in 0..<60 {
                let entry = graph.entries[Int.random(in: 0..<graph.entries.count, using: &random)]
                switch Int.random(in: 0..<8, using: &random) {
                case 0: entry.amount = -step
                case 1: entry.text = "text \(step) that is too long to stand in itself"
                case 2: entry.account = graph.accounts.randomElement(using: &random)
                case 3: entry.kind = graph.kinds.randomElement(using: &random)
                case 4: entry.kind?.name = "\(step)"
                case 5: entry.account?.name = "\(step)"
                case 6: entry.parts.append("\(step)")
                default: (entry as? Transfer)?.target = graph.accounts.randomElement(using: &random)
                }
                // All entries have an account, and so reach the bank and all other entries and their kinds.
                let root = graph.entries[Int.random(in: 0..<graph.entries.count, using: &random)]
                if step % 10 == 9 { for account in graph.accounts { _ = account.entries } }
                try root.save()
                let left = graph.all.filter(\.hasChanges)
                #expect(left.isEmpty, "step \(step)")
                #expect(try Entry.where { $0.amount == entry.amount && $0.text == entry.text }.count() >= 1)
            }
        }
    }
}

extension PersistentObject {
    fileprivate var hasChanges: Bool { ObjectState(self).hasChanges }
    fileprivate var isDeleted: Bool { lifecycle == .deleted }
}
