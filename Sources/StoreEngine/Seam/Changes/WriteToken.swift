/// A position in a server's log: the state that a session's last write has made.
///
/// A session that starts after a token sees this state, or a later one, even if its queries go to a replica. The guide
/// *PostgreSQL* shows how a web service passes it from one request to the next.
///
/// ```swift
/// let token = try store.withSession { session in
///     try Person("Joe").save()
///     return session.lastWrite
/// }
/// try store.withSession(after: token) { session in print(try Person.count()) }
/// ```
public struct WriteToken: Codable, Hashable, Sendable {
    /// The position in the log, in bytes: PostgreSQL's LSN.
    public let lsn: UInt64
    /// The number of the log, which increases when a replica replaces its server.
    public let timeline: UInt32

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - lsn: The position in the log, in bytes.
    ///   - timeline: The number of the log.
    public init(lsn: UInt64, timeline: UInt32) {
        self.lsn = lsn
        self.timeline = timeline
    }

    /// The token of a write whose position is unknown. No log has this number, so queries go to the server that can be
    /// written.
    package static let unknown = WriteToken(lsn: 0, timeline: 0)
}
