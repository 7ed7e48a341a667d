extension Session {
    /// Ids as a JSON array, for `json_each`: any number of them in one statement.
    func idList(_ ids: [Int64]) -> String {
        var text = "["
        text.reserveCapacity(ids.count * 8)
        for id in ids {
            if text.utf8.count > 1 { text += "," }
            text += String(id)
        }
        return text + "]"
    }
}
