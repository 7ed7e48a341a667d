internal import StoreEngine

/// Converts the values of one column row by row; throws at the first value without an exact conversion.
struct RowConversion: Sendable {
    private let className: String
    private let property: Property
    private let conversion: ValueConversion

    init(_ property: Property, _ map: ClassMap, _ conversion: ValueConversion) {
        className = map.name
        self.property = property
        self.conversion = conversion
    }

    /// - Parameter rows: A condition; empty for all rows.
    func run(_ run: SchemaRun, from source: String, to column: String, rows: SQL, in table: String) throws {
        let update = try run.connection.prepare("UPDATE \(name: table) SET \(name: column) = ? WHERE \"id\" = ?")
        try run.forEachRow("\(name: source)", rows, in: table, for: property.name) { id, values in
            let value = values[0]
            let converted = try convert(value, of: id, run)
            guard converted != .null || property.codec.acceptsNull, source != column || converted != value else {
                return
            }
            try update.execute([converted, .integer(id)])
        }
    }

    /// Whether former values in the history must be converted, too.
    var changesNumbers: Bool { conversion.changesNumbers }

    /// The recorded form of a former value.
    func recorded(_ value: DatabaseValue) -> DatabaseValue { conversion.recorded(value) }

    func convert(_ value: DatabaseValue, of id: Int64, _ run: SchemaRun) throws -> DatabaseValue {
        do throws(ValueFault) { return try conversion(value) } catch {
            throw SchemaError.notConvertible(
                className: className, property: property.name, rowID: id, value: run.shown(value),
                type: conversion.typeName, reason: error.description)
        }
    }
}

/// A property's value in a new object, for rows without a value.
struct InitialValue: Sendable {
    private let constant: DatabaseValue?
    private let make: @Sendable () throws -> DatabaseValue

    init(_ property: Property, _ map: ClassMap) {
        let value = map.ordinal(of: property.name).flatMap { map.defaults[$0] }
        constant = value.flatMap { $0.isConstant ? $0.value : nil }
        make = InitialValue.maker(of: property, map)
    }

    /// A value that will be replaced.
    init(placeholder: DatabaseValue) {
        constant = placeholder
        make = { placeholder }
    }

    /// The value for another row.
    func next() throws -> DatabaseValue { try constant ?? make() }

    /// Returns a closure that creates the value of a new object, which may differ from object to object.
    static func maker(of property: Property, _ map: ClassMap) -> @Sendable () throws -> DatabaseValue {
        return {
            // The user's init() must not use the store, which is in a transaction.
            try Examination.run {
                let object = map.type.init()
                return try withExtendedLifetime(object) {
                    try property.codec.encode(property.address(in: ObjectMemory.start(of: object)))
                }
            }
        }
    }

    /// Sets rows whose old column is NULL to the initial value; throws with their ids if there is no initial value.
    func fillNulls(
        of property: Property, _ map: ClassMap, from source: String, to column: String, _ rows: SQL,
        _ steps: inout SchemaSteps
    ) {
        let table = map.table
        let condition: SQL = rows.isEmpty ? "\(name: source) IS NULL" : "\(name: source) IS NULL AND \(rows)"
        if let constant, constant != .null {
            return steps.add("UPDATE \(name: table) SET \(name: column) = ? WHERE \(condition)", binding: constant)
        }
        let name = map.name
        steps.add("-- \"\(table)\".\"\(column)\" = the initial value, if \"\(source)\" is NULL") { [make] run in
            let update = try run.connection.prepare("UPDATE \(name: table) SET \(name: column) = ? WHERE \"id\" = ?")
            try run.forEachID(condition, in: table) { id in
                guard let value = try? make(), value != .null else {
                    let ids = try run.ids(
                        "SELECT \"id\" FROM \(name: table) WHERE \(condition) ORDER BY \"id\" LIMIT 10")
                    throw SchemaError.nilInRequired(className: name, property: property.name, rowIDs: ids)
                }
                try update.execute([value, .integer(id)])
            }
        }
    }
}
