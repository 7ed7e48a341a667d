internal import StoreEngine

// Triggers that somebody has made in the file change rows in the session's own commits, also those that it has just
// written. They count as changes by others.
extension Session {
    /// After something was written: where such triggers may have run, whatever is in memory may differ from its row.
    func noteTriggers() { if hasTriggersOfOthers { noteAllStale() } }

    /// Whether any statement so far runs such triggers.
    var hasTriggersOfOthers: Bool {
        let triggers = connection.writingTriggers
        if triggers.count != knownTriggerCount {
            knownTriggerCount = triggers.count
            runsTriggers = triggers.contains { !OwnTriggers.contains($0) }
        }
        return runsTriggers
    }

    /// The freshness of an object that was just written.
    var freshnessOfWritten: UInt32 { runsTriggers ? epoch &- 1 : epoch }
}
