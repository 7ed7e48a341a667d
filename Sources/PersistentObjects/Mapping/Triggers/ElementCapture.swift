internal import StoreEngine

/// The triggers on a collection's table that capture changes for sync.
///
/// The mark of an element of a set or dictionary has the element's key as its part. The elements of an array share the
/// mark of their owner, because their positions change; if sync knows an element, the triggers move its entry with it.
/// Elements that are deleted after their owner are not marked, because the owner's mark suffices.
struct ElementCapture {
    private let elements: ElementTriggers
    private let captured: CapturedTable

    /// Nil if a column has no number, or if the table was another kind of collection when it got its number.
    init?(_ elements: ElementTriggers, _ captured: CapturedTable) {
        let columns = [elements.key, elements.value].compactMap(\.self)
        guard captured.kind == CapturedTable.Kind(elements), columns.allSatisfy({ captured[$0.name] != nil }) else {
            return nil
        }
        self.elements = elements
        self.captured = captured
    }

    /// The columns of a collection that have numbers.
    static func columns(of elements: ElementTriggers) -> [String] {
        [elements.key, elements.value].compactMap { $0?.name }
    }

    /// The statements that create the triggers.
    var definitions: [SQL] {
        let isOtherOwner: SQL = "OLD.\(owner) IS NOT NEW.\(owner)"
        let inserts: [SQL]
        let deletes: [SQL]
        let isOther: SQL
        let changes: [SQL]
        switch captured.kind {
        case .rows, .array:
            inserts = [mark("NEW", "0", CapturedTable.inserted), changeEntry("NEW")]
            deletes = [mark("OLD", "0", CapturedTable.deleted)] + removeEntry
            isOther = isOtherOwner
            changes = [markChanges] + moveEntry
        case .set:
            inserts = [mark("NEW", "NEW.\(value)", CapturedTable.inserted)]
            deletes = [mark("OLD", "OLD.\(value)", CapturedTable.deleted)]
            isOther = "\(isOtherOwner) OR \(elements.value.isOther)"
            changes = []
        case .dictionary:
            inserts = [mark("NEW", "NEW.\(key)", CapturedTable.inserted)]
            deletes = [mark("OLD", "OLD.\(key)", CapturedTable.deleted)]
            isOther = "\(isOtherOwner) OR \(elements.key?.isOther ?? "0")"
            changes = [mark("NEW", "NEW.\(key)", CapturedTable.bit(captured[elements.value.name]?.number ?? 0))]
        }
        let hasOwner: SQL = "EXISTS (SELECT 1 FROM \(name: elements.ownerTable) WHERE \"id\" = OLD.\(owner))"
        let columns = [elements.key, elements.value].compactMap(\.self)
        return [
            CaptureTriggers.trigger(.insert, on: elements.table, "INSERT", when: nil, inserts),
            CaptureTriggers.trigger(.delete, on: elements.table, "DELETE", when: hasOwner, deletes),
            CaptureTriggers.trigger(.renumber, on: elements.table, "UPDATE", when: isOther, deletes + inserts),
        ]
            + (changes.isEmpty
                ? []
                : [
                    CaptureTriggers.trigger(
                        .update, on: elements.table, "UPDATE",
                        when: "NOT (\(isOther)) AND (\(HistoryTriggers.isAnyOther(columns)))", changes)
                ])
    }

    private var owner: SQL { "\(name: ChildTable.ownerColumn)" }
    private var value: SQL { "\(name: elements.value.name)" }
    private var key: SQL { "\(name: elements.key?.name ?? elements.value.name)" }

    private func mark(_ row: SQL, _ part: SQL, _ mask: Int64) -> SQL {
        CaptureTriggers.mark(captured.number, "\(row).\(owner)", part, mask)
    }

    // MARK: Arrays

    /// Marks that positions or values changed.
    private var markChanges: SQL {
        let bits = [elements.key, elements.value].compactMap(\.self).map { column in
            "((\(column.isOther)) << \(number: CapturedTable.shift(captured[column.name]?.number ?? 0)))" as SQL
        }
        return """
            INSERT INTO \(name: CaptureNames.marks) ("tbl", "row", "part", "mask") \
            SELECT \(number: captured.number), NEW.\(owner), 0, \(list: bits, separator: " | ") WHERE true \
            \(CaptureTriggers.addingMask);
            """
    }

    private func isEntry(_ row: SQL) -> SQL {
        "\"tbl\" = \(number: captured.number) AND \"owner\" = \(row).\(owner) AND \"position\" = \(row).\(key)"
    }

    /// If the place has an entry, a program without recursive triggers has replaced the element.
    private func changeEntry(_ row: SQL) -> SQL {
        "UPDATE \(name: CaptureNames.places) SET \"changed\" = 1 WHERE \(isEntry(row));"
    }

    private var removeEntry: [SQL] {
        [
            """
            INSERT INTO \(name: CaptureNames.gone) ("tbl", "owner", "id", "place", "position", "value") \
            SELECT "tbl", "owner", "id", "place", "position", OLD.\(value) FROM \(name: CaptureNames.places) \
            WHERE \(isEntry("OLD")) ON CONFLICT DO NOTHING;
            """,
            "DELETE FROM \(name: CaptureNames.places) WHERE \(isEntry("OLD"));",
        ]
    }

    private var moveEntry: [SQL] {
        [
            """
            DELETE FROM \(name: CaptureNames.places) WHERE \(isEntry("NEW")) AND OLD.\(key) IS NOT NEW.\(key);
            """,
            """
            UPDATE \(name: CaptureNames.places) SET "position" = NEW.\(key), \
            "changed" = "changed" OR (\(elements.value.isOther)) WHERE \(isEntry("OLD"));
            """,
        ]
    }
}
