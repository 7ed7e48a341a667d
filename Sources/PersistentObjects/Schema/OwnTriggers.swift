internal import StoreEngine

/// Which triggers of a file are the library's: those of searched texts and of delete rules.
enum OwnTriggers {
    /// Whether a trigger has such a name. Tables and columns of classes have no dots.
    static func contains(_ name: String) -> Bool {
        if isOfSearch(name) { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 3 && (parts[2] == "cascade" || parts[2] == "deny")
    }

    /// Whether it keeps the index of what is searched.
    static func isOfSearch(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[1] == "search" && SearchIndex.Event(rawValue: String(parts[2])) != nil
    }
}
