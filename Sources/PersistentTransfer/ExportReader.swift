internal import PersistentObjects
internal import StoreEngine

/// Reads the rows of a class with their collections, sorted by id.
///
/// One row is in memory at a time, whatever the size of the table. No objects are created.
final class ExportReader {
    private let source: ExportSource
    private let statement: Statement
    private let collections: [CollectionCursor]

    init(_ source: ExportSource, _ session: Session) throws {
        self.source = source
        statement = try session.connection.statement(source.select)
        statement.beginBinding()
        collections = try source.collections.map { try CollectionCursor($0, source.space, session) }
    }

    deinit { statement.finish() }

    /// Calls `body` with each row.
    func forEach(_ body: (ExportRow) throws -> Void) throws {
        while try step() {
            let id = statement.integer(0)
            let plan = try self.plan(id)
            // Each cursor advances once per row, even if the row's class does not have the collection.
            let rows = try collections.map { try $0.rows(of: id) }
            try body(ExportRow(plan: plan, id: id, space: source.space, statement: statement, collections: rows))
        }
    }

    private func step() throws -> Bool {
        do { return try statement.step() } catch { throw source.space.located(error) }
    }

    private func plan(_ id: Int64) throws -> ExportPlan {
        if let only = source.onlyPlan { return only }
        var name = ""
        if let column = source.classColumn {
            do throws(ValueFault) { name = try statement.column(column).text() } catch {
                throw source.space.located(error, rowID: id)
            }
        }
        if let plan = source.plans[name] { return plan }
        throw StoreError(
            .unknownClass,
            "The row has the class \(VisibleText.of(name)), which this program does not have or cannot find by "
                + "its name. Nothing was exported. Call try store.prepare(…) with the class first",
            className: source.space.map.name, rowID: id)
    }
}

/// Where a value comes from that is written as its column stores it: plain data, which is read for each value.
enum PlainSource {
    case id
    case integer(Int32), real(Int32), text(Int32)
    /// The value has to be converted.
    case other

    init(_ source: ExportPlan.Source) {
        switch source {
        case .id: self = .id
        case .link(let column, hasKey: false): self = .integer(column)
        case .value(let column, let form):
            switch form.plainShape {
            case .integer: self = .integer(column)
            case .real: self = .real(column)
            case .text, .decimal: self = .text(column)
            default: self = .other
            }
        case .className, .sealed, .opened, .link, .collection: self = .other
        }
    }
}

/// A value that is written as its column stores it.
enum PlainValue {
    case integer(Int64)
    case real(Double)
    case text(String)
}

/// The row that a reader is on. It is valid until the reader moves on.
struct ExportRow {
    let plan: ExportPlan
    let id: Int64
    fileprivate let space: ClassSpace
    fileprivate let statement: Statement
    fileprivate let collections: [JSONValue]

    /// A column of the statement.
    func cell(_ column: Int32) -> Cell { statement.column(column) }

    /// A value that is written as its column stores it; nil if it has to be converted.
    func plainValue(_ source: PlainSource) throws(ValueFault) -> PlainValue? {
        switch source {
        case .id: return .integer(id)
        case .integer(let column): return cell(column).integer.map { .integer($0) }
        case .real(let column):
            let cell = cell(column)
            if let number = cell.real { return number.isFinite ? .real(number) : nil }
            return cell.integer.map { .integer($0) }
        case .text(let column):
            let cell = cell(column)
            return cell.storageClass == .text ? .text(try cell.text()) : nil
        case .other: return nil
        }
    }

    /// The value of an entry of the plan.
    func value(_ source: ExportPlan.Source) throws -> JSONValue {
        switch source {
        case .id: return .number(String(id))
        case .className: return .text(plan.map.name)
        case .value(let column, let form): return try form.json(try cell(column).value())
        case .sealed(let column): return try SealedJSON.json(of: try cell(column).value())
        case .opened(let column, let property, let key):
            let key = try key.map { try cell($0).value() } ?? .null
            return try space.openedJSON(try cell(column).value(), property, key: key, rowID: id)
        case .link(let column, let hasKey):
            return try CollectionCursor.link(try cell(column).value(), hasKey: hasKey)
        case .collection(let place, let flag):
            if let flag, statement.isNull(flag) { return .null }
            return collections[place]
        }
    }

    /// An error of an entry with the place of its value.
    func located(_ error: any Error, _ entry: ExportPlan.Entry?) -> any Error {
        entry.map { space.located(error).at(plan.map, $0.name, id) } ?? space.located(error)
    }
}

/// The rows of a collection's table, read in step with the rows of the owners.
private final class CollectionCursor {
    private let collection: ExportCollection
    private let statement: Statement
    private let space: ClassSpace
    private var isOnRow = false

    init(_ collection: ExportCollection, _ space: ClassSpace, _ session: Session) throws {
        self.collection = collection
        self.space = space
        statement = try session.connection.statement(collection.select)
        statement.beginBinding()
        try advance()
    }

    deinit { statement.finish() }

    private func advance() throws {
        do { isOnRow = try statement.step() } catch { throw space.located(error) }
    }

    /// The collection of an owner. Calls must be in the order of the owners' ids.
    func rows(of owner: Int64) throws -> JSONValue {
        var elements: [JSONValue] = []
        var members: [JSONValue.Member] = []
        while isOnRow, statement.integer(0) <= owner {
            if statement.integer(0) == owner {
                do { try append(to: &elements, &members) } catch { throw space.located(error, rowID: owner) }
            }
            try advance()
        }
        return collection.form.json(elements, members)
    }

    private func append(to elements: inout [JSONValue], _ members: inout [JSONValue.Member]) throws {
        let stored = try statement.column(collection.form.key == nil ? 1 : 2).value()
        let value =
            try collection.form.element.map { try $0.json(stored) }
            ?? CollectionCursor.link(stored, hasKey: collection.elementHasKey)
        guard let shape = collection.form.key else { return elements.append(value) }
        let key = try shape.json(try statement.column(1).value())
        members.append(.init(name: shape.name(ofKey: key), value: value))
    }

    /// The JSON of an id or a key in a column.
    static func link(_ stored: DatabaseValue, hasKey: Bool) throws(ValueFault) -> JSONValue {
        switch stored {
        case .null: .null
        case .integer(let id) where !hasKey: .number(String(id))
        case .text(let key) where hasKey: .text(key)
        case .blob(let bytes) where hasKey: try ValueShape.uuid.json(.blob(bytes)).lowercased
        default: throw .typeMismatch(expected: hasKey ? "a key" : "INTEGER", found: stored.storageClass)
        }
    }
}

extension JSONValue {
    /// The value with a string in lowercase, because exports have UUID keys in lowercase.
    var lowercased: JSONValue { if case .text(let text) = self { .text(text.lowercased()) } else { self } }
}

extension Error {
    /// The error with its place in an export, if it is a `StoreError`.
    fileprivate func at(_ map: ClassMap, _ property: String, _ id: Int64) -> any Error {
        (self as? StoreError)?.at(className: map.name, property: property, rowID: id) ?? self
    }
}
