import ModelRuns

/// `model`: seeds of random work beside a plain model, with three sessions, conflicts, undo and changes of the schema.
func runModel(_ options: Options) throws -> String {
    let first = options.seed
    return try ModelRuns.run(seeds: first..<first + UInt64(options.rounds ?? 20_000), operations: 300)
}

/// `churn`: objects that are fetched and dropped by four threads at once are one instance a row.
func runChurn(_ options: Options) throws -> String { try ModelRuns.churn(operations: options.rounds ?? 1_000_000) }

/// `stress`: readers and writers in tasks, with cancelling and a close in the middle; 20 times.
func runStress(_ options: Options) throws -> String {
    let (rounds, seed) = (options.rounds ?? 20, options.seed)
    return try waitFor { try await ModelRuns.stress(rounds: rounds, operations: 2_000, seed: seed) }
}
