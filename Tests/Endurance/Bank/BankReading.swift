import PersistentObjects

extension BankState {
    /// Reads the state of a file with the library. Throws an error if the objects contradict each other.
    init<P: Profile>(reading session: Session, _ profile: P.Type) throws {
        self.init()
        let ledgers = try Ledger.all()
        try require(ledgers.count <= 1, "\(ledgers.count) ledgers")
        let all = try Account.all()
        for account in all {
            accounts[account.number] = AccountState(
                balance: account.balance, history: account.history, parent: account.parent?.number,
                tags: account.tags.map(\.word), limit: account.card?.limit ?? -1, rate: (account as? Savings)?.rate)
            let booked = account.entries
            try require(
                booked.reduce(0) { $0 + $1.amount } == account.balance,
                "the entries of account \(account.number) are not its balance")
            try require(
                Set(booked.map(\.number)) == Set(account.history.filter { $0 > 0 && !account.history.contains(-$0) }),
                "the entries of account \(account.number) are not those of its history")
        }
        for entry in try Entry.all() {
            guard let account = entry.account else { throw Failure("entry \(entry.number) is of no account") }
            entries[entry.number] = EntryState(account: account.number, amount: entry.amount, note: entry.note)
        }
        for tag in try Tag.all() {
            try require(
                Set(tag.accounts.map(\.number)) == Set(all.filter { $0.tags.contains(tag) }.map(\.number)),
                "tag \(tag.word) has other accounts than have it")
        }
        for profile in try P.profiles() { profiles[profile.content.number] = profile.content.profile }
        let cards = try Card.count()
        try require(cards == accounts.count, "\(cards) cards of \(accounts.count) accounts")
        if let ledger = ledgers.first {
            (step, recent) = (ledger.step, ledger.recent)
            try require(
                ledger.accounts == accounts.count && ledger.entries == entries.count && ledger.sum == sum,
                "the ledger counts \(ledger.accounts) accounts, \(ledger.entries) entries, \(ledger.sum) in all; there are "
                    + "\(accounts.count), \(entries.count), \(sum)")
        }
    }
}
