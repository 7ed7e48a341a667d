import TestSupport
import Testing

@testable import PersistentObjects

/// Random operations, compared with a model after each step.
///
/// A failure contains its seed; `SEED=17 swift test --filter ModelTests` replays it.
struct ModelTests {
    @Test(arguments: SeededGenerator.seeds(100))
    func `random operations match a model`(seed: UInt64) throws {
        let store = try Store.inMemory(configuration: .init(lostEdits: .ignore))
        try store.withSession { session in
            _ = try Modelled.count()
            var run = Run(session, SeededGenerator(seed: seed))
            for step in 0..<200 {
                let operation = try run.step()
                if let wrong = try run.differenceFromModel() {
                    Issue.record("SEED=\(seed), step \(step), \(operation): \(wrong)")
                    return
                }
            }
        }
    }
}

/// One run of the test: a session and its model.
private struct Run {
    private let session: Session
    private var random: SeededGenerator
    private var model = Model()

    init(_ session: Session, _ random: SeededGenerator) {
        self.session = session
        self.random = random
    }

    /// Does one random operation in the library and in the model, and returns its description.
    mutating func step() throws -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: create()
        case 12..<38: set()
        case 38..<52: try save()
        case 52..<58: try saveList()
        case 58..<62: try saveChanges()
        case 62..<67: try delete()
        case 67..<71: try reload()
        case 71..<75: revert()
        case 75..<83: try refetch()
        case 83..<88: try find()
        case 88..<92: forget()
        case 92..<98: try writeByAnother()
        default: try deleteByFinder()
        }
    }

    /// Returns nil if the library and the model agree.
    func differenceFromModel() throws -> String? {
        for held in model.held {
            let object = held.object
            let name = "\(held.state) #\(held.id)"
            if Values(object) != held.values { return "\(name) is \(object), wanted \(held.values)" }
            if object.isNew != (held.state == .new) || object.isDeleted != (held.state == .deleted) {
                return "\(name) is in another state: \(object)"
            }
            if object.id != (held.state == .new ? nil : held.id) { return "\(name) has id \(object.id ?? -1)" }
            guard held.state == .saved else { continue }
            let edits = held.values.difference(from: held.baseline)
            if object.changes.map(\.name) != edits { return "\(name) has changes \(object.changes), wanted \(edits)" }
            if object.hasChanges != !edits.isEmpty { return "\(name) hasChanges is wrong" }
        }
        if let broken = try session.space(of: Modelled.self).identity.brokenInvariant() { return broken }
        if session.busyStatementCount != 0 { return "a statement is left busy" }
        let rows = try session.store.withSession { _ in
            Dictionary(uniqueKeysWithValues: try Modelled.all().map { ($0.id ?? 0, Values($0)) })
        }
        return rows == model.rows ? nil : "the rows are \(rows), wanted \(model.rows)"
    }

    private mutating func anyPlace() -> Int? {
        model.held.isEmpty ? nil : Int.random(in: 0..<model.held.count, using: &random)
    }

    /// Runs an operation that the model expects to end with `code`.
    private func expect(_ code: StoreError.Code?, _ body: () throws -> Void) -> String {
        do {
            try body()
            return code == nil ? "" : " WRONG: no error, wanted \(code?.description ?? "")"
        } catch {
            let found = (error as? StoreError)?.code
            return found == code ? " failed as it should" : " WRONG: \(error), wanted \(code?.description ?? "none")"
        }
    }
}

// Operations on objects.
extension Run {
    private mutating func create() -> String {
        model.held.append(Model.Held(object: Modelled()))
        return "create" + edit(model.held.count - 1)
    }

    private mutating func set() -> String {
        guard let place = anyPlace() else { return "set nothing" }
        return "set" + edit(place)
    }

    private mutating func edit(_ place: Int) -> String {
        var values = model.held[place].values
        let number = Int.random(in: 0..<6, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: values.number = number
        case 1: values.maybe = number == 0 ? nil : number
        case 2: values.text = String(repeating: "é\0'", count: number)
        case 3: values.key = number < 2 ? nil : Int.random(in: 0..<20, using: &random)
        case 4: values.tags.append("\(number)")
        default: if !values.tags.isEmpty { values.tags.removeLast() }
        }
        values.write(to: model.held[place].object)
        model.held[place].values = values
        return " #\(model.held[place].id)"
    }

    private mutating func save() throws -> String {
        guard let place = anyPlace() else { return "save nothing" }
        let object = model.held[place].object
        let code = model.save([place])
        return try checked("save \(place)" + expect(code) { try object.save() })
    }

    private mutating func saveList() throws -> String {
        guard !model.held.isEmpty else { return "save no list" }
        let places = (0..<Int.random(in: 1...30, using: &random)).compactMap { _ in anyPlace() }
        let objects = places.map { model.held[$0].object }
        let code = model.save(places)
        return try checked("save list \(places)" + expect(code) { try session.save(objects) })
    }

