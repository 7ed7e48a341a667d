internal import StoreEngine

/// A condition or expression of an index, in SQL that every program of the engine understands: column names without
/// their table, and values as literals.
struct IndexExpression {
    let sql: SQL
    /// The columns in the expression, in order.
    let columns: [String]

    /// A placeholder for the table while expressions are written. It is removed afterwards, because indexes do not
    /// allow a table name.
    private static let row = "po row of an index"

    init(_ condition: Condition, of map: ClassMap, _ dialect: Dialect) throws {
        let expression = condition.expression
        func refusal(_ reason: String) -> SchemaError { .notIndexable(className: map.name, reason: reason) }
        guard !expression.isEmpty else { throw refusal("its condition is empty") }
        if let problem = expression.problem { throw refusal("\(problem)") }
        var properties: [Property] = []
        for word in expression.words {
            if let property = try IndexExpression.property(of: word, in: map) { properties.append(property) }
        }
        guard !properties.isEmpty else { throw refusal("it names no property") }
        let classes = IndexDirectory(dialect)
        do {
            // The conversion of an argument to its column's form is known only after the expression is written once.
            let first = ExpressionWriter(map, classes, alias: IndexExpression.row)
            _ = try first.write(expression, keepsKeys: true)
            let literals = try expression.literals(after: first)
            guard !literals.contains(where: { $0.text.contains(IndexExpression.row) }) else {
                throw refusal("a value in it contains a reserved string")
            }
            let writer = ExpressionWriter(map, classes, alias: IndexExpression.row, literals: literals)
            let text = try writer.write(expression, keepsKeys: true).sql.text
            guard !text.contains("COLLATE po_"), !text.contains("po_scaled(") else {
                throw refusal(
                    "only this library can sort decimal numbers without a scale, so other programs could not "
                        + "write the table. Use @Column(scale:), which every program can sort")
            }
            let rowName: SQL = "\(name: IndexExpression.row)."
            sql = SQL(RawSQL(text.replacing(rowName.text, with: "")))
        } catch let error as QueryExpression.UnwritableArgument {
            throw refusal(error.reason)
        } catch let error as QueryError {
            throw refusal(error.reason)
        } catch let error as StoreError {
            throw refusal("\(error)")
        }
        columns = properties.map(\.column)
    }

    /// The property that a word of an expression names; nil if the word does not name a property.
    private static func property(of word: QueryExpression.Word, in map: ClassMap) throws -> Property? {
        func refusal(_ reason: String) -> SchemaError { .notIndexable(className: map.name, reason: reason) }
        switch word {
        case .argument: return nil
        case .column(_, let path):
            guard let first = path.steps.first, path.steps.count == 1, !isPath(first),
                case .property(let ordinal)? = try? first.subject(in: map)
            else {
                throw refusal(
                    "it may name only stored properties of \(map.name) itself. Ids, properties of other objects "
                        + "and parts of Codable values cannot be used in an index that other programs can write")
            }
            guard map.properties[ordinal].hasColumn, !(map.properties[ordinal].codec is CollectionCodec) else {
                throw refusal("\(map.properties[ordinal].name) is in another table")
            }
            guard map.properties[ordinal].sealing == nil else {
                throw refusal("\(map.properties[ordinal].name) is encrypted")
            }
            return map.properties[ordinal]
        case .operation(let operation):
            guard isPlain(operation) else {
                throw refusal(
                    "it may compare properties and calculate with numbers. Other operations need functions of "
                        + "this library, without which other programs could not write the table")
            }
            return nil
        case .enter, .enterQuery, .leaveQuery, .leaveFirst, .leave, .leaveAggregate:
            throw refusal("it queries other rows, but an index covers one row")
        }
    }

    private static func isPath(_ step: QueryPath.Step) -> Bool {
        if case .keyPath(let path) = step { KeyPathProbe.isPath(path) } else { false }
    }

    /// Whether every program of the engine supports the operation.
    private static func isPlain(_ operation: QueryOperation) -> Bool {
        switch operation {
        case .equal, .notEqual, .identical, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .hasPrefix,
            .isNil, .isNotNil, .isTrue, .and, .or, .not, .always, .never, .add, .subtract, .multiply, .divide,
            .remainder, .negate, .concatenate, .coalesce, .scaled:
            true
        default: false
        }
    }
}

/// The class that an index can refer to.
private final class IndexDirectory: ClassDirectory {
    let dialect: Dialect
    init(_ dialect: Dialect) { self.dialect = dialect }

    func map(of type: PersistentObject.Type) throws -> ClassMap { try ClassMap.map(of: type) }

    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL {
        throw QueryError.notExpressible("an index covers one row")
    }

    func names(of map: ClassMap) -> [String] { [map.name] }
}
