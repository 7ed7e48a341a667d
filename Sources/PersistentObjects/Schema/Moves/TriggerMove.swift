internal import StoreEngine

/// What a move makes of triggers that mention its tables and are not made again by the plan: those of classes that the
/// process has not prepared, mostly.
struct TriggerMove: Sendable {
    private let isWhole: Bool
    /// By the names that tables have when triggers come back.
    private let source: String
    private let target: String
    private let classNames: [String]
    /// The tables of collections that go with the rows, folded.
    private let collections: [String]
    /// What the names of rules begin with that follow the rows.
    private let rules: [String]

    init(_ move: TableMove, _ context: PlanContext) {
        isWhole = move.isWhole
        source = context.finalName(move.source.name)
        target = move.map.table
        classNames = move.classNames
        collections = move.collections.map { Naming.folded(context.finalName($0.source.name)) }
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

    /// The text of a trigger that comes back; nil where it does not, since the class that goes makes its own.
    func text(of trigger: String, _ text: String) -> String? {
        let name = Naming.folded(trigger)
        let isOfSource = OwnTriggers.contains(trigger) && name.hasPrefix(Naming.folded(source) + ".")
        let isOfMoved = isOfSource && (isWhole || classNames.contains { trigger.hasSuffix(".\($0)") })
        if isOfMoved { return nil }
        // With the tables of its collections their triggers go.
        if isWhole, HistoryTriggers.table(ofTrigger: name).map(collections.contains) ?? false { return nil }
        // The rule of a reference acts on what it refers to.
        guard isWhole || rules.contains(where: name.hasPrefix) else { return text }
        let (from, to): (SQL, SQL) = ("\(name: source)", "\(name: target)")
        return text.replacing(from.text, with: to.text)
    }
}
