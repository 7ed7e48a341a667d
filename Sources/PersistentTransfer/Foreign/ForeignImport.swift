internal import Foundation
internal import PersistentObjects
internal import StoreEngine

extension Session {
    /// Converts the rows of some classes from another program's file, in one transaction.
    ///
    /// - Parameter open: Reads the schema of the file, after the tables of the classes were created.
    func importForeign(
        _ path: String, _ types: [PersistentObject.Type], _ meter: TransferMeter, _ report: ((TransferError) -> Void)?,
        _ open: (ForeignFile, [ClassSpace]) throws -> any ForeignModel
    ) throws -> TransferReport {
        guard !types.isEmpty else { throw TransferError("The import names no class. Name at least one") }
        let file = try ForeignFile(path)
        // A row that cannot be converted is reported and skipped, and the import continues.
        func decide(_ error: TransferError) -> ImportDecision {
            report?(error)
            return .skip
        }
        return try importing(types, .fitting, decide) { writer, ids in
            let model = try open(file, try types.map { try space(of: $0) })
            let conversion = ForeignConversion(self, file, model, writer, ids, report)
            try conversion.run(meter)
            try writer.finish()
            try BrokenLinks(self, types, ids).removeAll { conversion.leaveOut($0) }
            writer.record(unused: model.unusedColumns, unfilled: model.unfilledProperties)
            try meter.end(conversion.count)
        }
    }
}

/// Converts the rows of another program's file.
private final class ForeignConversion {
    private let session: Session
    private let file: ForeignFile
    private let model: any ForeignModel
    private let writer: ImportWriter
    private let ids: ImportedIDSpace
    private let report: ((TransferError) -> Void)?
    private let dates = ImportDates()
    private(set) var count: Int64 = 0

    init(
        _ session: Session, _ file: ForeignFile, _ model: any ForeignModel, _ writer: ImportWriter,
        _ ids: ImportedIDSpace, _ report: ((TransferError) -> Void)?
    ) {
        self.session = session
        self.file = file
        self.model = model
        self.writer = writer
        self.ids = ids
        self.report = report
    }

    func leaveOut(_ error: TransferError) {
        report?(error)
        writer.leaveOut(error)
    }

    func run(_ meter: TransferMeter) throws {
        var total: Int64 = 0
        for table in Set(model.sources.map(\.table) + model.strangers.map(\.table)) {
            if case .integer(let count)? = try file.rows("SELECT count(*) FROM \(name: table)").first?[0] {
                total += count
            }
        }
        meter.begin(total)
        for source in model.sources {
            try file.forEach(source.select, source.arguments) { row in
                try add(row, source)
                count += 1
                try meter.advance(to: count)
            }
        }
        for stranger in model.strangers {
            try file.forEach(stranger.ids, stranger.arguments) { row in
                try writer.refuse(TransferError(stranger.reason), origin(row, stranger.table))
                count += 1
                try meter.advance(to: count)
            }
        }
    }

    private func origin(_ row: [DatabaseValue], _ table: String) -> RowOrigin {
        if case .integer(let id) = row[0] { RowOrigin(table: table, rowID: id) } else { RowOrigin(table: table) }
    }

    private func add(_ row: [DatabaseValue], _ source: ForeignSource) throws {
        let origin = origin(row, source.table)
        do {
            guard case .integer(let id) = row[0] else { throw TransferError("The row's id is not an integer") }
            let map = source.space.map
            let object = try map.newObject()
            object.rowID = try ids.idOfRow(shifted(id, source.shift), source.space)
            var placeholders: [PersistentObject] = []
            var filled: [Int] = []
            for (ordinal, from) in source.ordinals {
                do {
                    if try fill(object, ordinal, from, row, source, &placeholders) { filled.append(ordinal) }
                } catch {
                    guard error.saysSomethingOfARow else { throw error }
                    leaveOut(
                        origin.locate(TransferError(error))
                            .at(className: map.name, property: map.properties[ordinal].name))
                }
            }
            map.giveKey(to: object)
            dates.stamp(object, map, except: filled, isNew: true)
            try writer.add(
                ImportedRow(
                    object: object, space: source.space, ordinals: filled, placeholders: placeholders, isUpdate: false,
                    origin: origin))
        } catch { try writer.refuse(error, origin) }
    }

