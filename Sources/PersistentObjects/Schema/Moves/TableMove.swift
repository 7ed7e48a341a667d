internal import StoreEngine

/// The move of rows of a class and its subclasses from one table to another, with all references to the rows. It is
/// decided once, before other plans inspect the tables.
struct TableMove {
    let map: ClassMap
    /// The source in the file.
    let source: TableDescription
    /// The target in the file; nil if the move creates it.
    let found: TableDescription?
    /// The target's name in the file, or its future name if the move creates it.
    let target: String
    /// Whether all rows are moved and the source is dropped; false if the class leaves a hierarchy.
    let isWhole: Bool
    /// The class names in the moved rows.
    let classNames: [String]
    /// Whether the source stores the classes of its rows.
    let sourceStoresClass: Bool
    /// The default of the target's column "class"; nil if the target has no such column.
    let classDefault: SQLLiteral?
    /// Whether the target already has that column.
    let targetStoresClass: Bool
    var columns: [Column] = []
    var references: [Reference] = []
    var collections: [Collection] = []
    /// References that are kept, and so must not refer to moved rows.
    var kept: [Kept] = []
    /// The empty tables of former collections that have the names of moved columns.
    var emptied: [String] = []

    /// The source of a target column's values.
    struct Column: Sendable {
        /// The column of the source; nil if the source has no such column.
        var source: String?
        let target: String
        /// The definition of the column if the target does not have it yet, and the table it refers to.
        var new: (type: LogicalType, reference: String?)?
        /// Whether it refers to moved rows.
        var isToMoved = false
        var property: String?
        var conversion: RowConversion?
        /// The replacement for NULL, and for values missing from the source.
        var initial: InitialValue?
        var refusesNull = false
        /// The reason that NULL is refused although the property accepts nil; nil if the property does not.
        var refusal: String?
        /// Whether moved rows get only a temporary value, which the column's plan ignores.
        var isPlaceholder = false
        /// Whether the keys of the rows are generated, because the source has no keys.
        var isNewKey = false
    }

    /// A column of another table that refers to moved rows.
    struct Reference {
        let table: TableDescription
        let column: String
        let deletion: SQL.Deletion
        /// The tables that the table's columns refer to, folded.
        let foreignKeys: [String: String]
        let isCollection: Bool
    }

    /// The table of a collection whose owners are moved.
    struct Collection {
        let source: TableDescription
        let target: String
        let isNew: Bool
        /// The column with ids of moved objects.
        let movedValue: String?
        /// The table of the elements, with its name in the file; nil for values.
        let valueTable: String?
    }

    struct Kept: Sendable {
        let table: String
        let column: String
        let className: String
        let property: String
        /// The column with the id of the object that has the reference.
        let id: String
    }

    /// Whether the rows of a class are moved with it.
    func includes(_ other: ClassMap) -> Bool {
        other.type == map.type || ([other.name] + other.type.formerNames).contains { classNames.contains($0) }
    }

    /// All affected tables, by their names in the file.
    var tables: [String] {
        [source.name, target] + references.map(\.table.name) + collections.flatMap { [$0.source.name, $0.target] }
            + emptied
    }
}

// Search indexes.
extension TableMove {
    /// Refills the search indexes of tables whose rows were moved without triggers. If the table's class is being
    /// prepared, its own plan does this.
    func searchSteps(_ maps: [ClassMap], _ context: PlanContext) throws -> SchemaSteps {
        var steps = SchemaSteps()
        let search = context.dialect.search
        for table in [isWhole ? target : source.name] {
            let isPlanned = maps.contains {
                $0.isRoot && Naming.folded(context.table($0.table)?.foundName ?? "") == Naming.folded(table)
            }
            let name = SearchIndex.name(for: table)
            guard !isPlanned, let text = try context.inspector.definition(of: name), search.isDefinition(text, name)
            else { continue }
            steps.add(search.rebuilding(SearchIndex(of: table, columns: [])))
        }
        return steps
    }
}
