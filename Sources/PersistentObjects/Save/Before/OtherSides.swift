/// The changes that a save makes to the other sides of inverses before it writes, so that a failed save can undo them.
final class OtherSides {
    private enum Former {
        case reference(ReferenceCodec, PersistentObject?)
        case copy(ObjectCopy)
    }

    private var recorded: [(object: PersistentObject, ordinal: Int, map: ClassMap, value: Former)] = []
    private let level: TransactionLevel?

    /// - Parameter level: The enclosing transaction, which restores new objects to their state before the save.
    init(_ level: TransactionLevel?) { self.level = level }

    /// Records the value of a loaded property that is about to be set.
    func willSet(_ object: PersistentObject, _ map: ClassMap, _ ordinal: Int) {
        if object.lifecycle == .new { level?.touch(object, map, ordinal) }
        let value: Former
        if let reference = map.properties[ordinal].codec as? ReferenceCodec, !reference.isWeak {
            let field = map.properties[ordinal].address(in: ObjectMemory.start(of: object))
            value = .reference(reference, reference.object(field))
        } else {
            var ordinals = ColumnSet()
            ordinals.insert(ordinal)
            value = .copy(ObjectCopy(of: object, map, ordinals))
        }
        recorded.append((object, ordinal, map, value))
    }

    /// Notifies observers after the save.
    func keep(_ session: SessionParts) {
        for (object, ordinal, map, _) in recorded { session.news.recordChange(ordinal, of: object, map) }
    }

    /// Restores the values after a failed save.
    func revert() {
        for (object, ordinal, map, value) in recorded.reversed() {
            switch value {
            case .copy(let copy): copy.restore(ordinal, of: object)
            case .reference(let codec, let target):
                let field = map.properties[ordinal].address(in: ObjectMemory.start(of: object))
                ObjectMemory.checkNotBeingAccessed(field)
                codec.set(target, at: field)
            }
        }
        recorded = []
    }
}
