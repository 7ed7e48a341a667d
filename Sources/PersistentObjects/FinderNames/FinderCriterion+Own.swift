internal import StoreEngine

// Custom operators of the class.
extension FinderCriterion {
    /// The condition of the custom operator for a call's arguments.
    func ownCondition(_ arguments: [Any?]) throws -> QueryExpression {
        guard let own else { return QueryExpression(.operation(.never)) }
        do { return try own.condition(path, arguments) } catch let mismatch as FinderOperator.TypeMismatch {
            throw FinderError.wrongArgumentType(
                className: className, finder: finder, property: name, expected: mismatch.expected,
                given: mismatch.actual)
        } catch let error as StoreError {
            throw error.at(className: className, property: name)
        }
    }
}
