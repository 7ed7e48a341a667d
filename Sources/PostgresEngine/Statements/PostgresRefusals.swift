/// Statements that are reserved for the store.
enum PostgresRefusals {
    /// The reason that a statement with these words is rejected; nil if it is allowed.
    static func refusal(of words: [String]) -> String? {
        switch words.first {
        case nil: return "The text contains no SQL statement"
        case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
            return "Statements cannot begin or end a transaction, because the session does. Use transaction { }"
        case "set", "reset", "discard", "prepare", "execute", "deallocate", "declare", "fetch", "move", "close",
            "listen",
            "unlisten", "copy", "load", "lock":
            return "\(words[0].uppercased()) is refused because it would change how the session's connection works"
        default:
            let makesTable = words[0] == "create" || words.contains("into")
            guard makesTable, words.contains("temp") || words.contains("temporary") else { return nil }
            return "A temporary table or view would hide a table of the store"
        }
    }
}
