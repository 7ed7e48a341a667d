// PersistentObjectsTesting: statement logs, temporary stores and finder checks for an app's tests. Only tests link it.

public import PersistentObjects
@_spi(Locks) internal import StoreEngine

/// A log of the statements that a session runs, to assert how many a piece of code executes.
///
/// The log starts when it is created, and ends when it or its session ends.
///
/// ```swift
/// try store.withSession { session in
///     let log = try StatementLog(session)
///     for person in try Person.where({ $0.age > 17 }).including(\.employer).all() { print(person.employer?.name ?? "") }
///     #expect(log.count == 4)      // two queries, and BEGIN and ROLLBACK around them
/// }
/// ```
///
/// Each execution of a statement counts, including `BEGIN` and `COMMIT`, and statements that create a table when its
/// class is first used; call `store.prepare(…)` earlier to exclude these. The effects of triggers and foreign keys are
/// part of the statement that causes them. Values do not appear, because they are bound: the statements contain `?`
/// instead.
public final class StatementLog {
    // Tasks that share a connection may add statements concurrently.
    private let texts = Locked<[String]>([])
    private let listener: Session.StatementListener
    // The listener of a session is released with the session.
    private weak var session: Session?

    /// Creates a log of a session.
    ///
    /// - Throws: `StoreError` if the session has ended or is in use on another thread.
    public init(_ session: Session) throws {
        let texts = texts
        listener = Session.StatementListener { text in texts.withLock { $0.append(text) } }
        self.session = session
        try session.add(listener)
    }

    /// Creates a log of the session that calls on a class use here.
    ///
    /// This is the session of the surrounding `withSession`, or else the main session of the class's store, or the
    /// task's session.
    ///
    /// ```swift
    /// let log = try StatementLog(of: Person.self)
    /// _ = try Person.all()
    /// print(log)
    /// ```
    ///
    /// - Parameter type: The class; by default, the session for classes without their own store.
    public convenience init(of type: PersistentObject.Type = PersistentObject.self) throws {
        try self.init(Session.current(for: type))
    }

    deinit { session?.remove(listener) }

    /// The statements since the log was created or last emptied.
    ///
    /// ```swift
    /// #expect(log.statements == ["SELECT count(*) FROM \"person\""])
    /// ```
    public var statements: [String] { texts.withLock { $0 } }

    /// The number of statements.
    ///
    /// ```swift
    /// #expect(log.count == 0)     // what is in memory costs no SQL
    /// ```
    public var count: Int { texts.withLock { $0.count } }

    /// Removes the logged statements; later statements are still logged.
    ///
    /// ```swift
    /// log.removeAll()
    /// try joe.save()
    /// print(log.statements)
    /// ```
    public func removeAll() { texts.withLock { $0 = [] } }
}

extension StatementLog: CustomStringConvertible {
    /// The statements, one per line.
    public var description: String { statements.joined(separator: "\n") }
}
