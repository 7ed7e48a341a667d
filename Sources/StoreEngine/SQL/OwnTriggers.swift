/// Which triggers of a file are the library's: those of searched texts, of the history and of delete rules.
package enum OwnTriggers {
    private static let historyEvents: Set<String> = ["insert", "update", "delete", "renumber"]

    /// Whether a trigger has such a name. Tables and columns of classes have no dots.
    package static func contains(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return false }
        if parts[1] == "search" { return SearchIndex.Event(rawValue: String(parts[2])) != nil }
        if parts[1] == "history" { return historyEvents.contains(String(parts[2])) }
        return parts[2] == "cascade" || parts[2] == "deny"
    }

    /// Whether a trigger is that of a cascading delete rule, which may run itself for a chain of rows.
    package static func cascades(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[1] != "search" && parts[1] != "history" && parts[2] == "cascade"
    }
}
