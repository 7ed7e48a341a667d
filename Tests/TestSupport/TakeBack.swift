public import PersistentObjects

extension Store {
    /// Returns to earlier versions of classes, like a developer who reverts a change.
    public func takeBack(_ classes: PersistentObject.Type...) throws { try run(schemaPlan(for: classes)) }
}
