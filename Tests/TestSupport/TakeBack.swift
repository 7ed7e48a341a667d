public import PersistentObjects

extension Store {
    /// Goes back to versions of classes that the file has left, as a developer does who has taken a change back.
    public func takeBack(_ classes: PersistentObject.Type...) throws { try run(schemaPlan(for: classes)) }
}
