import PersistentObjects

/// Runs the steps with objects, as a program does.
struct BankWorker<P: Profile> {
    let session: Session

    private struct Refused: Error {}

    /// Runs one step. `before` is the state of the file.
    func apply(_ action: BankAction, after before: BankState) throws {
        let ledger = try Ledger.all().first ?? Ledger()
        try require(ledger.step == before.step, "the ledger is at \(ledger.step), the file at \(before.step)")
        ledger.step += 1
        ledger.recent = (ledger.recent + [ledger.step]).suffix(5)
        switch action {
        case .open(let number, let parent, let rate, let tags, let entries):
            let new: Account
            if let rate {
                let savings = Savings()
                savings.rate = rate
                new = savings
            } else {
                new = Account()
            }
            let card = Card()
            card.limit = number * 10
            (new.number, new.card, new.tags) = (number, card, try self.tags(tags))
            let above = try parent.map(account)
            new.parent = above
            let booked = entries.map { book($0, on: new, 7, ledger) }
            ledger.accounts += 1
            try withExtendedLifetime((above, booked)) { try session.save([ledger, new]) }
        case .deposit(let number, let entry):
            let account = try account(number)
            let booked = book(entry, on: account, ledger.step, ledger)
            try session.save([ledger, account, booked])
        case .transfer(let from, let to, let amount, let entries):
            try session.transaction {
                let (from, to) = (try account(from), try account(to))
                let taken = book(entries.0, on: from, -amount, ledger)
                try taken.save()
                try from.save()
                let given = book(entries.1, on: to, amount, ledger)
                try session.save([to, given])
                try ledger.save()
            }
        case .nested(let number, let entry):
            try session.transaction {
                let account = try account(number)
                let booked = book(entry, on: account, ledger.step, ledger)
                try session.save([account, booked])
                try refuse(account)
                try require(account.card != nil, "a card is gone that came back")
                try ledger.save()
            }
        case .undone(let number, let entry): try undo(number, entry, ledger)
        case .close(let number):
            try session.transaction {
                let account = try account(number)
                ledger.accounts -= 1
                ledger.entries -= account.entries.count
                ledger.sum -= account.balance
                try account.delete()
                try ledger.save()
            }
        case .retag(let number, let tags):
            let account = try account(number)
            account.tags = try self.tags(tags)
            try session.save([account, ledger])
        case .untag(let word):
            guard let tag = try Tag.findFirstBy.word(word) else { return try ledger.save() }
            tag.accounts = []
            try session.save([tag, ledger])
        case .move(let number, let parent):
            let account = try account(number)
            let above = try parent.map(self.account)
            account.parent = above
            try withExtendedLifetime(above) { try session.save([account, ledger]) }
        case .drop(let number):
            try session.transaction {
                guard let entry = try Entry.findFirstBy.number(number), let account = entry.account else {
                    throw Failure("entry \(number) is gone")
                }
                account.balance -= entry.amount
                account.history.append(-number)
                ledger.sum -= entry.amount
                ledger.entries -= 1
                try entry.delete()
                try session.save([account, ledger])
            }
        case .note(let minimum):
            try session.transaction {
                try Entry.where { $0.amount > minimum }.update { $0.note = "more than \(minimum)" }
                try ledger.save()
            }
        case .profile(let number, let content):
            let profile = try P.numbered(number) ?? P()
            try profile.fill(number, content, account: try content.account.map(account))
            try session.save([profile, ledger])
        case .forget(let number):
            try session.transaction {
                try P.numbered(number)?.delete()
                try ledger.save()
            }
        }
    }

    private func account(_ number: Int) throws -> Account {
        guard let account = try Account.findFirstBy.number(number) else { throw Failure("account \(number) is gone") }
        return account
    }

    private func tags(_ words: [Int]) throws -> [Tag] {
        try words.map { word in
            if let tag = try Tag.findFirstBy.word(word) { return tag }
            let tag = Tag()
            tag.word = word
            return tag
        }
    }

    private func book(_ number: Int, on account: Account, _ amount: Int, _ ledger: Ledger) -> Entry {
        let entry = Entry()
        (entry.number, entry.amount, entry.account) = (number, amount, account)
        account.balance += amount
        account.history.append(number)
        account.entries.append(entry)
        ledger.entries += 1
        ledger.sum += amount
        return entry
    }

    /// Runs a nested transaction, which is rolled back.
    private func refuse(_ account: Account) throws {
        do {
            try session.transaction {
                account.balance += 1000
                try account.card?.delete()
                try account.save()
                throw Refused()
            }
        } catch is Refused {}
    }

    private func undo(_ number: Int, _ entry: Int, _ ledger: Ledger) throws {
        let account = try account(number)
        let balance = account.balance
        let booked = book(entry, on: account, ledger.step, ledger)
        session.recordsUndo = true
        defer { session.recordsUndo = false }
        try session.save([ledger, account, booked])
        try require(try session.undo(), "nothing to undo")
        try require(account.balance == balance && booked.isDeleted, "undo brought memory elsewhere")
        try require(try session.redo(), "nothing to redo")
        try require(account.balance == balance + ledger.step && !booked.isDeleted, "redo brought memory elsewhere")
    }
}
