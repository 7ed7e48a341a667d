internal import StoreEngine

/// The adaptation of triggers that mention moved tables and that the plan does not recreate. Most of them are triggers
/// of classes that the process has not prepared.
struct TriggerMove: Sendable {
    private let isWhole: Bool
    /// The table's name when triggers are restored.
    private let source: String
    private let target: String
    private let classNames: [String]
    /// The tables of collections that the move drops after it has moved their elements, folded.
    private let collections: [String]
    /// The empty tables of former collections that the move drops, folded.
    private let emptied: [String]
    /// The name prefixes of rules that follow the rows.
    private let rules: [String]

    init(_ move: TableMove, _ context: PlanContext) {
        isWhole = move.isWhole
        source = context.finalName(move.source.name)
        target = move.map.table
        classNames = move.classNames
        collections = move.isWhole ? move.collections.map { Naming.folded(context.finalName($0.source.name)) } : []
        emptied = move.emptied.map(Naming.folded)
        rules = move.references.filter { Naming.folded($0.table.name) != Naming.folded(move.source.name) }.map {
            reference in
            let table = context.finalName(reference.table.name)
            guard reference.isCollection, let owner = reference.foreignKeys[ChildTable.ownerColumn] else {
                return Naming.folded("\(table).\(reference.column).")
            }
            let name = context.finalName(owner)
            return Naming.folded("\(name).\(table.dropFirst(name.count + 1)).")
        }
    }

    /// The text of a restored trigger; nil if it is not restored, because the moved class creates its own.
    func text(of trigger: String, _ text: String) -> String? {
        let name = Naming.folded(trigger)
        let isOfSource = OwnTriggers.contains(trigger) && name.hasPrefix(Naming.folded(source) + ".")
        let isOfMoved = isOfSource && (isWhole || classNames.contains { trigger.hasSuffix(".\($0)") })
        if isOfMoved { return nil }
        // The triggers of the class's collections are dropped with their tables.
        let table = HistoryTriggers.table(ofTrigger: name) ?? CaptureTriggers.table(ofTrigger: name)
        if let table, (collections + emptied).contains(table) { return nil }
        // The rule of a reference acts on the referenced rows.
        guard isWhole || rules.contains(where: name.hasPrefix) else { return text }
        let (from, to): (SQL, SQL) = ("\(name: source)", "\(name: target)")
        return text.replacing(from.text, with: to.text)
    }
}
