internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// The objects of a file: which row has which key, and how values are stored.
///
/// It belongs to one transaction, in which it remembers what it read.
final class FileObjects {
    let connection: any Connection
    let shapes: [SyncedShape]
    /// By name.
    let shape: [String: SyncedShape]
    /// The classes of each table, by its name in lowercase.
    let classes: [String: [SyncedShape]]
    private var keys: [Row: ObjectKey?] = [:]
    private var ids: [ObjectKey: Int64?] = [:]

    private struct Row: Hashable {
        let table: String
        let id: Int64
    }

    convenience init(_ session: Session) throws { try self.init(session.connection, SyncedShape.all(in: session)) }

    init(_ connection: any Connection, _ shapes: [SyncedShape]) {
        self.connection = connection
        self.shapes = shapes
        shape = Dictionary(shapes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        classes = Dictionary(grouping: shapes) { $0.table.lowercased() }
    }

    // MARK: Keys and ids

    /// The key of a class's row.
    func key(of id: Int64, _ className: String) throws -> ObjectKey? {
        guard let shape = shape[className] else { return nil }
        return try key(of: id, in: shape.table)
    }

    /// The key of a row; nil if it does not exist, or if its class is not known.
    func key(of id: Int64, in table: String) throws -> ObjectKey? {
        let row = Row(table: table.lowercased(), id: id)
        if let known = keys[row] { return known }
        guard let shapes = classes[row.table], let first = shapes.first else { return nil }
        let sql: SQL =
            first.hasClassColumn
            ? "SELECT \"key\", \"class\" FROM \(name: table) WHERE \"id\" = ?"
            : "SELECT \"key\" FROM \(name: table) WHERE \"id\" = ?"
        var found: ObjectKey?
        if let values = try connection.rows(sql, [.integer(id)]).first, let key = KeyValue(values[0]) {
            let name = values.count > 1 ? values[1].text ?? "" : first.name
            if shape[name] != nil { found = ObjectKey(Text(name), key) }
        }
        keys[row] = found
        return found
    }

    /// The id of an object's row; nil if it has none.
    func id(of key: ObjectKey) throws -> Int64? {
        if let known = ids[key] { return known }
        guard let shape = shape[key.type.string] else { return nil }
        let sql: SQL
        var values = [key.key.stored]
        if shape.hasClassColumn {
            sql = "SELECT \"id\" FROM \(name: shape.table) WHERE \"key\" = ? AND \"class\" = ?"
            values.append(.text(shape.name))
        } else {
            sql = "SELECT \"id\" FROM \(name: shape.table) WHERE \"key\" = ?"
        }
        let id = try connection.rows(sql, values).first?[0].integer
        ids[key] = id
        return id
    }

    /// Remembers the row that an object will have.
    func assign(_ id: Int64?, to key: ObjectKey) {
        ids[key] = .some(id)
        keys = [:]
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

    /// The value that an element's column stores; nil if it cannot store it.
    func stored(_ value: SyncValue) throws -> DatabaseValue? {
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
