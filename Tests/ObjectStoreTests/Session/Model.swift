import TestSupport
import Testing

@testable import PersistentObjects

/// The class of the model-based test.
final class Modelled: PersistentObject {
    override class var tableName: String { "modelled" }
    var number = 0
    var maybe: Int?
    var text = ""
    @Unique var key: Int?
    var tags: [String] = []
}

/// The values of an object or a row.
struct Values: Equatable {
    var number = 0
    var maybe: Int?
    var text = ""
    var key: Int?
    var tags: [String] = []

    init() {}

    init(_ object: Modelled) {
        (number, maybe, text, key, tags) = (object.number, object.maybe, object.text, object.key, object.tags)
    }

    func write(to object: Modelled) {
        (object.number, object.maybe, object.text) = (number, maybe, text)
        (object.key, object.tags) = (key, tags)
    }

    /// The properties whose values differ, in the order of their declaration.
    func difference(from other: Values) -> [String] {
        [
            number == other.number ? nil : "number", maybe == other.maybe ? nil : "maybe",
            text == other.text ? nil : "text", key == other.key ? nil : "key", tags == other.tags ? nil : "tags",
        ].compactMap { $0 }
    }

    private static let properties: [(name: String, copy: @Sendable (Values, inout Values) -> Void)] = [
        ("number", { $1.number = $0.number }), ("maybe", { $1.maybe = $0.maybe }), ("text", { $1.text = $0.text }),
        ("key", { $1.key = $0.key }), ("tags", { $1.tags = $0.tags }),
    ]

    /// Copies the values of some properties.
    mutating func take(_ names: some Sequence<String>, of other: Values) {
        let names = Set(names)
        for property in Values.properties where names.contains(property.name) { property.copy(other, &self) }
    }
}

/// The expected behavior of the library: the rows of the database, and the objects that the client holds.
struct Model {
    /// The expected state of an object.
    struct Held {
        enum State { case new, saved, deleted }
        let object: Modelled
        var state = State.new
        var id: Int64 = 0
        var values = Values()
        var baseline = Values()

        /// The names of the edited properties.
        var edits: Set<String> { Set(values.difference(from: baseline)) }

        /// Applies the values of a row that was read again: properties without edits get the row's values. An edited
        /// property keeps its edit, unless the row has the same value and it is not a number.
        mutating func meet(_ row: Values) {
            let conflicts = self.conflicts(row)
            let all = Set(row.difference(from: values)).union(row.difference(from: baseline))
            values.take(all.subtracting(edits), of: row)
            baseline.take(all.subtracting(conflicts), of: row)
        }

        /// The properties that both sides have changed; a number conflicts even if both sides have the same value.
        func conflicts(_ row: Values) -> Set<String> {
            edits.intersection(row.difference(from: baseline))
                .intersection(row.difference(from: values) + ["number", "maybe", "key"])
        }
    }

    var rows: [Int64: Values] = [:]
    var lastID: Int64 = 0
    var held: [Held] = []

    func place(of id: Int64) -> Int? { held.firstIndex { $0.state == .saved && $0.id == id } }

    private func edits(of place: Int) -> Set<String> { held[place].edits }

    /// Writes inserts first, then updates by row, then the rows of collections.
    private func write(
        _ inserted: [Int], _ updated: [Int], _ next: inout [Int64: Values], parksKeys: Bool
    ) -> StoreError.Code? {
        // Collections are written first.
        for place in updated where edits(of: place) == ["tags"] {
            guard next[held[place].id] != nil else { return .rowGone }
            next[held[place].id] = held[place].values
        }
        if parksKeys { for place in updated where edits(of: place).contains("key") { next[held[place].id]?.key = nil } }
        for (index, place) in inserted.enumerated() {
            if let key = held[place].values.key, next.values.contains(where: { $0.key == key }) { return .notUnique }
            next[lastID + 1 + Int64(index)] = held[place].values
        }
        for place in updated where edits(of: place) != ["tags"] {
            let id = held[place].id
            let row = held[place].values
            guard next[id] != nil else { return .rowGone }
            if let key = row.key, next.contains(where: { $0.key != id && $0.value.key == key }) { return .notUnique }
            next[id] = row
        }
        return nil
    }

    /// The expected result of saving some objects: nil for success, otherwise the code of the error.
    mutating func save(_ places: [Int]) -> StoreError.Code? {
        var changed: [Int] = []
        var inserted: [Int] = []
        for place in places {
            switch held[place].state {
            case .deleted: return .objectIsDeleted
            case .new: if !inserted.contains(place) { inserted.append(place) }
            case .saved: if held[place].values != held[place].baseline { changed.append(place) }
            }
        }
        var updated = Set(changed).sorted { held[$0].id < held[$1].id }
        // Rows that another session wrote since are read again before any write.
        let gone = updated.contains { rows[held[$0].id] == nil }
        var isStale = false
        for place in updated {
            guard let row = rows[held[place].id] else { continue }
            isStale = isStale || !held[place].conflicts(row).isEmpty
            held[place].meet(row)
        }
        if gone { return .rowGone }
        if isStale { return .staleObject }
        updated.removeAll { held[$0].edits.isEmpty }
        var next = rows
        var code = write(inserted, updated, &next, parksKeys: false)
        if code == .notUnique, updated.contains(where: { edits(of: $0).contains("key") }) {
            // Rows can swap their keys, so the keys that change are parked first.
            next = rows
            let again = write(inserted, updated, &next, parksKeys: true)
            code = again == nil ? nil : .notUnique
        }
        if let code { return code }
        rows = next
        for place in inserted {
            lastID += 1
            held[place].state = .saved
            held[place].id = lastID
            held[place].baseline = held[place].values
        }
        for place in updated { held[place].baseline = held[place].values }
        return nil
    }
}
