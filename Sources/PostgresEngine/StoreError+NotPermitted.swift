internal import Foundation
internal import StoreEngine

// Refusals by the server's access rules, whose code is 42501.
extension StoreError {
    /// The message for a refusal. The server names the object in the language of its messages, and does not name the
    /// privilege, so both are found in the statement.
    ///
    /// - Parameters:
    ///   - failure: The server's report.
    ///   - sql: The statement.
    ///   - role: The role of the connection; nil if it is unknown.
    static func refusal(_ failure: PostgresFailure, _ sql: String, _ role: String?) -> String {
        let who = role.map { quoted($0) } ?? "…"
        let text = PostgresText(sql)
        let message = PostgresFailure.line(failure.message)
        if failure.routine == "ExecWithCheckOptions" {
            let table = text.names.first { message.contains("\"\($0)\"") }
            return "A row-level security policy\(table.map { " of \(quoted($0))" } ?? "") rejects the row for the role "
                + "\(who). Nothing was changed. Change the values, or the policy"
        }
        if let sequence = sequence(in: sql) {
            return "The role \(who) may not use the sequence \(sequence). Its owner can run: "
                + "GRANT USAGE, SELECT, UPDATE ON SEQUENCE \(sequence) TO \(who)"
        }
        // A quoted name can contain spaces. An unquoted name can also be the name of a schema.
        let quotedNames = text.names.filter { message.hasSuffix(" \($0)") }
        let table =
            quotedNames.max { $0.utf8.count < $1.utf8.count }
            ?? text.words.first { message.hasSuffix(" table \($0)") || $0 == "po_gate" && message.hasSuffix(" \($0)") }
        guard let table, let privilege = privilege(text.words) else {
            return "The role \(who) may not do this: \(message). The owner can grant the right, or run it"
        }
        return "The role \(who) may not \(privilege) \(quoted(table)). Its owner can run: "
            + "GRANT \(privilege) ON \(quoted(table)) TO \(who)"
    }

    /// The privilege that a statement needs for its table; nil if only the owner can run it.
    private static func privilege(_ words: [String]) -> String? {
        switch words.first {
        case "select", "with": "SELECT"
        case "copy": words.contains("to") ? "SELECT" : "INSERT"
        case "insert": words.contains("conflict") && words.contains("set") ? "INSERT, UPDATE" : "INSERT"
        case "update", "lock": "UPDATE"
        case "delete": "DELETE"
        default: nil
        }
    }

    /// The name of the sequence that a statement uses, quoted as in SQL.
    private static func sequence(in sql: String) -> String? {
        for (call, end) in [("nextval('", "'"), ("setval('", "'"), ("FROM ", " ")] {
            guard let start = sql.range(of: call) else { continue }
            let rest = sql[start.upperBound...]
            let name = rest.range(of: end).map { rest[..<$0.lowerBound] } ?? rest
            if name.contains("_seq") { return String(name) }
        }
        return nil
    }

    private static func quoted(_ name: String) -> String { ("\(name: name)" as SQL).text }
}
