/// The unsaved edits of a deallocated object, which are applied to the next object of its row.
///
/// Its copy contains the edited values, and the row's values when the edits began, so that conflicts are detected as if
/// the object still existed.
///
/// Immutable except for state that is set under the lock of `PendingEdits`, which passes it from thread to thread.
final class PendingEdit: @unchecked Sendable {  // changed only under the lock, or by the thread that took it
    let rowID: Int64
    var map: ClassMap { copy.map }
    /// Older pending edits of the same row, with lower precedence.
    private(set) var earlier: PendingEdit?
    /// Whether the program itself changed the row after the edits, so that they apply on top of its current values.
    private var isRebased = false
    private let copy: ObjectCopy
    /// The targets of edited weak references, which may have no other owner until they are saved.
    var weakTargets: [PersistentObject] { copy.weakTargets }

    /// - Parameters:
    ///   - start: The address of the object, which may be dying.
    ///   - block: Its baseline.
    ///   - ordinals: The edited properties.
    init(
        of start: Address, _ rowID: Int64, _ block: Address, _ map: ClassMap,
        _ ordinals: ColumnSet
    ) {
        self.rowID = rowID
        copy = ObjectCopy(of: start, map, map.withWholeValues(ordinals), row: block)
    }

    func follow(_ earlier: PendingEdit?) { self.earlier = earlier }

    func rebase() {
        isRebased = true
        earlier?.rebase()
    }

    /// Applies the edits to an object of the row, except to properties that are already edited in it: if the first
    /// object was deallocated on another thread, the row can already have another object. Returns whether the same
    /// properties were changed elsewhere since the edits began.
    func apply(to object: PersistentObject) -> Bool {
        guard let block = object.baseline else { return false }
        var hasConflict = false
        let layout = map.baseline
        let start = ObjectMemory.start(of: object)
        // All properties are compared before any is set, because the fields of an embedded value are nil together.
        var (ordinals, changed) = (ColumnSet(), ColumnSet())
        copy.ordinals.forEach { ordinal in
            guard layout.isSame(layout.slots[ordinal], start, block) else { return }
            ordinals.insert(ordinal)
            let hasChanged = { !self.copy.isSame($0, as: block) }
            if !isRebased, hasChanged(ordinal) || hasChanged(map.presenceOrdinal(of: ordinal)) {
                changed.insert(ordinal)
            }
        }
        ordinals.forEach { ordinal in
            let slot = layout.slots[ordinal]
            // For a property that is not loaded, the baseline has only the id of a reference.
            if slot.box(in: start)?.state.isAway ?? false, slot.content != .reference, slot.content != .weakReference {
                copy.assign(ordinal, to: block)
            }
            copy.restore(ordinal, of: object)
            guard changed.contains(ordinal), map.isInConflict(ordinal, copy.ordinals, start, block) else { return }
            assignBase(ordinal, start, block)
            hasConflict = true
        }
        // Earlier edits have lower precedence: they do not replace newer edits.
        if let earlier { hasConflict = earlier.apply(to: object) || hasConflict }
        return hasConflict
    }

    /// Sets a baseline's value of a property to its old base value. If an embedded value is nil on only one side, all
    /// of its fields are set.
    private func assignBase(_ ordinal: Int, _ start: Address, _ block: Address) {
        let presenceFlag = map.presenceOrdinal(of: ordinal)
        let changesPresence =
            !map.baseline.isSame(map.baseline.slots[presenceFlag], start, block)
            || !copy.isSame(presenceFlag, as: block)
        for ordinal in changesPresence ? map.valueOrdinals(around: ordinal) : [ordinal] {
            copy.assign(ordinal, to: block)
        }
    }

    /// Whether an object's row has the values of some properties that the edited row had.
    func isOfRow(with ordinals: [Int], of object: PersistentObject) -> Bool {
        guard !isRebased, let block = object.baseline else { return true }
        return ordinals.allSatisfy { copy.isSame($0, as: block) }
    }

    /// Restores unedited properties to the object's values, as if its row had not been read since; returns whether
    /// anything differs. `lookup` finds the objects of links by their ids.
    func rewind(
        _ object: PersistentObject, _ lookup: (PersistentObject.Type, Int64) -> PersistentObject?
    ) -> Bool {
        guard !isRebased, let block = object.baseline else { return false }
        let layout = map.baseline
        let start = ObjectMemory.start(of: object)
        var differs = false
        for ordinal in layout.slots.indices where !copy.ordinals.contains(ordinal) {
            guard layout.slots[ordinal].box(in: start) == nil, !copy.isSame(ordinal, as: block) else { continue }
            copy.assign(ordinal, to: block)
            layout.restore(ordinal, of: start, from: block, lookup)
            differs = true
        }
        return differs
    }

    /// The row's values and the object's values.
    var changes: [PropertyChange] {
        map.inDeclaredOrder.filter { copy.ordinals.contains($0) }.map { ordinal in
            PropertyChange(
                name: map.properties[ordinal].name, old: copy.rowValue(ordinal),
                new: copy.sendableValue(ordinal), isEncrypted: map.properties[ordinal].sealing != nil)
        }
    }
}
