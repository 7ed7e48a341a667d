internal import StoreEngine

/// What a transaction has put off: it goes with the first command whose answer somebody waits for.
struct PostgresDelivery {
    /// What has not been sent yet, and its text for messages.
    private var waiting: [(command: PostgresPipe.Command, sql: String)] = []
    private var byteCount = 0
    /// How many of the waiting ones open the transaction.
    private(set) var openingCount = 0
    /// Where among the waiting ones savepoints begin.
    private var marks: [Int] = []
    /// Whether statements are put off too.
    var isOn = false
    /// Whether what is put off ends at a savepoint, to which the transaction can go back.
    var hasMark = false

    /// Waits with the commands that open a transaction.
    mutating func begin(_ opening: [String]) {
        self = PostgresDelivery()
        openingCount = opening.count
        waiting = opening.map { (.text($0), $0) }
    }

    /// Waits with a command; true where there is so much that it should go.
    mutating func add(_ command: PostgresPipe.Command, _ sql: String) -> Bool {
        waiting.append((command, sql))
        if case .run(_, let message) = command { byteCount += message.bytes.count }
        return byteCount > 4 << 20
    }

    /// Waits with a command that takes no arguments.
    mutating func add(_ text: String) { waiting.append((.text(text), text)) }

    /// A savepoint begins with the next command.
    mutating func mark() { marks.append(waiting.count) }

    /// The last savepoint is given up; what it has goes on waiting.
    mutating func releaseMark() { _ = marks.popLast() }

    /// Drops what was put off since the last savepoint; false where that was sent already.
    mutating func dropMark() -> Bool {
        let mark = marks.popLast()
        waiting.removeSubrange((mark ?? 0)...)
        return mark != nil
    }

    /// Whether nothing is waiting but the beginning of a transaction.
    var isEmpty: Bool { waiting.count == openingCount }

    /// All that is waiting, which waits no longer.
    mutating func take() -> (commands: [PostgresPipe.Command], texts: [String], openingCount: Int) {
        defer { (waiting, byteCount, openingCount, marks) = ([], 0, 0, []) }
        return (waiting.map(\.command), waiting.map(\.sql), openingCount)
    }
}
