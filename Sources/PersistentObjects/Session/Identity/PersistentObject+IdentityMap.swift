extension PersistentObject {
    /// The identity map that it is in; nil for one that is new, deleted or untracked.
    @inline(__always)
    final var identityMap: IdentityMap? {
        // There is no other keeper; a checked cast would cost more than most of what is asked of it.
        keeper.map { ObjectMemory.exactly($0, as: IdentityMap.self) }
    }
}

extension PersistentObject {
    /// Whether the id that it has as a new object is the one that its row is to have: the user's own, or that of the row
    /// which it had once.
    final func keepsID(_ map: ClassMap) -> Bool {
        map.takesGivenIDs || map.keepsHistory && ObjectMemory.start(of: self).header.keepsID
    }
}
