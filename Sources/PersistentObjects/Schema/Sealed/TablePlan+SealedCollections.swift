internal import StoreEngine

// Collections that become encrypted.
extension TablePlan {
    /// Moves the elements in the table of a collection to an encrypted column.
    func encryptCollection(_ found: FoundStorage, _ property: Property, _ sealing: PropertySealing) throws {
        guard let source = found.table, let shape = FoundCollection(source), !shape.isOfObjects,
            let collection = SealedCollection(property, in: map), let codec = property.codec.asCollection
        else {
            throw SchemaError.boundByEncryption(
                className: map.name, property: property.name,
                reason: "a collection of \(found.table == nil ? "values" : "objects") cannot become this property")
        }
        try refuseOwnConversion(to: property)
        try checkHistory(of: property, storedAs: source.name)
        let meaning = context.record.elementMeaning(of: property, storedAs: found.name, shape.value, in: map, dialect)
        let copy = try CollectionCopy(
            ChildTable(codec, of: property, in: map), of: property, in: map, into: source.name, value: meaning,
            key: shape.key.map {
                context.record.keyMeaning(of: property, storedAs: found.name, $0, in: map, dialect)
            }, isSecret: true)
        context.releaseTriggers(of: [source.name])
        table.isRebuilt = true
        let (name, owner, column) = (nameMeanwhile(of: source), map.table, property.column)
        let flag = found.column.map { TablePlan.setAsideName(of: $0.name) }
        let key = map.keySQL()
        let rows: SQL = map.isRoot ? "" : hierarchy.isOfClasses(with: property)
        let isThere: SQL = flag.map { "\(name: $0) IS NOT NULL" } ?? ""
        let summary = "encrypts table \"\(source.name)\" as column \"\(column)\""
        try change(summary, .collections, property, countsRows: true) { steps in
            steps.add(addition(try definition(of: property, nil)))
            steps.add("-- \"\(owner)\".\"\(column)\" = the elements in \"\(name)\", encrypted together") { run in
                let writer = try SealedWriter(run, sealing, owner, column, key: key)
                try collection.collect(copy, from: name, shape, run) { try writer.write($1, to: $0) }
                let isEmpty = SQL.and(["\(name: column) IS NULL", isThere, rows])
                let empty = DatabaseValue.blob(CollectionEncoding.bytes(of: [], .array))
                try run.forEachID(isEmpty, in: owner) { try writer.write(empty, to: $0) }
            }
            steps.dropTable(name)
            if let flag { steps.add("ALTER TABLE \(name: owner) DROP COLUMN \(name: flag)") }
        }
        addEncryptionNote(property)
    }

    static func setAsideName(of column: String) -> String { "po_former_" + column }

    func addEncryptionNote(_ property: Property) {
        context.plan.encryptsValues = true
        let places =
            context.connection.capabilities.contains(.upkeep)
            ? "Free pages of the file and its log contain them until the vacuum and the checkpoint after the change. "
                + "Earlier backups still contain them"
            : "Unused space of the server, its log and earlier backups still contain them. An administrator can rewrite "
                + "the table with VACUUM FULL"
        context.plan.notes.append(
            "\(map.name).\(property.name): The values are encrypted from now on. \(places). Replace the backups")
    }

    /// Throws if a conversion of the class fills an encrypted property.
    func refuseOwnConversion(to property: Property) throws {
        guard try ownConversion(to: property) != nil else { return }
        throw SchemaError.notStorable(
            className: map.name, property: property.name, type: property.typeName,
            reason: "class var conversions cannot fill an @Encrypted property. Convert the values with "
                + "store.migrate")
    }
}
