import PersistentObjects

/// The `versions` run: two versions of a program on one file at once, and all pairs of property types.
func runVersions(_ options: Options) throws -> String {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let run = VersionRun(folder: scratch.path)
    let rounds = options.rounds ?? 100
    let saves = min(200, 10 * rounds)
    try run.bothAtOnce(saves)
    try run.changeUnderneath(New.Guest.self, isCompatible: true)
    try run.changeUnderneath(Other.Guest.self, isCompatible: false)
    try run.checkUnderneath()
    var steps = 0
    for round in options.first..<options.first + rounds {
        var random = Randomness(options.seed, round)
        do { steps += try run.changeAtAnyMoment(round, &random) } catch {
            throw Failure("--seed \(options.seed) --first \(round): \(error)")
        }
    }
    var pairs = options
    (pairs.rounds, pairs.first) = (options.rounds.map { 20 * $0 }, 0)
    let changes = try runPairs(pairs)
    return """
        2 versions with \(saves) saves each at once, 2 changes of tables under live objects, \(rounds) at any moment of \
        \(steps) steps: nothing lost, every error typed; \(changes)
        """
}
