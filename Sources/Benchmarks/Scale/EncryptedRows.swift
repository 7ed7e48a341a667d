import PersistentObjects

#if Encryption
    /// A row with one encrypted string.
    final class SecretNote: PersistentObject, NoteRow {
        var number = 0
        @Encrypted var text = ""
    }

    /// The same without encryption.
    final class OpenNote: PersistentObject, NoteRow {
        var number = 0
        var text = ""
    }

    /// A row that is found by its encrypted string.
    final class SecretMember: PersistentObject, MemberRow {
        @Encrypted(.searchable) var code = ""
        var number = 0
    }

    /// The same without encryption.
    final class OpenMember: PersistentObject, MemberRow {
        @Indexed var code = ""
        var number = 0
    }

    private protocol NoteRow: PersistentObject {
        init()
        var number: Int { get set }
        var text: String { get set }
    }

    private protocol MemberRow: PersistentObject {
        init()
        var code: String { get set }
        var number: Int { get set }
        static func found(_ code: String) throws -> Int
    }

    extension SecretMember {
        fileprivate static func found(_ code: String) throws -> Int { try findBy.code(code).count }
    }

    extension OpenMember {
        fileprivate static func found(_ code: String) throws -> Int { try findBy.code(code).count }
    }

    /// Encrypted files and properties next to plain ones, both with the library.
    func encryptionWorks() -> [Comparison] {
        [
            file("insert into an encrypted file, against a plain one", 1.4, { $0 }, insertTogether),
            file("commits of one object each, encrypted file", 1.3, { max(1, $0 / 50) }, commitEach),
            file("fetch again from the cache, encrypted file", 1.05, { $0 }, fetchAgain),
            file("scan beyond the cache, encrypted file", 2.2, { $0 }, scan),
            added("added by an encrypted string to an insert", insertNotes),
            added("added by an encrypted string to a fetch", fetchNotes),
            Comparison(
                "find by a searchable property, against an index", .encryption, .ratio(1.3), on: .nothing,
                operations: findCount, ours: { try find(SecretMember.self, $0) },
                floor: { try find(OpenMember.self, $0) }),
            Comparison(
                "insert into a plain class, with a keyring and without", .encryption, .ratio(1.05), on: .nothing,
                ours: { try insertNotes(OpenNote.self, $0) },
                floor: { trial in try onStore(trial, .init()) { try insert(OpenNote.self, trial, $0) } }),
        ]
    }

    private func keyring() throws -> Keyring {
        try Keyring.provider(current: 1) { $0 == 1 ? [UInt8](repeating: 7, count: 32) : nil }
    }

    private func onStore<R>(
        _ trial: Trial, _ configuration: Store.Configuration, _ body: (Session) throws -> R
    ) throws -> R {
        let store = try Store(trial.path, configuration: configuration)
        defer { store.close() }
        return try store.withSession { session in
            _ = try Player.count()
            return try body(session)
        }
    }

    // MARK: Files

    /// A work on an encrypted file, and the same work on a plain one.
    private func file(
        _ name: String, _ ratio: Double, _ count: @escaping @Sendable (Int) -> Int,
        _ work: @escaping @Sendable (Trial, Store.Configuration) throws -> Measurement
    ) -> Comparison {
        Comparison(
            name, .encryption, .ratio(ratio), on: .nothing, operations: count,
            ours: { try work($0, .init(encryption: .file(keyring()))) }, floor: { try work($0, .init()) })
    }

    private func insertTogether(_ trial: Trial, _ configuration: Store.Configuration) throws -> Measurement {
        try onStore(trial, configuration) { session in
            let players = PlayerData.numbers(trial.rows).map(Player.init)
            return try Measurement.timing {
                try session.save(players)
                return players.count
            }
        }
    }

    private func commitEach(_ trial: Trial, _ configuration: Store.Configuration) throws -> Measurement {
        try onStore(trial, configuration) { session in
            let players = PlayerData.numbers(max(1, trial.rows / 50)).map(Player.init)
            return try Measurement.timing {
                for player in players { try player.save() }
                return players.count
            }
        }
    }

    private func fetchAgain(_ trial: Trial, _ configuration: Store.Configuration) throws -> Measurement {
        try onStore(trial, configuration) { session in
            try session.save(PlayerData.numbers(trial.rows).map(Player.init))
            _ = try Player.all().count
            return try Measurement.timing { try Player.all().reduce(0) { $0 + $1.age } }
        }
    }

    private func scan(_ trial: Trial, _ configuration: Store.Configuration) throws -> Measurement {
        var configuration = configuration
        configuration.cacheSize = 1 << 20
        try onStore(trial, configuration) { try $0.save(PlayerData.numbers(trial.rows).map(Player.init)) }
        return try onStore(trial, configuration) { session in
            try Measurement.timing {
                Int(try session.rows("SELECT sum(score) AS sum FROM player").first?.value("sum") as Double? ?? 0)
            }
        }
    }

    // MARK: Properties

    /// The time that encryption adds to a work; the other side is the work without encryption.
    private func added(
        _ name: String, _ work: @escaping @Sendable (any NoteRow.Type, Trial) throws -> Measurement
    ) -> Comparison {
        Comparison(
            name, .encryption, .nanosecondsEach(4_000), on: .nothing,
            ours: { trial in
                let secret = try work(SecretNote.self, trial)
                let open = try work(OpenNote.self, trial)
                return Measurement(amount: max(0, secret.amount - open.amount), tally: secret.tally)
            }, floor: { try work(OpenNote.self, $0) })
    }

    private func notes<N: NoteRow>(_ type: N.Type, _ count: Int) -> [N] {
        (0..<count).map { number in
            let note = N()
            // A text of 40 bytes.
            (note.number, note.text) = (number, "a text of forty bytes, with \(100_000_000_000 + number)")
            return note
        }
    }

    private func insert<N: NoteRow>(_ type: N.Type, _ trial: Trial, _ session: Session) throws -> Measurement {
        _ = try N.count()
        let notes = notes(type, trial.rows)
        return try Measurement.timing {
            try session.save(notes)
            return notes.count
        }
    }

    private func insertNotes(_ type: any NoteRow.Type, _ trial: Trial) throws -> Measurement {
        func insertion<N: NoteRow>(_ type: N.Type) throws -> Measurement {
            try onStore(trial, .init(keyring: keyring())) { try insert(type, trial, $0) }
        }
        return try insertion(type)
    }

    private func fetchNotes(_ type: any NoteRow.Type, _ trial: Trial) throws -> Measurement {
        func fetch<N: NoteRow>(_ type: N.Type) throws -> Measurement {
            try onStore(trial, .init(keyring: keyring())) { try $0.save(notes(type, trial.rows)) }
            return try onStore(trial, .init(keyring: keyring())) { _ in
                _ = try N.count()
                return try Measurement.timing { try N.all().reduce(0) { $0 + $1.text.utf8.count } }
            }
        }
        return try fetch(type)
    }

    private let findCount: @Sendable (Int) -> Int = { max(1, $0 / 10) }

    private func find<M: MemberRow>(_ type: M.Type, _ trial: Trial) throws -> Measurement {
        try onStore(trial, .init(keyring: keyring())) { session in
            let members = (0..<trial.rows).map { number in
                let member = M()
                (member.code, member.number) = ("K\(number)", number)
                return member
            }
            try session.save(members)
            try session.reset()
            let codes = (0..<findCount(trial.rows)).map { "K\($0 * 7919 % trial.rows)" }
            return try Measurement.timing { try codes.reduce(0) { try $0 + M.found($1) } }
        }
    }
#else
    /// Without the package trait `Encryption` there are none.
    func encryptionWorks() -> [Comparison] { [] }
#endif
