internal import StoreEngine

/// Rows of a class, and of those below it, that go from one table to another, with all that refers to them: decided
/// once, before other plans look at the tables.
struct TableMove {
    let map: ClassMap
    /// As the file has it.
    let source: TableDescription
    /// As the file has it; nil where the move makes it.
    let found: TableDescription?
    /// What the target is called in the file, or will be called where the move makes it.
    let target: String
    /// Whether all rows go, and the source with them: not where the class leaves a hierarchy.
    let isWhole: Bool
    /// The names that rows of the classes that go have.
    let classNames: [String]
    /// Whether the source tells the classes of its rows.
    let sourceTellsClass: Bool
    /// What the column "class" of the target has where nothing is said; nil where the target has no such column.
    let classDefault: SQLLiteral?
    /// Whether the target has that column already.
    let targetTellsClass: Bool
    var columns: [Column] = []
    var references: [Reference] = []
    var collections: [Collection] = []
    /// References that stay where they are, and so must not lead to rows that go.
    var kept: [Kept] = []

    /// Where the values of a column of the target come from.
    struct Column: Sendable {
        /// Nil where the source has none.
        var source: String?
        let target: String
        /// What makes the column, where the target has none yet; and the table that it refers to.
        var new: (type: LogicalType, reference: String?)?
        /// Whether it refers to rows that go.
        var isToMoved = false
        var property: String?
        var conversion: RowConversion?
        /// What takes the place of NULL, and of what the source does not have.
        var initial: InitialValue?
        var refusesNull = false
        /// Why NULL is refused that the property takes; nil where it takes none.
        var refusal: String?
        /// Whether rows that come have something in it for a moment only: the plan of the column leaves it alone.
        var isPlaceholder = false
        /// Whether the key of a row is made, since the source has none.
        var isNewKey = false
    }

    /// A column of another row that refers to rows that go.
    struct Reference {
        let table: TableDescription
        let column: String
        let deletion: SQL.Deletion
        /// What the columns of the table refer to, folded.
        let foreignKeys: [String: String]
        let isCollection: Bool
    }

    /// The table of a collection whose owners go.
    struct Collection {
        let source: TableDescription
        let target: String
        let isNew: Bool
        /// The column with ids of objects that go.
        let movedValue: String?
        /// The table that the elements are in, with its name in the file; nil for values.
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

    /// Whether the rows of a class go with it.
    func includes(_ other: ClassMap) -> Bool {
        other.type == map.type || ([other.name] + other.type.formerNames).contains { classNames.contains($0) }
    }

    /// All tables that it touches, by their names in the file.
    var tables: [String] {
        [source.name, target] + references.map(\.table.name) + collections.flatMap { [$0.source.name, $0.target] }
    }
}

// What is searched.
extension TableMove {
    /// Fills indexes of words again whose rows have come or gone while no trigger told them. The plan of a class that
    /// is prepared now does it itself.
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
