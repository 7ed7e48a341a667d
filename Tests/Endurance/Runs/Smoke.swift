import PersistentObjects

/// The `smoke` run, for memory checkers: some steps in this process, with both versions of the classes and a chain.
func runSmoke(_ options: Options) throws -> String {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let steps = options.rounds ?? 40
    let file = BankFile(scratch.path + "/bank.sqlite", seed: options.seed)
    for version in [BankVersion.first, .second] {
        try file.work(version, steps: steps) { _ in }
        let found = try file.check(version)
        try require(found == (version == .first ? steps : 2 * steps), "the file holds \(found) steps")
    }
    _ = try linkAndUnlink(1_000, scratch.path + "/chain.sqlite")
    return "\(2 * steps) steps and 1000 linked objects"
}
