import PersistentObjects

/// The version of the program that uses the file.
enum BankVersion {
    case first, second
}

/// The error of a step that failed.
struct StepFailure: Error, CustomStringConvertible {
    let step: Int
    let action: BankAction
    let cause: any Error

    var description: String { "step \(step), \(action): \(cause)" }
}

/// A bank in a file. Runs the steps, and compares the file with the expected state.
struct BankFile {
    let path: String
    let seed: UInt64
    var configuration = Store.Configuration(lostEdits: .ignore, onNote: { _ in })

    init(_ path: String, seed: UInt64, durability: Store.Configuration.Durability = .full, journal: JournalMode = .wal)
    {
        (self.path, self.seed) = (path, seed)
        configuration.durability = durability
        configuration.journal = journal
        // With a small cache, large transactions write pages before they are committed, and some of them twice.
        if seed % 3 == 0 { configuration.cacheSize = 20 * 1024 }
    }

    /// Opens the file and runs `steps` steps. Calls `acknowledge` with the number of each step that has returned.
    func work(_ version: BankVersion, steps: Int, acknowledge: (Int) -> Void) throws {
        switch version {
        case .first: try work(V1.Profile.self, steps, acknowledge)
        case .second: try work(V2.Profile.self, steps, acknowledge)
        }
    }

    private func work<P: Profile>(_ profile: P.Type, _ steps: Int, _ acknowledge: (Int) -> Void) throws {
        let store = try Store(path, configuration: configuration)
        defer { store.close() }
        try prepare(store, profile)
        try store.withSession { session in
            var state = BankState(seed: seed, steps: try Ledger.all().first?.step ?? 0)
            let worker = BankWorker<P>(session: session)
            for _ in 0..<steps {
                var random = Randomness(seed, -1 - state.step)
                let action = BankAction.next(after: state, seed)
                do { try worker.apply(action, after: state) } catch {
                    throw StepFailure(step: state.step + 1, action: action, cause: error)
                }
                state.apply(action)
                acknowledge(state.step)
                if random.chance(0.05) { try store.checkpoint(waiting: false) }
            }
        }
    }

    /// Opens the file and only prepares it for a version.
    func prepareAlone(_ version: BankVersion) throws {
        let store = try Store(path, configuration: configuration)
        defer { store.close() }
        switch version {
        case .first: try prepare(store, V1.Profile.self)
        case .second: try prepare(store, V2.Profile.self)
        }
    }

    /// Prepares the classes of a version, and runs its migration. A migration runs once for each file.
    private func prepare<P: Profile>(_ store: Store, _ profile: P.Type) throws {
        try store.prepare(Ledger.self, Savings.self, profile)
        guard profile == V2.Profile.self else { return }
        try store.migrate("count migrations") { session in
            let ledger = try Ledger.all().first ?? Ledger()
            ledger.migrations += 1
            try session.save(ledger)
        }
    }

    /// The number of steps in the file. Throws an error if a step is there in part.
    func check(_ version: BankVersion, thoroughly: Bool = true) throws -> Int {
        switch version {
        case .first: try check(V1.Profile.self, thoroughly)
        case .second: try check(V2.Profile.self, thoroughly)
        }
    }

    private func check<P: Profile>(_ profile: P.Type, _ thoroughly: Bool) throws -> Int {
        let store = try Store(path, configuration: configuration)
        defer { store.close() }
        if thoroughly {
            try store.withSession { session in
                try requireIntegrity(session)
                try require(try session.rows("PRAGMA foreign_key_check").isEmpty, "a foreign key leads nowhere")
                try checkVersion(session)
            }
        }
        try prepare(store, profile)
        return try store.withSession { session in
            let found = try BankState(reading: session, profile)
            let expected = BankState(seed: seed, steps: found.step)
            try require(found == expected, "after step \(found.step) the file has \(found), not \(expected)")
            let migrations = try Ledger.all().first?.migrations ?? 0
            try require(
                profile == V2.Profile.self ? migrations == 1 : migrations == 0, "\(migrations) migrations were done")
            return found.step
        }
    }

    /// Throws an error if some tables have the schema of the first version and some have the schema of the second one.
    private func checkVersion(_ session: Session) throws {
        func columns(_ table: String) throws -> Set<String> {
            Set(try session.rows("PRAGMA table_info(\(table))").map { try $0.value("name") as String })
        }
        let profile = try columns("profile")
        guard !profile.isEmpty else { return }
        let (hasDevices, hasTags) = (try !columns("device").isEmpty, try !columns("profile_tag").isEmpty)
        let isSecond = profile.contains("token")
        try require(
            profile.contains("title") == isSecond && profile.contains("label") != isSecond && hasDevices == isSecond
                && hasTags == isSecond && profile.contains("tag") != isSecond,
            "the tables are partly those of the second version: \(profile.sorted()), \(hasDevices), \(hasTags)")
    }
}
