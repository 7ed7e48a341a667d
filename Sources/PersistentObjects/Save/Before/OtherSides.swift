/// The changes that a save makes to the other sides of inverses before it writes, so that a failed save can undo them.
final class OtherSides {
    private enum Former {
        case reference(ReferenceCodec, PersistentObject?)
        case copy(ObjectCopy)
    }

    private var noted: [(object: PersistentObject, place: Int, map: ClassMap, value: Former)] = []
    private let level: TransactionLevel?

    /// - Parameter level: The enclosing transaction, which restores new objects to their state before the save.
    init(_ level: TransactionLevel?) { self.level = level }

    /// Records the value of a loaded property that is about to be set.
    func willSet(_ object: PersistentObject, _ map: ClassMap, _ place: Int) {
        if object.lifecycle == .new { level?.touch(object, map, place) }
        let value: Former
        if let reference = map.properties[place].codec as? ReferenceCodec, !reference.isWeak {
            let field = map.properties[place].address(in: ObjectMemory.start(of: object))
            value = .reference(reference, reference.object(field))
        } else {
            var places = ColumnSet()
            places.insert(place)
            value = .copy(ObjectCopy(of: object, map, places))
        }
        noted.append((object, place, map, value))
    }

    /// Notifies observers after the save.
    func keep(_ session: Session) {
        for (object, place, map, _) in noted { session.news.recordChange(place, of: object, map) }
    }

    /// Restores the values after a failed save.
    func takeBack() {
        for (object, place, map, value) in noted.reversed() {
            switch value {
            case .copy(let copy): copy.restore(place, of: object)
            case .reference(let codec, let target):
                let field = map.properties[place].address(in: ObjectMemory.start(of: object))
                ObjectMemory.checkNotBeingAccessed(field)
                codec.set(target, at: field)
            }
        }
        noted = []
    }
}
