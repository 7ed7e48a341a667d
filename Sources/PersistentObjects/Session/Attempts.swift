internal import StoreEngine

/// The attempts of a write or a transaction: how the next run is done, and whether a failed run is repeated.
struct Attempts {
    private enum Kind {
        /// A write. It is repeated if it conflicted with other transactions, if statements that were sent together
        /// failed, or if space was freed on a full disk.
        case write
        /// A call of the library that reads and then writes. It is repeated if it conflicted with other transactions.
        case call
        /// A user's transaction. It is repeated if other sessions changed the same rows, or were writing for too long, and
        /// if the connection was lost and nothing was committed.
        case transaction
    }

    private let kind: Kind
    /// The maximum number of further runs, for a call or a transaction.
    private var retries: Int
    private var number = 1
    private var meetings = 0
    /// When the statements of the next run are sent to the database.
    private(set) var pace: Pace
    /// Whether other sessions must not write during the next run, even if the engine allows concurrent writers.
    private(set) var isAlone: Bool
    /// The objects that the previous run saved. The next run refreshes them first.
    private(set) var objects: [PersistentObject] = []

    private init(_ kind: Kind, _ retries: Int, _ pace: Pace, isAlone: Bool = false) {
        self.kind = kind
        self.retries = retries
        self.pace = pace
        self.isAlone = isAlone
    }

    static func write(together: Bool, alone: Bool) -> Attempts {
        Attempts(.write, 0, together ? .together : .stepwise, isAlone: alone)
    }

    static var call: Attempts { Attempts(.call, 3, .beginningLater) }

    static func transaction(retries: Int) -> Attempts { Attempts(.transaction, retries, .beginningLater) }

    /// A single attempt, during which no other session writes.
    static var alone: Attempts { Attempts(.transaction, 0, .beginningLater, isAlone: true) }

    /// The maximum number of runs of a write. After three conflicts it runs exclusively.
    private static let writeLimit = 20

    /// Continues with the next attempt if a run failed in a way that another run may fix; otherwise returns false. The
    /// database has been rolled back.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - level: The failed transaction's changes; nil for a write, and for a transaction that could not begin.
    ///   - session: The session.
    mutating func retry(after error: any Error, _ level: TransactionLevel?, _ session: Session) -> Bool {
        guard let error = error as? StoreError else { return false }
        if kind == .write { return writesAgain(after: error, session) }
        // Frees space for the case that the program repeats the transaction.
        if error.code == .diskFull { session.connection.makeRoom() }
        guard retries > 0 else { return false }
        if kind == .call {
            guard error.repetition == .again, level != nil else { return false }
            session.memory.markAllStale()
        } else {
            switch error.code {
            // The error is commitUnknown if the transaction may have been committed.
            case .connectionLost: session.connection.awaitConnection()
            case .cannotOpen where level == nil: session.connection.awaitConnection()
            case .staleObject where level != nil, .busy where level != nil: break
            default: return false
            }
            // A run that failed before its first save refreshes the same objects as the run before.
            if let level, !level.images.isEmpty { objects = level.images.map(\.object) }
        }
        retries -= 1
        isAlone = retries == 0
        return true
    }

    private mutating func writesAgain(after error: StoreError, _ session: Session) -> Bool {
        let isInside = session.level != nil
        switch error.repetition {
        case .again:
            guard !isInside, number < Attempts.writeLimit else { return false }
            meetings += 1
            if meetings > 2 { isAlone = true }
            session.memory.markAllStale()
        case .afterReading where number < 4: session.memory.markAllStale()
        case .afterReading, .oneByOne: pace = .stepwise
        case nil:
            // Moving the log's content to the file frees the log's space. Otherwise even a deletion would need space.
            guard error.code == .diskFull, !isInside, number == 1, session.connection.makeRoom() else { return false }
            pace = .stepwise
        }
        number += 1
        return true
    }
}
