internal import StoreEngine

/// The work of one save: all objects that it reaches, and its plan.
struct SaveWork {
    private let roots: [PersistentObject]
    let walk: GraphWalk
    private(set) var plan: SavePlan

    /// Finds the changes of objects to save and of all objects that they reach; `finish()` must follow.
    init(_ roots: [PersistentObject], _ options: SaveOptions, _ session: SessionParts, _ sides: OtherSides) throws {
        self.roots = roots
        plan = SavePlan(options)
        walk = GraphWalk(session, options, sides)
        if options.ignored.isEmpty {
            for object in roots where try !plan.addAlone(object, session) { try walk.addRoot(object) }
        } else {
            for object in roots { try walk.addRoot(object) }
        }
        try walk.run()
    }

    /// Plans the reached objects.
    mutating func finish(_ session: SessionParts) throws {
        for object in walk.objects { try plan.add(object, session) }
        plan.leaving = walk.leaving
        plan.order()
    }
}
