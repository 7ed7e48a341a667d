internal import StoreEngine

/// Rows of a class that has become a subclass, or is none any more: they go to the table that it has now, and what
/// refers to them follows.
struct MovePlan {
    private let map: ClassMap
    private let context: PlanContext

    init(_ map: ClassMap, _ context: PlanContext) throws {
        self.map = map
        self.context = context
    }

    func add() throws {}
}
