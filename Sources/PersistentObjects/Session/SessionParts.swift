internal import StoreEngine

/// The parts of a session that the verbs use: fetches, saves and deletions.
///
/// A verb has no access to the rest of the session, such as the calls of users, or the course of a transaction.
struct SessionParts {
    private let session: Session

    @inline(__always)
    init(_ session: Session) { self.session = session }

    @inline(__always)
    var store: Store { session.store }
    @inline(__always)
    var connection: any Connection { session.connection }
    var dialect: Dialect { session.dialect }
    @inline(__always)
    var classes: UsedClasses { session.classes }
    @inline(__always)
    var memory: Memory { session.memory }
    @inline(__always)
    var news: News { session.news }
    @inline(__always)
    var writing: Writing { session.writing }
    @inline(__always)
    var readTransaction: ReadTransaction { session.readTransaction }
    /// The user's innermost transaction in progress.
    @inline(__always)
    var level: TransactionLevel? { session.level }
    /// Whether the objects are not added to the identity maps of the session that users see.
    @inline(__always)
    var isReader: Bool { session.isReader }
    var conflictPolicy: ConflictPolicy { session.conflictPolicy }
    /// The classes, for SQL compilers.
    var directory: any ClassDirectory { session }

    /// The session for objects that must not be in this session's identity maps.
    func reader() -> Session { session.reader() }

    /// The identity map and statements of a class; creates or updates its table first.
    @inline(__always)
    func space(of type: PersistentObject.Type) throws -> ClassSpace { try session.space(of: type) }

    /// The space of an object's class.
    func space(of object: PersistentObject) throws -> ClassSpace { try session.space(of: object) }

    /// Runs `body` in a transaction that may write. If `body` throws, the database is unchanged.
    ///
    /// - Parameter together: Whether an engine with round trips may defer the writes of `body`. If that fails, `body` is
    ///   repeated.
    @inline(__always)
    func write<R>(together: Bool = false, _ body: () throws -> R) throws -> R {
        try session.write(together: together, body)
    }

    /// Counts a call, and releases the objects of links that were not read for a while.
    @inline(__always)
    func countCall() { session.countCall() }

    /// Whether objects of an identity map belong to the session.
    func owns(_ map: IdentityMap) -> Bool { map.session === session }
}

/// A verb: it works with a session's parts.
protocol SessionVerb {
    var session: SessionParts { get }
    init(_ session: SessionParts)
}

extension SessionVerb {
    @inline(__always)
    init(_ session: Session) { self.init(session.parts) }

    @inline(__always)
    var connection: any Connection { session.connection }
    @inline(__always)
    var classes: UsedClasses { session.classes }
    @inline(__always)
    var memory: Memory { session.memory }
    @inline(__always)
    var news: News { session.news }
}

extension Session {
    /// The parts for verbs.
    @inline(__always)
    var parts: SessionParts { SessionParts(self) }
}
