/// Statements that are not the user's business.
enum PostgresRefusals {
    static func statement(beginning word: String) -> String? {
        switch word {
        case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
            "transactions are the session's: use transaction { }"
        case "set", "reset", "discard", "prepare", "execute", "deallocate", "declare", "fetch", "move", "close",
            "listen",
            "unlisten", "copy", "load", "lock":
            "the connection is the session's: \(word.uppercased()) would change how it works"
        default: nil
        }
    }
}
