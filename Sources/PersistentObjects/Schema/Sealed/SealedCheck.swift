// Sealed: the plans for encrypted columns, and the changes that they refuse. It knows the file's record of encrypted
// columns, and must not know keys.

internal import StoreEngine

/// Refuses the changes of classes that would lose encrypted values, before anything is changed. A value can be decrypted
/// only for its class, its property and the key of its object.
struct SealedCheck {
    private let maps: [ClassMap]
    private let context: PlanContext

    init(_ maps: [ClassMap], _ context: PlanContext) {
        self.maps = maps
        self.context = context
    }

    func check() throws {
        guard !context.sealed.all.isEmpty || maps.contains(where: { !$0.sealedOrdinals.isEmpty }) else { return }
        try checkMoves()
        for map in maps { try checkSharing(map) }
        for map in maps {
            guard let table = context.table(map.table) else { continue }
            let columns = context.sealed.columns(of: table.foundName)
            guard !columns.isEmpty else { continue }
            try checkIdentity(map, columns)
            for column in columns { try check(column, map, table) }
        }
    }

    private func checkMoves() throws {
        for move in context.moves {
            let sealed = context.sealed.columns(of: move.source.name) + context.sealed.columns(of: move.target)
            let declared = move.map.sealedOrdinals.first.map { move.map.properties[$0].name }
            guard let property = sealed.first?.property ?? declared else { continue }
            throw refusal(
                move.map, property,
                "its class cannot move from table \"\(move.source.name)\" to table \"\(move.target)\"")
        }
    }

    /// Classes that share a column must encrypt its values for the same class and property.
    private func checkSharing(_ map: ClassMap) throws {
        for ordinal in map.sealedOrdinals {
            let property = map.properties[ordinal]
            for other in context.relatives(of: map) {
                guard
                    let same = other.properties.first(where: {
                        $0.hasColumn && Naming.folded($0.column) == Naming.folded(property.column)
                    }), same.sealing != property.sealing
                else { continue }
                throw refusal(
                    map, property.name,
                    "\(other.name).\(same.name) cannot use the same column \"\(property.column)\". Give one of them "
                        + "another column with @Column(\"…\")")
            }
            // All classes below a class share the columns that they inherit from it.
            guard map.isRoot || ClassLineage.declarer(of: property, in: map) == map.type else { continue }
            if let other = context.record.sibling(of: map, having: property.column, known: context.known) {
                throw refusal(map, property.name, "it cannot share column \"\(property.column)\" with class \(other)")
            }
        }
    }

    private func checkIdentity(_ map: ClassMap, _ columns: [SealedColumn]) throws {
        let identity = "\(map.type.identity)"
        guard let column = columns.first(where: { $0.identity != identity }) else { return }
        throw refusal(
            map, column.property, "the identity of the class cannot change from .\(column.identity) to .\(identity)")
    }

    private func check(_ column: SealedColumn, _ map: ClassMap, _ table: PlannedTable) throws {
        for conversion in map.type.conversions where Naming.folded(conversion.source) == column.column {
            throw refusal(map, column.property, "class var conversions cannot read column \"\(column.column)\"")
        }
        if context.embeddedColumns(of: map, table).contains(column.column) {
            throw refusal(map, column.property, "column \"\(column.column)\" cannot become part of an embedded value")
        }
        let matches = try context.matches(of: map, in: table)
        let claimed = map.properties.first {
            matches.column(of: $0).map { Naming.folded($0.name) } == column.column
        }
        guard let property = claimed else { return }
        guard !property.isLink, property.part == nil else {
            throw refusal(map, property.name, "it cannot become a reference or an embedded value")
        }
        guard column.isCollection == (property.codec.asCollection != nil) else {
            throw refusal(
                map, property.name,
                column.isCollection ? "a collection cannot become a single value" : "it cannot become a collection")
        }
        let declarer = ClassLineage.declarer(of: property, in: map)
        let level = ClassLineage.classes(above: map.type)[property.level]
        let owners =
            [String(describing: declarer), String(describing: level)] + declarer.formerNames + level.formerNames
        guard owners.contains(column.owner) else {
            throw refusal(
                map, property.name,
                "it cannot move from class \(column.owner) to class \(owners[0]). If \(column.owner) is the former name "
                    + "of \(owners[0]), add it to class var formerNames")
        }
    }

    private func refusal(_ map: ClassMap, _ property: String, _ reason: String) -> SchemaError {
        .boundByEncryption(className: map.name, property: property, reason: reason)
    }
}
