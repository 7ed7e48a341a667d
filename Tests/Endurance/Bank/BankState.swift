/// The expected content of the file after some steps, as plain values. The seed and the number of steps determine it.
struct BankState: Equatable {
    struct AccountState: Equatable {
        var balance = 0
        var history: [Int] = []
        var parent: Int?
        var tags: [Int] = []
        var limit = 0
        var rate: Double?
    }

    struct EntryState: Equatable {
        var account: Int
        var amount: Int
        var note = ""
    }

    struct ProfileState: Equatable {
        var account: Int?
        var label = ""
        var points = 0
        var tag = ""
        var gadget = ""
    }

    var step = 0
    var recent: [Int] = []
    var accounts: [Int: AccountState] = [:]
    var entries: [Int: EntryState] = [:]
    var profiles: [Int: ProfileState] = [:]

    var sum: Int { accounts.values.reduce(0) { $0 + $1.balance } }

    /// The state after `steps` steps from an empty file.
    init(seed: UInt64, steps: Int) {
        for _ in 0..<steps { advance(seed) }
    }

    init() {}

    mutating func advance(_ seed: UInt64) { apply(BankAction.next(after: self, seed)) }

    mutating func apply(_ action: BankAction) {
        step += 1
        recent = (recent + [step]).suffix(5)
        switch action {
        case .open(let number, let parent, let rate, let tags, let entries):
            accounts[number] = AccountState(parent: parent, tags: tags, limit: number * 10, rate: rate)
            for entry in entries { book(entry, on: number, 7) }
        case .transfer(let from, let to, let amount, let entries):
            book(entries.0, on: from, -amount)
            book(entries.1, on: to, amount)
        case .undone(let account, let entry), .nested(let account, let entry), .deposit(let account, let entry):
            book(entry, on: account, step)
        case .close(let number):
            accounts[number] = nil
            entries = entries.filter { $0.value.account != number }
            for (key, account) in accounts where account.parent == number { accounts[key]?.parent = nil }
            for (key, profile) in profiles where profile.account == number { profiles[key]?.account = nil }
        case .retag(let account, let tags): accounts[account]?.tags = tags
        case .untag(let tag):
            for key in accounts.keys { accounts[key]?.tags.removeAll { $0 == tag } }
        case .move(let account, let parent): accounts[account]?.parent = parent
        case .drop(let number):
            guard let entry = entries.removeValue(forKey: number) else { return }
            accounts[entry.account]?.balance -= entry.amount
            accounts[entry.account]?.history.append(-number)
        case .note(let minimum):
            for (key, entry) in entries where entry.amount > minimum { entries[key]?.note = "more than \(minimum)" }
        case .profile(let number, let profile): profiles[number] = profile
        case .forget(let number): profiles[number] = nil
        }
    }

    private mutating func book(_ number: Int, on account: Int, _ amount: Int) {
        entries[number] = EntryState(account: account, amount: amount)
        accounts[account]?.balance += amount
        accounts[account]?.history.append(number)
    }
}
