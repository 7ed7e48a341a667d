import ModelRuns

/// The `model` run: compares random operations with a plain model, with three sessions, conflicts, undo and schema
/// changes. Each round is a seed.
func runModel(_ options: Options) throws -> String {
    let first = options.seed
    return try ModelRuns.run(seeds: first..<first + UInt64(options.rounds ?? 20_000), operations: 300)
}

/// The `churn` run: four threads fetch and release objects. Checks that each row has one instance.
func runChurn(_ options: Options) throws -> String { try ModelRuns.churn(operations: options.rounds ?? 1_000_000) }

/// The `stress` run: readers and writers in tasks, with cancellation and a close in the middle, 20 times.
func runStress(_ options: Options) throws -> String {
    let (rounds, seed) = (options.rounds ?? 20, options.seed)
    return try waitFor { try await ModelRuns.stress(rounds: rounds, operations: 2_000, seed: seed) }
}
