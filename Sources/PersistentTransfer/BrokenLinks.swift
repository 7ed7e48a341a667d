internal import PersistentObjects
internal import StoreEngine

/// Dangling references of imported rows.
struct BrokenLinks {
    /// A column with references, and the class that they refer to.
    private struct Link {
        let space: ClassSpace
        let property: Property
        let table: String
        let column: String
        /// The column with the id of the referring object.
        let owner: String
        let target: ClassMap
    }

    private let session: Session
    private let ids: ImportedIDSpace
    private let links: [Link]

    init(_ session: Session, _ types: [PersistentObject.Type], _ ids: ImportedIDSpace) throws {
        self.ids = ids
        var links: [Link] = []
        for type in types {
            let space = try session.space(of: type)
            for map in space.family {
                for property in map.properties where !property.isInverse {
                    guard let linked = property.linkedClass else { continue }
                    let target = try session.space(of: linked).map
                    let child = ChildTable(property, of: map)
                    let made = Link(
                        space: space, property: property, table: child?.name ?? map.table,
                        column: child?.valueColumn ?? property.column,
                        owner: child == nil ? "id" : ChildTable.ownerColumn, target: target)
                    if !links.contains(where: { $0.table == made.table && $0.column == made.column }) {
                        links.append(made)
                    }
                }
            }
        }
        self.session = session
        self.links = links
    }

    /// Throws if any reference dangles.
    func check() throws {
        guard session.connection.hasBrokenForeignKeys else { return }
        for link in links {
            if let found = try found(link, onlyFirst: true).first { throw error(link, found) }
        }
        throw StoreError(.brokenReference, "A reference points to a row that does not exist")
    }

    /// Removes all dangling references, and reports each.
    func removeAll(_ report: (TransferError) -> Void) throws {
        guard session.connection.hasBrokenForeignKeys else { return }
        for link in links {
            for found in try found(link, onlyFirst: false) {
                report(error(link, found))
                try session.write { try remove(link, found) }
            }
        }
    }

    private typealias Found = (owner: Int64, target: Int64)

    private func error(_ link: Link, _ found: Found) -> TransferError {
        let target = ids.fileID(found.target, link.target)
        var error = TransferError(
            "The object refers to \(link.target.name) #\(target), which is neither in the file nor in the store",
            className: link.space.map.name, property: link.property.name)
        error.rowID = ids.fileID(found.owner, link.space.map)
        error.underlying = StoreError(.brokenReference, "A reference points to a row that does not exist")
        return error
    }

    private func found(_ link: Link, onlyFirst: Bool) throws -> [Found] {
        let value: SQL = "\(column: link.column, of: link.table)"
        let rows = try link.owner == "id" ? link.space.map.rows(as: link.table, session.dialect) : "\(name: link.table)"
        let limit: SQL = onlyFirst ? " LIMIT 1" : ""
        let statement = try session.connection.statement(
            """
            SELECT \(column: link.owner, of: link.table), \(value) FROM \(rows) WHERE \(value) IS NOT NULL \
            AND NOT EXISTS (SELECT 1 FROM \(try link.target.rows(as: "linked row", session.dialect)) \
            WHERE "linked row"."id" = \(value))\(limit)
            """)
        defer { statement.finish() }
        statement.beginBinding()
        var found: [Found] = []
        while try statement.step() { found.append((statement.integer(0), statement.integer(1))) }
        return found
    }

    private func remove(_ link: Link, _ found: Found) throws {
        let isIn: SQL = "\(name: link.owner) = ? AND \(name: link.column) = ?"
        let sql: SQL =
            link.owner == "id"
            ? "UPDATE \(name: link.table) SET \(name: link.column) = NULL WHERE \(isIn)"
            : "DELETE FROM \(name: link.table) WHERE \(isIn)"
        let statement = try session.connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do {
            try statement.bind(found.owner, at: 1)
            try statement.bind(found.target, at: 2)
            try statement.run()
        } catch {
            guard error.saysSomethingOfARow else { throw link.space.located(error) }
            // The import is rolled back with the row, so the error names the id in the file, which can be looked up.
            throw TransferError(link.space.located(error)).at(
                rowID: ids.fileID(found.owner, link.space.map), className: link.space.map.name,
                property: link.property.name)
        }
    }
}
