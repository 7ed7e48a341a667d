internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The objects of a file: which row has which key, and how values are stored.
///
/// It belongs to one transaction, in which it remembers what it read last.
final class FileObjects {
    let connection: any Connection
    let shapes: [SyncedShape]
    /// By the names of the classes.
    let types: [Text: RowShape]
    /// The classes of each table, by its name in lowercase.
    let classes: [String: [SyncedShape]]
    /// By the names of the classes in this and in earlier versions of the program.
    private let typesByClass: [String: RowShape]
    /// By name, also in lowercase.
    private let tables: [String: KeyedTable]
    private var ids: [ObjectKey: Int64?] = [:]
    /// By the names of the classes.
    private var newRows: [Text: NewRows] = [:]
    private var deleted: Set<ObjectKey> = []

    /// The greatest number of rows that are remembered in a table.
    private static let most = 4096

    convenience init(_ session: Session) throws { try self.init(session.connection, SyncedShape.all(in: session)) }

    init(_ connection: any Connection, _ shapes: [SyncedShape]) {
        self.connection = connection
        self.shapes = shapes
        let types = Dictionary(
            shapes.map { shape in (Text(shape.name), RowShape(shape)) }, uniquingKeysWith: { first, _ in first })
        self.types = types
        var typesByClass: [String: RowShape] = [:]
        for shape in shapes {
            for name in shape.formerNames + [shape.className] { typesByClass[name] = types[Text(shape.name)] }
        }
        self.typesByClass = typesByClass
        classes = Dictionary(grouping: shapes) { $0.table.lowercased() }
        var tables: [String: KeyedTable] = [:]
        for (name, shapes) in classes {
            guard let first = shapes.first, let type = types[Text(first.name)] else { continue }
            let table = KeyedTable(type)
            tables[name] = table
            for shape in shapes { tables[shape.table] = table }
        }
        self.tables = tables
    }

    // MARK: Keys and ids

    /// The name under which devices exchange a class.
    func syncedName(of className: String) -> String { typesByClass[className]?.shape.name ?? className }

    /// The key of a class's row.
    func key(of id: Int64, _ className: String) throws -> ObjectKey? {
        guard let type = typesByClass[className] else { return nil }
        return try key(of: id, in: type.shape.table)
    }

    /// The key of a row; nil if it does not exist, or if its class is not known.
    func key(of id: Int64, in table: String) throws -> ObjectKey? {
        guard let table = tables[table] ?? tables[table.lowercased()] else { return nil }
        if let known = table.keys[id] { return known }
        var found: ObjectKey?
        if let values = try connection.rows(table.selectKey, [.integer(id)]).first, let key = KeyValue(values[0]) {
            let type = values.count > 1 ? typesByClass[values[1].text ?? ""] : table.first
            found = type.map { ObjectKey($0.type, key) }
        }
        if table.keys.count >= FileObjects.most { table.keys = [:] }
        table.keys[id] = .some(found)
        if let found, ids[found] == nil { remember(id, found) }
        return found
    }

    /// The id of an object's row; nil if it has none.
    func id(of key: ObjectKey) throws -> Int64? {
        if deleted.contains(key) { return nil }
        if let id = newRows[key.type]?.id(of: key.key) { return id }
        if let known = ids[key] { return known }
        guard let type = types[key.type] else { return nil }
        var values = [key.key.stored]
        if type.shape.hasClassColumn { values.append(.text(type.shape.className)) }
        let id = try connection.rows(type.selectID, values).first?[0].integer
        remember(id, key)
        return id
    }

    private func remember(_ id: Int64?, _ key: ObjectKey) {
        if ids.count >= FileObjects.most { ids = [:] }
        ids[key] = .some(id)
    }

    /// The id and the columns of an object's row; nil if it has none.
    func row(of key: ObjectKey, _ type: RowShape) throws -> (id: Int64, values: ArraySlice<DatabaseValue>)? {
        var values = [key.key.stored]
        if type.shape.hasClassColumn { values.append(.text(type.shape.className)) }
        guard let row = try connection.rows(type.selectRow, values).first, let id = row[0].integer else { return nil }
        return (id, row[1...])
    }

