/// What a statement is put together for, and from.
struct CriteriaKey: Hashable {
    let purpose: Purpose
    let text: String
    /// The condition of the class's default scope.
    let scope: [QueryExpression.Word]
    enum Purpose { case select, first, count }
}
