internal import PersistentObjects

/// Converts the objects in a JSON file to rows.
final class ImportedObjects {
    private let session: Session
    private let ids: ImportedIDSpace
    private let types: [PersistentObject.Type]
    private let dates = ImportDates()
    private var spaces: [String: ClassSpace] = [:]
    /// The form of encrypted values in the following lines.
    private var values = ExportedValues.plain

    init(_ session: Session, _ ids: ImportedIDSpace, _ types: [PersistentObject.Type]) {
        self.session = session
        self.ids = ids
        self.types = types
    }

    /// The row for a record; nil for the line that specifies the form of encrypted values.
    func row(_ record: RecordReader.Record) throws -> ImportedRow? {
        let json: JSONValue
        do throws(JSONReader.Fault) { json = try JSONReader.value(of: record.bytes) } catch {
            throw TransferError("This is not valid JSON: \(error.message) (byte \(error.offset) of the object)")
        }
        guard case .object = json else { throw TransferError("Expected an object, not \(json.kind)").with(json) }
        if let form = try SealedJSON.form(json) {
            values = form
            return nil
        }
        let space = try self.space(json.member(JSONNames.className))
        let fileID = try self.fileID(json, space)
        let origin = RowOrigin(line: record.line, rowID: fileID)
        let object = try space.map.newObject()
        // The row gets its id before the rows that it refers to, because new ids follow the order of the file.
        let isUpdate = try giveID(object, fileID, json, space)
        do {
            var placeholders: [PersistentObject] = []
            let json = values == .sealed ? try SealedJSON.opened(json, object, space) : json
            let ordinals = try ObjectState(object).set(json: json) { type, name in
                let placeholder = try self.placeholder(type, name, origin)
                placeholders.append(placeholder)
                return placeholder
            }
            dates.stamp(object, space.map, except: ordinals, isNew: !isUpdate)
            return ImportedRow(
                object: object, space: space, ordinals: ordinals, placeholders: placeholders, isUpdate: isUpdate,
                origin: origin)
        } catch {
            ids.didFail(object.rowID)
            throw error
        }
    }

    private func fileID(_ json: JSONValue, _ space: ClassSpace) throws -> Int64? {
        guard let value = json.member(JSONNames.id), value != .null else { return nil }
        guard case .number(let text) = value, let id = Int64(text) else {
            throw TransferError("Expected an integer as the id", className: space.map.name, property: "id").with(value)
        }
        return id
    }

    /// Sets the id of an object; true if its row exists already.
    private func giveID(
        _ object: PersistentObject, _ fileID: Int64?, _ json: JSONValue, _ space: ClassSpace
    ) throws -> Bool {
        guard let ordinal = space.map.keyOrdinal else {
            object.rowID = try ids.idOfRow(fileID, space)
            return false
        }
        let property = space.map.properties[ordinal]
        if let key = json.member(property.name) {
            do { try ObjectState(object).set(property, json: key, ObjectState.findLink) } catch {
                throw TransferError(error, value: key).at(className: space.map.name, property: property.name)
            }
        }
        let found = try ids.id(key: try ObjectState(object).ownKey(space.map), space)
        object.rowID = found.id
        return found.isThere
    }

    /// An object with only the id of a row that exists or will be imported.
    private func placeholder(
        _ type: PersistentObject.Type, _ name: LinkName, _ origin: RowOrigin
    ) throws -> PersistentObject {
        let space = try session.space(of: type)
        let object = type.init()
        switch name {
        case .id(let id): object.rowID = try ids.id(id, space)
        case .key(let key): object.rowID = try ids.reference(key: key, space, origin)
        }
        return object
    }

    // MARK: Classes

    private func space(_ name: JSONValue?) throws -> ClassSpace {
        guard let name else {
            guard types.count == 1 else {
                throw TransferError(
                    "The object does not name its class. In a file with several classes, each object names its "
                        + "class in \"\(JSONNames.className)\"")
            }
            return try session.space(of: types[0])
        }
        guard case .text(let text) = name else {
            throw TransferError("Expected a string as the name of a class", property: JSONNames.className).with(name)
        }
        if let known = spaces[text] { return known }
        let found =
            types.first { String(describing: $0) == text }
            ?? types.lazy.compactMap { ClassResolver.subclass(named: text, of: $0) }.first
            ?? types.lazy.compactMap { self.session.usedSubclass(named: text, of: $0) }.first
        guard let found else {
            let names = types.map { String(describing: $0) }.joined(separator: ", ")
            throw TransferError(
                "The object's class must be named in the import, because it is neither \(names) nor a known subclass"
            ).with(name)
        }
        let space = try session.space(of: found)
        spaces[text] = space
        return space
    }
}