    private func shifted(_ id: Int64, _ shift: Int64) throws -> Int64 {
        let (sum, overflow) = id.addingReportingOverflow(shift)
        if overflow { throw TransferError("The id \(id) is too large to be offset by the largest existing id") }
        return sum
    }

    /// Sets a property from a row; false if the row has no value for it.
    private func fill(
        _ object: PersistentObject, _ ordinal: Int, _ from: ForeignSource.Place, _ row: [DatabaseValue],
        _ source: ForeignSource, _ placeholders: inout [PersistentObject]
    ) throws -> Bool {
        let map = source.space.map
        let property = map.properties[ordinal]
        switch from {
        case .value(let column):
            guard row[column] != .null else { return try setNil(object, property) }
            try set(object, property, model.json(row[column], property, property.form, map))
        case .reference(let column):
            guard row[column] != .null, property.isReference, let type = property.linkedClass else { return false }
            let target = try placeholder(row[column], .null, property, type)
            placeholders.append(target)
            ObjectState(object).set(property, to: [target])
        case .children(let sql):
            let rows = try file.rows(sql, [row[0]])
            // If there are no rows, the collection is empty or nil, because the file does not distinguish the two.
            guard !rows.isEmpty, case .collection(let form) = property.form else { return false }
            if let type = property.linkedClass {
                try setLinks(object, property, to: type, form, rows, map, &placeholders)
            } else {
                try set(object, property, try collection(rows, property, form, map))
            }
        }
        return true
    }

    /// Sets a property to nil if it is optional; otherwise the property keeps its initial value.
    private func setNil(_ object: PersistentObject, _ property: Property) throws -> Bool {
        guard property.acceptsNull, !property.isKey else { return false }
        try set(object, property, .null)
        return true
    }

    private func set(_ object: PersistentObject, _ property: Property, _ json: JSONValue) throws {
        do { try ObjectState(object).set(property, json: json, ObjectState.findLink) } catch {
            throw TransferError(error, value: json)
        }
    }

    // MARK: Links

    /// An object with only the id of a row that exists or will be imported.
    private func placeholder(
        _ id: DatabaseValue, _ table: DatabaseValue, _ property: Property, _ type: PersistentObject.Type
    ) throws -> PersistentObject {
        let target = try model.target(id, table: table, property)
        guard try target.space.map.root == ClassMap.map(of: type).root else {
            throw TransferError("The value refers to \(target.space.map.name), but the property refers to \(type)")
        }
        let object = type.init()
        object.rowID = try ids.id(shifted(target.id, target.shift), target.space)
        return object
    }

    private func setLinks(
        _ object: PersistentObject, _ property: Property, to type: PersistentObject.Type, _ form: CollectionShape,
        _ rows: [[DatabaseValue]], _ map: ClassMap, _ placeholders: inout [PersistentObject]
    ) throws {
        var objects: [PersistentObject] = []
        var keys: [DatabaseValue] = []
        var seen: Set<Int64> = []
        for row in rows {
            let target = try placeholder(row[1], row[2], property, type)
            if form.style == .set, !seen.insert(target.rowID).inserted { continue }
            objects.append(target)
            if let key = form.key { keys.append(try key.stored(model.json(row[0], property, .value(key), map))) }
        }
        placeholders += objects
        ObjectState(object).set(property, to: objects, keys: keys)
    }

    private func collection(
        _ rows: [[DatabaseValue]], _ property: Property, _ form: CollectionShape, _ map: ClassMap
    ) throws -> JSONValue {
        var elements: [JSONValue] = []
        var members: [JSONValue.Member] = []
        for row in rows {
            guard row[1] == .null || row[3] != .null else {
                throw TransferError("An element is an object, but the property holds values")
            }
            let value =
                if row[3] != .null, let element = form.element {
                    try model.json(row[3], property, .value(element), map)
                } else { JSONValue.null }
            if let key = form.key {
                let name = key.name(ofKey: try model.json(row[0], property, .value(key), map))
                members.append(.init(name: name, value: value))
            } else if form.style == .array || !elements.contains(value) {
                elements.append(value)
            }
        }
        return form.style == .dictionary ? .object(members) : .list(elements)
    }
}
