internal import StoreEngine

/// The changes of the last save, by object, from which `previousChanges` is computed on demand.
///
/// After most saves `previousChanges` is not requested, so no values are boxed. The old values of updated objects are
/// copied contiguously from the baseline; inserted objects have no old values. Objects are not retained: an object's
/// `isRemembered` states whether the entry belongs to it, and is false in an object created later.
final class SavedChanges {
    private struct Row {
        let object: ObjectIdentifier
        let map: Borrowed<ClassMap>
        let changed: ColumnSet
        /// The address of the old values; nil for an insertion.
        let values: Address?
    }

    private var rows: [Row] = []
    /// Insertions of several objects, of which only the classes and identities are recorded.
    private var inserted: [(map: ClassMap, objects: [ObjectIdentifier])] = []
    /// The places in `rows` and the classes of `inserted`, computed on first access.
    private var places: [ObjectIdentifier: Int]?
    private var insertedMaps: [ObjectIdentifier: ClassMap]?
    /// Blocks of memory for old values.
    private var pieces: [Address] = []
    private var next: Address?
    private var left = 0

    private static let leastPiece = 256
    private static let greatestPiece = 1 << 18

    deinit { removeAll(keeping: 0) }

    /// Removes all changes, so that the next save's changes can be added.
    func removeAll() { removeAll(keeping: 1) }

    private func removeAll(keeping count: Int) {
        for row in rows {
            guard var memory = row.values else { continue }
            let layout = row.map.object.baseline
            row.changed.forEach { ordinal in
                let slot = layout.slots[ordinal]
                layout.forget(slot, at: memory)
                memory = memory + slot.keptSize
            }
        }
        rows.removeAll(keepingCapacity: rows.count < SavedChanges.leastPiece)
        if !inserted.isEmpty { inserted = [] }
        forgetPlaces()
        for piece in pieces.dropFirst(count) { piece.deallocate() }
        if pieces.count > count { pieces.removeLast(pieces.count - count) }
        next = pieces.first
        left = next == nil ? 0 : SavedChanges.leastPiece
    }

    private func forgetPlaces() {
        if places != nil { places = nil }
        if insertedMaps != nil { insertedMaps = nil }
    }

    private func take(_ size: Int) -> Address {
        if let start = next, size <= left {
            next = start + size
            left -= size
            return start
        }
        let usual =
            pieces.isEmpty
            ? SavedChanges.leastPiece
            : Swift.min(SavedChanges.leastPiece << Swift.min(2 * pieces.count, 16), SavedChanges.greatestPiece)
        // The first block is kept for the next save, so it always has the same size.
        if pieces.isEmpty, size > usual {
            pieces.append(.allocate(byteCount: usual))
        }
        let byteCount = Swift.max(usual, size)
        let start = Address.allocate(byteCount: byteCount)
        pieces.append(start)
        next = start + size
        left = byteCount - size
        return start
    }

    /// Adds an updated object. Called before its baseline is updated.
    func addUpdated(_ object: PersistentObject, _ map: ClassMap, _ changed: ColumnSet) {
        let start = ObjectMemory.start(of: object)
        guard let block = start.header.baseline else { return }
        let layout = map.baseline
        var size = 0
        changed.forEach { size += layout.slots[$0].keptSize }
        let values = take(size)
        var memory = values
        changed.forEach { ordinal in
            let slot = layout.slots[ordinal]
            layout.keep(slot, of: block, at: memory)
            memory = memory + slot.keptSize
        }
        rows.append(Row(object: ObjectIdentifier(object), map: Borrowed(map), changed: changed, values: values))
        forgetPlaces()
        start.header.isRemembered = true
    }

    /// Adds inserted objects.
    func addInserted(_ objects: [PersistentObject], _ map: ClassMap) {
        for object in objects { ObjectMemory.start(of: object).header.isRemembered = true }
        inserted.append((map, objects.map { ObjectIdentifier($0) }))
        forgetPlaces()
    }

    /// Adds an inserted object.
    func addInserted(_ object: PersistentObject, _ map: ClassMap) {
        rows.append(
            Row(object: ObjectIdentifier(object), map: Borrowed(map), changed: map.baseline.allOrdinals, values: nil))
        forgetPlaces()
        ObjectMemory.start(of: object).header.isRemembered = true
    }

    /// The recorded changes of an object whose row the baseline at `block` contains.
    func changes(of object: PersistentObject, in block: Address) -> [PropertyChange] {
        let id = ObjectIdentifier(object)
        if let row = place(of: id).map({ rows[$0] }) {
            return SavedChanges.changes(row.changed, row.map.object, old: row.values, new: block)
        }
        guard let map = map(ofInserted: id) else { return [] }
        return SavedChanges.changes(map.baseline.allOrdinals, map, old: nil, new: block)
    }

    private static func changes(
        _ changed: ColumnSet, _ map: ClassMap, old values: Address?, new block: Address
    ) -> [PropertyChange] {
        let layout = map.baseline
        var old: [Int: any Sendable] = [:]
        if var memory = values {
            changed.forEach { ordinal in
                let slot = layout.slots[ordinal]
                // The address is shifted, as if the value were in a baseline.
                old[ordinal] = layout.baselineValue(ordinal, in: memory + -slot.blockOffset)
                memory = memory + slot.keptSize
            }
        }
        return map.inDeclaredOrder.filter { changed.contains($0) }.map { ordinal in
            PropertyChange(
                name: map.properties[ordinal].name, old: old[ordinal], new: layout.baselineValue(ordinal, in: block),
                isEncrypted: map.properties[ordinal].sealing != nil)
        }
    }

    private func map(ofInserted object: ObjectIdentifier) -> ClassMap? {
        if insertedMaps == nil {
            var maps: [ObjectIdentifier: ClassMap] = [:]
            for (map, objects) in inserted { for object in objects { maps[object] = map } }
            insertedMaps = maps
        }
        return insertedMaps?[object]
    }

    private func place(of object: ObjectIdentifier) -> Int? {
        guard rows.count > 8 else { return rows.lastIndex { $0.object == object } }
        if places == nil {
            places = Dictionary(rows.enumerated().map { ($1.object, $0) }, uniquingKeysWith: { _, last in last })
        }
        return places?[object]
    }
}
