extension PersistentObject {
    /// The identity map that contains the object; nil for a new, deleted or untracked object.
    @inline(__always)
    final var identityMap: IdentityMap? {
        // Identity maps are the only keepers, so the cast is unchecked. A checked cast would cost more than most uses.
        keeper.map { ObjectMemory.exactly($0, as: IdentityMap.self) }
    }
}

extension PersistentObject {
    /// Whether the row of a new object gets the id that the object has, because the user assigned it or because the
    /// object's deleted row had it.
    final func keepsID(_ map: ClassMap) -> Bool {
        map.takesGivenIDs || map.keepsHistory && ObjectMemory.start(of: self).header.keepsID
    }
}
