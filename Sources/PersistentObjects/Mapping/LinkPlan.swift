/// Which properties of a class hold objects, and which are in boxes; by their places.
struct LinkPlan: Sendable {
    /// References, lazy ones too.
    let references: [Int]
    /// Collections, of scalars too, that are loaded with their object.
    let eagerCollections: [Int]
    /// All collections.
    let collections: [Int]
    let inverses: [Int]
    /// Properties with boxes: lazy ones and inverses.
    let boxes: [Int]
    let hasWeakReferences: Bool
    /// Whatever holds objects: references, collections of them, inverses.
    let targets: [Int]
    /// Collections of objects that are deleted when they leave.
    let owningCollections: [Int]
    /// All of these.
    let all: ColumnSet
    /// Whether fetched rows want nothing after they have been read. (Stored: it is asked for each object.)
    let isEmpty: Bool

    init(_ properties: [Property]) {
        func places(_ isWanted: (Property) -> Bool) -> [Int] { properties.indices.filter { isWanted(properties[$0]) } }
        references = places { if case .reference = $0.shape { true } else { false } }
        collections = places { if case .collection = $0.shape { true } else { false } }
        eagerCollections = collections.filter { properties[$0].boxOffset == nil }
        inverses = places { if case .inverse = $0.shape { true } else { false } }
        boxes = places { $0.boxOffset != nil }
        hasWeakReferences = properties.contains { ($0.codec as? ReferenceCodec)?.isWeak ?? false }
        targets = places { $0.isLink }
        owningCollections = collections.filter { properties[$0].isLink && properties[$0].deleteRule == .cascade }
        var all = ColumnSet()
        for place in references + collections + inverses + boxes { all.insert(place) }
        self.all = all
        isEmpty = references.isEmpty && collections.isEmpty && boxes.isEmpty
    }
}