    /// Assigns ids to new objects, until `forgetRows()`.
    func assign(_ rows: NewRows) { newRows[rows.type.type] = rows }

    /// Takes the row from an object that is about to be deleted, until `forgetRows()`.
    func unassign(_ key: ObjectKey) { deleted.insert(key) }

    /// Forgets all rows, which are read again after they were written.
    func forgetRows() {
        (ids, newRows, deleted) = ([:], [:], [])
        for table in tables.values { table.keys = [:] }
    }

    // MARK: Values

    /// A column's value as devices exchange it.
    func value(_ stored: DatabaseValue, of field: SyncedShape.Field) throws -> SyncValue {
        if let target = field.target { return try reference(stored, to: target) }
        switch stored {
        case .integer(let number):
            if let scale = field.scale { return .decimal(Text("\(FileObjects.decimal(number, scale))")) }
            return .integer(number)
        case .text(let text): return field.isDecimal ? .decimal(Text(text)) : .text(Text(text))
        default: return value(stored)
        }
    }

    /// A value that refers to no object.
    func value(_ stored: DatabaseValue) -> SyncValue {
        switch stored {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(Text(text))
        case .blob(let bytes): .bytes(bytes)
        }
    }

    /// An element's value.
    func value(_ stored: DatabaseValue, in collection: SyncedShape.Collection) throws -> SyncValue {
        guard let target = collection.target else { return value(stored) }
        return try reference(stored, to: target)
    }

    private func reference(_ stored: DatabaseValue, to table: String) throws -> SyncValue {
        guard case .integer(let id) = stored, let key = try key(of: id, in: table) else { return .null }
        return .object(key)
    }

    /// The value that a column stores; nil if it cannot store it.
    func stored(_ value: SyncValue, of field: SyncedShape.Field) throws -> DatabaseValue? {
        switch value {
        case .null: return field.acceptsNull ? .null : nil
        case .object(let key):
            guard field.target != nil else { return nil }
            return try id(of: key).map { .integer($0) }
        case _ where field.target != nil: return nil
        case .decimal(let text):
            if field.isDecimal { return .text(text.string) }
            guard let scale = field.scale else { return nil }
            return FileObjects.scaled(value, scale).map { .integer($0) }
        default:
            guard field.scale == nil, !field.isDecimal, let stored = try stored(value) else { return nil }
            return FileObjects.converted(stored, to: field.type)
        }
    }

    /// The value that a column of elements stores; nil if it cannot store it.
    func stored(_ value: SyncValue, as type: ColumnType) throws -> DatabaseValue? {
        try stored(value).flatMap { FileObjects.converted($0, to: type) }
    }

    private func stored(_ value: SyncValue) throws -> DatabaseValue? {
        switch value {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return number.isNaN ? nil : .real(number)
        case .text(let text), .decimal(let text):
            guard let string = String(validating: text.utf8, as: UTF8.self) else { return nil }
            return .text(string)
        case .bytes(let bytes): return .blob(bytes)
        case .object(let key): return try id(of: key).map { .integer($0) }
        case .blob: return nil
        }
    }

    private static func converted(_ stored: DatabaseValue, to type: ColumnType) -> DatabaseValue? {
        switch (stored, type) {
        case (_, .any), (.null, _), (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): stored
        case (.integer(let number), .real): .real(Double(number))
        case (.real(let number), .integer): Int64(exactly: number).map { .integer($0) }
        default: nil
        }
    }

    private static func decimal(_ count: Int64, _ scale: Int) -> Decimal {
        var (number, result) = (Decimal(count), Decimal())
        return NSDecimalMultiplyByPowerOf10(&result, &number, Int16(-scale), .plain) == .noError ? result : number
    }

    private static func scaled(_ value: SyncValue, _ scale: Int) -> Int64? {
        guard var number = value.decimalNumber else { return nil }
        var result = Decimal()
        guard NSDecimalMultiplyByPowerOf10(&result, &number, Int16(scale), .plain) == .noError else { return nil }
        return Int64("\(result)")
    }
}
