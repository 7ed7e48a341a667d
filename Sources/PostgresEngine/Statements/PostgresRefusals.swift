/// Statements that are not the user's business.
enum PostgresRefusals {
    /// Why a statement of these words is refused; nil where it is not.
    static func refusal(of words: [String]) -> String? {
        switch words.first {
        case nil: return "there is no statement in the text"
        case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
            return "transactions are the session's: use transaction { }"
        case "set", "reset", "discard", "prepare", "execute", "deallocate", "declare", "fetch", "move", "close",
            "listen",
            "unlisten", "copy", "load", "lock":
            return "the connection is the session's: \(words[0].uppercased()) would change how it works"
        default:
            let makesTable = words[0] == "create" || words.contains("into")
            guard makesTable, words.contains("temp") || words.contains("temporary") else { return nil }
            return "a temporary table or view would take the place of one of the store's"
        }
    }
}
