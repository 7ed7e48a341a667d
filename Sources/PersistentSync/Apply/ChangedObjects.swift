/// The rows that a call changed, by class and id.
package struct ChangedObjects: Hashable, Sendable {
    /// By the name of the row's class.
    package var inserted: [String: [Int64]] = [:]
    package var updated: [String: [Int64]] = [:]
    package var deleted: [String: [Int64]] = [:]

    package init() {}

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
