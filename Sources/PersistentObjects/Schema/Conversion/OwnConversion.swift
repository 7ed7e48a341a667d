internal import StoreEngine

/// A conversion that a class declares, resolved to the column it reads and the property it fills.
struct OwnConversion: Sendable {
    /// The column that the plan found.
    let source: String
    private let conversion: PropertyConversion
    private let codec: PropertyCodec
    private let property: Property
    private let className: String

    init(
        _ conversion: PropertyConversion, _ column: ColumnDescription, _ property: Property, _ map: ClassMap
    ) throws {
        self.conversion = conversion
        self.property = property
        className = map.name
        source = column.name
        switch CodecFactory.codec(for: conversion.sourceType) {
        case .success(let codec): self.codec = codec
        case .failure(let refusal):
            throw SchemaError.notStorable(
                className: map.name, property: property.name, type: TypeSpelling.of(conversion.sourceType),
                reason: "a conversion cannot read it from column \"\(column.name)\": \(refusal.reason)")
        }
    }

    /// The property that a conversion fills.
    static func property(of conversion: PropertyConversion, in map: ClassMap) throws -> Property {
        switch KeyPathProbe(map.properties, map.scratch).property(of: conversion.target) {
        case .success(let ordinal):
            let property = map.properties[ordinal]
            guard property.isCollection else { return property }
            throw SchemaError.unsupportedChange(
                className: map.name, property: property.name,
                reason: "a conversion cannot fill a collection. Nothing was changed. Convert the rows in a migration "
                    + "step: store.migrate")
        case .failure:
            if let ordinal = KeyPathResolver.embedded(conversion.target, in: map) {
                throw SchemaError.unsupportedChange(
                    className: map.name, property: map.embedded[ordinal].whole.name,
                    reason: "a conversion cannot fill an embedded value. Nothing was changed. Write conversions of its "
                        + "fields, or convert the rows in a migration step: store.migrate")
            }
            throw SchemaError.unknownProperty(
                className: map.name, property: "\(conversion.target)", place: "conversions")
        }
    }

    /// The text that identifies a conversion to a column in the steps of a plan and in the file's record of the steps.
    static func label(of column: String) -> String { "\"\(column)\" = what the class makes of" }

    func run(
        _ run: SchemaRun, to column: String, rows: SQL, in table: String
    ) throws {
        let source = run.columnNames.name(of: source, in: table)
        let update = try run.connection.prepare("UPDATE \(name: table) SET \(name: column) = ? WHERE \"id\" = ?")
        try run.forEachRow("\(name: source)", rows, in: table, for: property.name) { id, values in
            try update.execute([try value(values[0], of: id, run), .integer(id)])
        }
    }

    private func value(_ value: DatabaseValue, of id: Int64, _ run: SchemaRun) throws -> DatabaseValue {
        func failure(_ reason: String) -> SchemaError {
            .notConvertible(
                className: className, property: property.name, rowID: id, value: run.shown(value),
                type: property.typeName, reason: reason)
        }
        if value == .null, !codec.acceptsNull {
            guard property.codec.acceptsNull else {
                throw failure("the conversion does not accept nil. Give it an optional")
            }
            return .null
        }
        let old: Any?
        do throws(ValueFault) { old = try codec.boxed(value) } catch { throw failure(error.description) }
        let new: Any?
        do { new = try run.callUser { try conversion.convert(old) } } catch {
            throw failure("the conversion threw \(error)")
        }
        if let object = new as? PersistentObject, let id = object.id { return .integer(id) }
        guard let stored = try? property.codec.encodeArgument(new) else {
            throw failure("the conversion returned a value that the column cannot hold")
        }
        if stored == .null, !property.codec.acceptsNull { throw failure("the conversion returned nil") }
        return stored
    }
}
