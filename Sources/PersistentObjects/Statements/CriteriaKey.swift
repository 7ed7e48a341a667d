/// The purpose and the parts of a statement with criteria.
struct CriteriaKey: Hashable {
    let purpose: Purpose
    let text: String
    /// The condition of the class's default scope.
    let scope: [QueryExpression.Word]
    enum Purpose { case select, first, count }
}
