extension PersistentObject {
    /// Whether the id that it has as a new object is the one that its row is to have: the user's own, or that of the row
    /// which it had once.
    final func keepsID(_ map: ClassMap) -> Bool {
        map.takesGivenIDs || ObjectMemory.start(of: self).header.keepsID
    }
}
