internal import StoreEngine

// Custom operators of the class.
extension FinderCriterion {
    /// The condition of the custom operator for a call's arguments.
    func ownCondition(_ arguments: [Any?]) throws -> QueryExpression {
        guard let own else { return QueryExpression(.operation(.never)) }
        do { return try own.condition(path, arguments) } catch let misfit as FinderOperator.Misfit {
            throw FinderError.wrongArgumentType(
                className: className, finder: finder, property: name, expected: misfit.expected, given: misfit.given)
        } catch let error as StoreError {
            throw error.at(className: className, property: name)
        }
    }
}
