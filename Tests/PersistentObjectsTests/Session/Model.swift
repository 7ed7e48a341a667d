import TestSupport
import Testing

@testable import PersistentObjects

/// The object of the model-based test.
final class Modelled: PersistentObject {
    override class var tableName: String { "modelled" }
    var number = 0
    var maybe: Int?
    var text = ""
    @Unique var key: Int?
    var tags: [String] = []
}

/// What an object or a row holds.
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

    /// The properties in which two differ, in the order of their declaration.
    func difference(from other: Values) -> [String] {
        [
            number == other.number ? nil : "number", maybe == other.maybe ? nil : "maybe",
            text == other.text ? nil : "text", key == other.key ? nil : "key", tags == other.tags ? nil : "tags",
        ].compactMap { $0 }
    }

    /// Brings what the user has not edited, compared with `baseline`, to `row`.
    mutating func merge(_ row: Values, baseline: Values) {
        let edited = Set(difference(from: baseline))
        if !edited.contains("number") { number = row.number }
        if !edited.contains("maybe") { maybe = row.maybe }
        if !edited.contains("text") { text = row.text }
        if !edited.contains("key") { key = row.key }
        if !edited.contains("tags") { tags = row.tags }
    }
}

/// What the library should do, in plain dictionaries: the database, and the objects that the user holds.
struct Model {
    /// What one held object should be like.
    struct Held {
        enum State { case new, saved, deleted }
        let object: Modelled
        var state = State.new
        var id: Int64 = 0
        var values = Values()
        var baseline = Values()
    }

    var rows: [Int64: Values] = [:]
    var lastID: Int64 = 0
    var held: [Held] = []

    func place(of id: Int64) -> Int? { held.firstIndex { $0.state == .saved && $0.id == id } }

    /// The row that a save of `held[place]` would leave.
    func rowAfterSaving(_ place: Int) -> Values {
        guard let row = rows[held[place].id], held[place].state == .saved else { return held[place].values }
        // Only changed columns are written; the others are as the row has them.
        var result = held[place].values
        let edited = Set(result.difference(from: held[place].baseline))
        if !edited.contains("number") { result.number = row.number }
        if !edited.contains("maybe") { result.maybe = row.maybe }
        if !edited.contains("text") { result.text = row.text }
        if !edited.contains("key") { result.key = row.key }
        if !edited.contains("tags") { result.tags = row.tags }
        return result
    }

    private func edits(of place: Int) -> Set<String> { Set(held[place].values.difference(from: held[place].baseline)) }

    /// Inserts come first, then updates by row, then the rows of collections.
    private func write(
        _ inserted: [Int], _ updated: [Int], _ next: inout [Int64: Values], parksKeys: Bool
    ) -> StoreError.Code? {
        // Collections come first.
        for place in updated where edits(of: place) == ["tags"] {
            guard next[held[place].id] != nil else { return .rowGone }
            next[held[place].id] = rowAfterSaving(place)
        }
        if parksKeys { for place in updated where edits(of: place).contains("key") { next[held[place].id]?.key = nil } }
        for (index, place) in inserted.enumerated() {
            if let key = held[place].values.key, next.values.contains(where: { $0.key == key }) { return .notUnique }
            next[lastID + 1 + Int64(index)] = held[place].values
        }
        for place in updated where edits(of: place) != ["tags"] {
            let id = held[place].id
            let row = rowAfterSaving(place)
            guard next[id] != nil else { return .rowGone }
            if let key = row.key, next.contains(where: { $0.key != id && $0.value.key == key }) { return .notUnique }
            next[id] = row
        }
        return nil
    }

    /// What saving some objects should end in: nil for success, else the error's code.
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
        var next = rows
        let updated = Set(changed).sorted { held[$0].id < held[$1].id }
        var code = write(inserted, updated, &next, parksKeys: false)
        if code == .notUnique, updated.contains(where: { edits(of: $0).contains("key") }) {
            // Rows may have each other's keys, so those that change are moved out of the way.
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
        // A baseline is what was read or written last, which need not be what the row has by now.
        for place in changed { held[place].baseline = held[place].values }
        return nil
    }
}
