// PersistentObjectsTesting: what the tests of an app need: logs of statements, stores that go away, checks of finders. It
// knows the library, and no app has to link it.

internal import Foundation
public import PersistentObjects

/// The statements that a session runs, in their order: so that a test can say how many a piece of code may cost.
///
/// It begins when it is made, and ends with itself or its session.
///
/// ```swift
/// try store.withSession { session in
///     let log = try StatementLog(session)
///     for person in try Person.where({ $0.age > 17 }).including(\.employer).all() { print(person.employer?.name ?? "") }
///     #expect(log.count == 4)      // two queries, and BEGIN and ROLLBACK around them
/// }
/// ```
///
/// Each run of a statement counts, also `BEGIN` and `COMMIT`, and those that make a table when its class is used for
/// the first time: call `store.prepare(…)` before to have these out of the way. What triggers and foreign keys do is
/// part of the statement that sets them off. Values do not appear, since they are bound: in their places there are `?`.
public final class StatementLog {
    private let texts = Texts()
    private let listener: Session.StatementListener
    // The listener of a session that is no more is gone with it.
    private weak var session: Session?

    /// Begins a log of a session.
    ///
    /// - Throws: `StoreError` where the session has ended or is in use on another thread.
    public init(_ session: Session) throws {
        let texts = texts
        listener = Session.StatementListener { texts.add($0) }
        self.session = session
        try session.add(listener)
    }

    /// Begins a log of the session that calls on a class use here: that of the `withSession` around it, else the main
    /// one of the class's store, or the task's own.
    ///
    /// ```swift
    /// let log = try StatementLog(of: Person.self)
    /// _ = try Person.all()
    /// print(log)
    /// ```
    ///
    /// - Parameter type: The class; without one, calls of classes that have no store of their own.
    public convenience init(of type: PersistentObject.Type = PersistentObject.self) throws {
        try self.init(Session.current(for: type))
    }

    deinit { session?.remove(listener) }

    /// The texts of the statements since the beginning, or since they were removed.
    ///
    /// ```swift
    /// #expect(log.statements == ["SELECT count(*) FROM \"person\""])
    /// ```
    public var statements: [String] { texts.all }

    /// How many statements there are.
    ///
    /// ```swift
    /// #expect(log.count == 0)     // what is in memory costs no SQL
    /// ```
    public var count: Int { texts.all.count }

    /// Forgets the statements, and goes on with those to come.
    ///
    /// ```swift
    /// log.removeAll()
    /// try joe.save()
    /// print(log.statements)
    /// ```
    public func removeAll() { texts.removeAll() }

    /// Tasks that share a connection may both come here.
    private final class Texts: @unchecked Sendable {  // the texts are reached under the lock only
        private let lock = NSLock()
        private var texts: [String] = []

        var all: [String] { lock.withLock { texts } }
        func add(_ text: String) { lock.withLock { texts.append(text) } }
        func removeAll() { lock.withLock { texts = [] } }
    }
}

extension StatementLog: CustomStringConvertible {
    /// The statements, one below the other.
    public var description: String { statements.joined(separator: "\n") }
}
