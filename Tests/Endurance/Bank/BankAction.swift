/// One step. The file has either all its changes or none.
enum BankAction {
    /// Saves a graph by one call: an account with its card, tags and entries.
    case open(number: Int, parent: Int?, rate: Double?, tags: [Int], entries: [Int])
    case deposit(account: Int, entry: Int)
    /// Runs several saves in one transaction.
    case transfer(from: Int, to: Int, amount: Int, entries: (Int, Int))
    /// Makes a deposit in a transaction, with a nested transaction that fails.
    case nested(account: Int, entry: Int)
    /// Makes a deposit, undoes it and redoes it.
    case undone(account: Int, entry: Int)
    /// Deletes an account, with the changes that follow from the deletion rules.
    case close(account: Int)
    case retag(account: Int, tags: [Int])
    /// Changes the same relationship from the side of the tag.
    case untag(tag: Int)
    case move(account: Int, parent: Int?)
    case drop(entry: Int)
    /// Updates rows by a query.
    case note(minimum: Int)
    case profile(number: Int, profile: BankState.ProfileState)
    case forget(profile: Int)

    static func next(after state: BankState, _ seed: UInt64) -> BankAction {
        var random = Randomness(seed, state.step)
        let accounts = state.accounts.keys.sorted()
        // Each number includes the step, so no number is used twice.
        let first = (state.step + 1) * 10
        guard let account = accounts.randomElement(using: &random), accounts.count > 2 || random.chance(0.3) else {
            return open(first, accounts, &random)
        }
        switch random.below(26) {
        case 0..<3: return accounts.count < 8 ? open(first, accounts, &random) : .close(account: account)
        case 3..<6: return .deposit(account: account, entry: first)
        case 6..<10:
            guard let other = accounts.filter({ $0 != account }).randomElement(using: &random) else {
                return .deposit(account: account, entry: first)
            }
            return .transfer(from: account, to: other, amount: random.below(100), entries: (first, first + 1))
        case 10..<12: return .nested(account: account, entry: first)
        case 12..<14: return .undone(account: account, entry: first)
        case 14: return .close(account: account)
        case 15..<17: return .retag(account: account, tags: tags(&random))
        case 17: return .untag(tag: random.below(6))
        case 18: return .move(account: account, parent: accounts.randomElement(using: &random))
        case 19..<22:
            guard let entry = state.entries.keys.sorted().randomElement(using: &random) else {
                return .deposit(account: account, entry: first)
            }
            return .drop(entry: entry)
        case 22: return .note(minimum: random.below(60))
        default:
            let number = random.below(6)
            if state.profiles[number] != nil && random.chance(0.2) { return .forget(profile: number) }
            return .profile(
                number: number,
                profile: BankState.ProfileState(
                    account: random.chance(0.7) ? account : nil, label: "label \(first)", points: first,
                    tag: "tag \(first % 7)", gadget: "gadget \(first)"))
        }
    }

    private static func open(_ first: Int, _ accounts: [Int], _ random: inout Randomness) -> BankAction {
        .open(
            number: first, parent: accounts.randomElement(using: &random), rate: random.chance(0.4) ? 1.5 : nil,
            tags: tags(&random), entries: Array(first..<first + random.below(4)))
    }

    private static func tags(_ random: inout Randomness) -> [Int] {
        Array((0..<6).shuffled(using: &random)[..<random.below(4)])
    }
}
