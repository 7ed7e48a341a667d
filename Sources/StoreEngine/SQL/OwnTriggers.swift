/// The library's triggers in a file, which maintain search indexes and the history, capture changes for sync, and
/// implement delete rules.
package enum OwnTriggers {
    private static let rowEvents: Set<String> = ["insert", "update", "delete", "renumber", "truncate"]

    /// Whether a name belongs to one of the library's triggers. Tables and columns of classes have no dots.
    package static func contains(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return false }
        if parts[1] == "search" { return SearchIndex.Event(rawValue: String(parts[2])) != nil }
        if parts[1] == "history" || parts[1] == "sync" { return rowEvents.contains(String(parts[2])) }
        return parts[2] == "cascade" || parts[2] == "deny"
    }

    /// Whether a trigger implements a cascading delete rule, which may fire itself for a chain of rows.
    package static func cascades(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 3 && !["search", "history", "sync"].contains(parts[1]) && parts[2] == "cascade"
    }
}
