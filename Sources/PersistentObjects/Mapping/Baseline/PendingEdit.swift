/// The unsaved edits of an object that has ended, which wait for the next object of its row.
///
/// Its copy has the edited values, and what the row held when the edits began:
/// whether others have changed the same is decided as if the object had lived.
///
/// Immutable but for what is set under the lock of `PendingEdits`, which hands it from thread to thread.
final class PendingEdit: @unchecked Sendable {  // what changes is reached under the lock, or by whoever took it out
    let rowID: Int64
    var map: ClassMap { copy.map }
    /// Edits of the same row that were waiting already, which count less.
    private(set) var earlier: PendingEdit?
    /// Whether the program itself has changed the row since, so that the edits go on top of whatever it has.
    private var isRebased = false
    private let copy: ObjectCopy
    /// What edited weak references are to: nobody else may hold it until it is saved.
    var weakTargets: [PersistentObject] { copy.weakTargets }

    /// - Parameters:
    ///   - start: The address of the object, which may be dying.
    ///   - block: Its baseline.
    ///   - places: What is edited.
    init(
        of start: Address, _ rowID: Int64, _ block: Address, _ map: ClassMap,
        _ places: ColumnSet
    ) {
        self.rowID = rowID
        copy = ObjectCopy(of: start, map, map.withWholeValues(places), row: block)
    }

    func follow(_ earlier: PendingEdit?) { self.earlier = earlier }

    func rebase() {
        isRebased = true
        earlier?.rebase()
    }

    /// Edits an object of the row, but for what is edited in it already: where the object had ended on another thread,
    /// the row can have one by then. The answer is whether others have changed the same since the edits began.
    func apply(to object: PersistentObject) -> Bool {
        guard let block = object.baseline else { return false }
        var hasConflict = false
        let layout = map.baseline
        let start = ObjectMemory.start(of: object)
        // Asked of all before any is set: the fields of an embedded value are there, or not, with one of them.
        var (places, changed) = (ColumnSet(), ColumnSet())
        copy.places.forEach { place in
            guard layout.isSame(layout.slots[place], start, block) else { return }
            places.insert(place)
            let hasChanged = { !self.copy.isSame($0, as: block) }
            if !isRebased, hasChanged(place) || hasChanged(map.signPlace(of: place)) { changed.insert(place) }
        }
        places.forEach { place in
            let slot = layout.slots[place]
            // Of what is not loaded the baseline has the id of a reference and nothing else.
            if slot.box(in: start)?.state.isAway ?? false, slot.content != .reference, slot.content != .weakReference {
                copy.assign(place, to: block)
            }
            copy.restore(place, of: object)
            guard changed.contains(place), map.isInConflict(place, copy.places, start, block) else { return }
            assignBase(place, start, block)
            hasConflict = true
        }
        // They come behind, and leave what is edited by now.
        if let earlier { hasConflict = earlier.apply(to: object) || hasConflict }
        return hasConflict
    }

    /// Has a baseline say the same of a property as then, with all of a value that one side has and the other has not.
    private func assignBase(_ place: Int, _ start: Address, _ block: Address) {
        let sign = map.signPlace(of: place)
        let isMadeOrGone =
            !map.baseline.isSame(map.baseline.slots[sign], start, block) || !copy.isSame(sign, as: block)
        for place in isMadeOrGone ? map.valuePlaces(around: place) : [place] { copy.assign(place, to: block) }
    }

    /// Brings what is not edited back to what the object had, as if its row had not been read since; the answer is
    /// whether anything differs. `lookup` finds the objects of links by their ids.
    func rewind(
        _ object: PersistentObject, _ lookup: (PersistentObject.Type, Int64) -> PersistentObject?
    ) -> Bool {
        guard !isRebased, let block = object.baseline else { return false }
        let layout = map.baseline
        let start = ObjectMemory.start(of: object)
        var differs = false
        for place in layout.slots.indices where !copy.places.contains(place) {
            guard layout.slots[place].box(in: start) == nil, !copy.isSame(place, as: block) else { continue }
            copy.assign(place, to: block)
            layout.restore(place, of: start, from: block, lookup)
            differs = true
        }
        return differs
    }

    /// What the row had and what the object had.
    var changes: [PropertyChange] {
        map.inDeclaredOrder.filter { copy.places.contains($0) }.map { place in
            PropertyChange(
                name: map.properties[place].name, old: copy.rowValue(place),
                new: copy.sendableValue(place))
        }
    }
}