    private mutating func saveChanges() throws -> String {
        let places = model.held.indices.filter {
            model.held[$0].state == .saved && model.held[$0].values != model.held[$0].baseline
        }
        let code = model.save(Array(places))
        return try checked("saveChanges" + expect(code) { try session.saveChanges() })
    }

    private mutating func delete() throws -> String {
        guard let place = anyPlace() else { return "delete nothing" }
        let object = model.held[place].object
        guard model.held[place].state != .new else {
            return try checked("delete new" + expect(.misuse) { try object.delete() })
        }
        try object.delete()
        model.held[place].state = .deleted
        model.rows[model.held[place].id] = nil
        return "delete #\(model.held[place].id)"
    }

    private mutating func reload() throws -> String {
        guard let place = anyPlace() else { return "reload nothing" }
        let held = model.held[place]
        guard held.state == .saved else { return try checked("reload" + expect(.misuse) { try held.object.reload() }) }
        guard let row = model.rows[held.id] else {
            return try checked("reload" + expect(.rowGone) { try held.object.reload() })
        }
        try held.object.reload()
        model.held[place].values = row
        model.held[place].baseline = row
        return "reload #\(held.id)"
    }

    private mutating func revert() -> String {
        guard let place = anyPlace() else { return "revert nothing" }
        model.held[place].object.revert()
        if model.held[place].state == .saved { model.held[place].values = model.held[place].baseline }
        return "revert #\(model.held[place].id)"
    }

    private mutating func forget() -> String {
        guard let place = anyPlace() else { return "forget nothing" }
        return "forget #\(model.held.remove(at: place).id)"
    }

    /// Throws if the operation's outcome was wrong.
    private func checked(_ operation: String) throws -> String {
        if operation.contains("WRONG") { throw StoreError(.misuse, operation) }
        return operation
    }
}

// Operations on rows.
extension Run {
    /// Reads all rows or some of them again: held objects are refreshed, and some of the other objects are kept.
    private mutating func refetch() throws -> String {
        let isFinder = Bool.random(using: &random)
        let number = Int.random(in: 0..<6, using: &random)
        let objects = isFinder ? try Modelled.findByNumber(number) : try Modelled.all()
        let wanted = model.rows.filter { !isFinder || $0.value.number == number }
        guard Set(objects.compactMap(\.id)) == Set(wanted.keys), objects.count == wanted.count else {
            throw StoreError(.misuse, "found \(objects), wanted \(wanted)")
        }
        for object in objects { try meet(object) }
        return "refetch \(isFinder ? "\(number)" : "all")"
    }

    /// Updates the model with an object that the library returned.
    private mutating func meet(_ object: Modelled) throws {
        let id = object.id ?? 0
        guard let row = model.rows[id] else { throw StoreError(.misuse, "\(object) has no row") }
        if let place = model.place(of: id) {
            guard model.held[place].object === object else { throw StoreError(.misuse, "\(object) is there twice") }
            model.held[place].meet(row)
        } else if Bool.random(using: &random) {
            model.held.append(.init(object: object, state: .saved, id: id, values: row, baseline: row))
        }
    }

    private mutating func find() throws -> String {
        let id = Int64.random(in: 1...max(model.lastID, 1), using: &random)
        let found = try Modelled.find(id)
        if let place = model.place(of: id) {
            guard found === model.held[place].object else { throw StoreError(.misuse, "#\(id) is another object") }
        } else if let row = model.rows[id] {
            guard let found, Values(found) == row else {
                throw StoreError(.misuse, "#\(id) is \(String(describing: found))")
            }
            if Bool.random(using: &random) {
                model.held.append(.init(object: found, state: .saved, id: id, values: row, baseline: row))
            }
        } else if let found {
            throw StoreError(.misuse, "#\(id) is \(found), though there is no row")
        }
        return "find #\(id)"
    }

    private mutating func writeByAnother() throws -> String {
        guard let id = model.rows.keys.sorted().randomElement(using: &random), var row = model.rows[id] else {
            return "write nothing"
        }
        let isDeletion = Int.random(in: 0..<5, using: &random) == 0
        row.number = Int.random(in: 0..<6, using: &random)
        row.text = "theirs \(row.number)"
        try session.store.withSession { _ in
            guard let theirs = try Modelled.find(id) else { throw StoreError(.misuse, "#\(id) is not there") }
            row.write(to: theirs)
            if isDeletion { try theirs.delete() } else { try theirs.save() }
        }
        model.rows[id] = isDeletion ? nil : row
        return "another \(isDeletion ? "deletes" : "writes") #\(id)"
    }

    private mutating func deleteByFinder() throws -> String {
        let number = Int.random(in: 0..<6, using: &random)
        let ids = Set(model.rows.filter { $0.value.number == number }.keys)
        let count = try Modelled.deleteBy.number(number)
        guard count == ids.count else { throw StoreError(.misuse, "\(count) deleted, wanted \(ids)") }
        for id in ids { model.rows[id] = nil }
        for place in model.held.indices where model.held[place].state == .saved && ids.contains(model.held[place].id) {
            model.held[place].state = .deleted
        }
        return "deleteBy.number(\(number))"
    }
}
