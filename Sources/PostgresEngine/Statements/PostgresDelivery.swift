internal import StoreEngine

/// What a transaction has put off: it goes with the first command whose answer somebody waits for, or with the commit.
struct PostgresDelivery {
    /// What has not been sent yet, and its text for messages.
    private var waiting: [(command: PostgresPipe.Command, sql: String)] = []
    private var byteCount = 0
    /// How many of the waiting ones open the transaction.
    private var openingCount = 0
    /// Whether statements are put off in the transaction that is open.
    private(set) var isOn = false
    /// Whether the transaction has been opened at the server.
    private(set) var hasBegun = false

    /// Waits with the commands that open a transaction.
    mutating func begin(_ opening: [String]) {
        self = PostgresDelivery()
        isOn = true
        openingCount = opening.count
        waiting = opening.map { (.text($0), $0) }
    }

    /// Waits with a command; true where there is so much that it should go.
    mutating func add(_ command: PostgresPipe.Command, _ sql: String) -> Bool {
        waiting.append((command, sql))
        if case .run(_, let message) = command { byteCount += message.bytes.count }
        return byteCount > 4 << 20
    }

    /// Whether nothing is waiting but the beginning of a transaction.
    var isEmpty: Bool { waiting.count == openingCount }

    /// All that is waiting, which waits no longer.
    mutating func take() -> (commands: [PostgresPipe.Command], texts: [String], openingCount: Int) {
        defer {
            hasBegun = hasBegun || openingCount > 0
            (waiting, byteCount, openingCount) = ([], 0, 0)
        }
        return (waiting.map(\.command), waiting.map(\.sql), openingCount)
    }
}
