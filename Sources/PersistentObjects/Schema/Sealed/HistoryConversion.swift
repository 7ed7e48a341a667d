internal import StoreEngine

/// Converts the values of a column in the history, when the column becomes encrypted, ceases to be, or is encrypted for
/// another class or property, and when its numbers get another meaning.
struct HistoryConversion: Sendable {
    private let property: Property
    private let map: ClassMap
    /// The class and property for which the values are encrypted; nil if they are not.
    private let source: String?
    /// Nil if the meaning of the values does not change.
    private let conversion: ValueConversion?

    /// Nil if the values in the history can remain unchanged.
    init?(_ property: Property, _ map: ClassMap, from known: SealedColumn? = nil, _ conversion: ValueConversion) {
        guard known?.context != property.sealing?.context || conversion.changesNumbers else { return nil }
        self.property = property
        self.map = map
        source = known?.context
        self.conversion = conversion.changesNumbers ? conversion : nil
    }

    private var isSealed: Bool { source != nil || property.sealing != nil }

    func add(to steps: inout SchemaSteps) {
        let work =
            !isSealed
            ? "converted"
            : property.sealing == nil
                ? "decrypted" : source == nil ? "encrypted" : "decrypted and encrypted again"
        steps.add("-- the values of \"\(map.table)\".\"\(property.column)\" in the history, each \(work)") { run in
            do { try self.run(run) } catch let error as StoreError {
                throw error.at(className: map.name, property: property.name)
            }
        }
    }

    private func run(_ run: SchemaRun) throws {
        let hasKeys = isSealed && map.keyOrdinal != nil
        let sealed = run.sealed
        guard var history = try SealedHistory(of: property.column, in: map.table, hasKeys: hasKeys, run.connection),
            !isSealed || sealed != nil
        else { return }
        _ = try history.rewrite(where: { "\($0) IS NOT NULL" }) { value, row, key in
            var plain = value
            if let source, let sealed {
                do throws(StoreError) { plain = try sealed.value(value, source, key: key, run.connection) } catch {
                    throw error.at(className: map.name, property: property.name, rowID: row)
                }
            }
            if let conversion { plain = conversion.recorded(plain) }
            guard let sealing = property.sealing, let sealed else { return plain }
            return try sealed.sealed(plain, sealing, key: key)
        }
    }
}

extension TablePlan {
    /// Throws if the history of a collection would contain values that are not encrypted, or lose its meaning.
    func checkHistory(of property: Property, storedAs name: String) throws {
        guard map.keepsHistory, try inspector.table(HistoryNames.elements) != nil else { return }
        let connection = context.connection
        let hasElements =
            try connection.prepare(
                "SELECT 1 FROM \(name: HistoryNames.elements) WHERE lower(\"table\") = ? LIMIT 1"
            ).rows([.text(Naming.folded(name))]).isEmpty == false
        let history = try SealedHistory(
            of: property.column, in: table.foundName, hasKeys: false, connection)
        guard try hasElements || history?.contains({ "\($0) IS NOT NULL" }) ?? false else { return }
        throw SchemaError.notStorable(
            className: map.name, property: property.name, type: property.typeName,
            reason: "the collection cannot become encrypted, or cease to be, while the history contains its elements. "
                + "Delete these entries first: try \(map.name).history.delete()")
    }
}
