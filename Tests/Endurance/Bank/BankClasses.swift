import PersistentObjects

/// The number of steps, and sums that must agree with the rows. Every step changes it.
final class Ledger: PersistentObject {
    var step = 0
    var accounts = 0
    var entries = 0
    var sum = 0
    var recent: [Int] = []
    /// The number of runs of the migration of the second version.
    var migrations = 0
}

class Account: PersistentObject {
    @Unique var number = 0
    var balance = 0
    var history: [Int] = []
    weak var parent: Account?
    var tags: [Tag] = []
    @OnDelete(.cascade) var card: Card?
    @Inverse(\Entry.account, onDelete: .cascade) var entries: [Entry]
}

final class Savings: Account {
    var rate = 0.0
}

final class Entry: PersistentObject {
    @Unique var number = 0
    var amount = 0
    var note = ""
    weak var account: Account?
}

final class Tag: PersistentObject {
    @Unique var word = 0
    @Inverse(\Account.tags) var accounts: [Account]
}

final class Card: PersistentObject {
    var limit = 0
}
