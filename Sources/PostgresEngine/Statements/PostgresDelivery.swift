internal import StoreEngine

/// The deferred commands of a transaction, which are sent with the first command whose result is awaited.
struct PostgresDelivery {
    /// The commands that have not been sent yet, with their text for messages.
    private var waiting: [(command: PostgresPipe.Command, sql: String)] = []
    private var byteCount = 0
    /// The number of waiting commands that open the transaction.
    private(set) var openingCount = 0
    /// The positions of savepoints among the waiting commands.
    private var marks: [Int] = []
    /// Whether statements are deferred, too.
    var isOn = false
    /// Whether the deferred commands end at a savepoint, to which the transaction can roll back.
    var hasMark = false

    /// Queues the commands that open a transaction.
    mutating func begin(_ opening: [String]) {
        self = PostgresDelivery()
        openingCount = opening.count
        waiting = opening.map { (.text($0), $0) }
    }

    /// Queues a command; true if the queue is large enough to be sent.
    mutating func add(_ command: PostgresPipe.Command, _ sql: String) -> Bool {
        waiting.append((command, sql))
        if case .run(_, let message) = command { byteCount += message.bytes.count }
        return byteCount > 4 << 20
    }

    /// Queues a command without arguments.
    mutating func add(_ text: String) { waiting.append((.text(text), text)) }

    /// Starts a savepoint at the next command.
    mutating func mark() { marks.append(waiting.count) }

    /// Releases the last savepoint; its commands stay queued.
    mutating func releaseMark() { _ = marks.popLast() }

    /// Drops the commands since the last savepoint; false if they were already sent.
    mutating func dropMark() -> Bool {
        let mark = marks.popLast()
        waiting.removeSubrange((mark ?? 0)...)
        return mark != nil
    }

    /// Whether only the start of a transaction is queued.
    var isEmpty: Bool { waiting.count == openingCount }

    /// Removes and returns all queued commands.
    mutating func take() -> (commands: [PostgresPipe.Command], texts: [String], openingCount: Int) {
        defer { (waiting, byteCount, openingCount, marks) = ([], 0, 0, []) }
        return (waiting.map(\.command), waiting.map(\.sql), openingCount)
    }
}
