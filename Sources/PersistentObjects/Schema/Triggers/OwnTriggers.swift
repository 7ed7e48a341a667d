// Triggers: what the file does by itself when rows change, by whoever writes: delete rules, the index of words, the
// history. It knows what the plans of the room around it know, and must know neither sessions nor objects.

internal import StoreEngine

/// Which triggers of a file are the library's: those of searched texts, of the history and of delete rules.
enum OwnTriggers {
    /// Whether a trigger has such a name. Tables and columns of classes have no dots.
    static func contains(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return false }
        if parts[1] == "search" { return SearchIndex.Event(rawValue: String(parts[2])) != nil }
        if parts[1] == "history" { return HistoryTriggers.Event(rawValue: String(parts[2])) != nil }
        return parts[2] == "cascade" || parts[2] == "deny"
    }
}
