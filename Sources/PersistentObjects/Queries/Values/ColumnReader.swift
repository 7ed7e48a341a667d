internal import StoreEngine

/// The current row of a statement that reads values.
struct ValueRow {
    let statement: Statement
    fileprivate let plan: QueryPlan
    fileprivate let resultKind: ValueResultKind

    init(_ statement: Statement, _ plan: QueryPlan, _ resultKind: ValueResultKind) {
        (self.statement, self.plan, self.resultKind) = (statement, plan, resultKind)
    }
}

/// Chooses the codec of a statement's column: that of its property, or that of its type if it belongs to no property.
final class ColumnCodec {
    /// The codec of the type.
    private let codec: PropertyCodec
    private var found: PropertyCodec?

    init(_ codec: PropertyCodec) { self.codec = codec }

    /// The codec for the rows of a statement. The codec of the first row is reused for all rows.
    func codec(at ordinal: Int, of row: ValueRow) -> PropertyCodec {
        if let found { return found }
        let made = row.plan.codec(ordinal, of: row.resultKind)?.adapted(to: codec.valueType) ?? codec
        found = made
        return made
    }
}

/// Reads one column of a statement's rows as values of a type.
///
/// It is meant for few rows, such as groups. Many rows are read by `ValueColumns`.
struct ColumnReader<Value> {
    private let codec: ColumnCodec
    let ordinal: Int

    /// - Parameter ordinal: The index of the column, from 0.
    init(_ ordinal: Int) throws {
        codec = ColumnCodec(try ColumnReader.codec())
        self.ordinal = ordinal
    }

    /// The codec for columns of the type that belong to no property.
    static func codec() throws -> PropertyCodec {
        guard let codec = QueryArguments.codec(for: Value.self), codec.valueType == Value.self else {
            throw QueryError.notExpressible(
                "\(TypeSpelling.of(Value.self)) is not the type of a single column. Fetch the objects, or their "
                    + "ids with ids()")
        }
        return codec
    }

    /// The value in the statement's current row.
    func value(_ row: ValueRow) throws(ColumnFault) -> Value {
        let column = row.statement.column(Int32(ordinal))
        let codec = codec.codec(at: ordinal, of: row)
        do throws(ValueFault) {
            return try Address.value(as: Value.self) { memory throws(ValueFault) in try codec.create(column, at: memory)
            }
        } catch { throw ColumnFault(fault: error, ordinal: ordinal) }
    }
}

/// The reason why a column of a statement could not be read.
struct ColumnFault: Error {
    let fault: ValueFault
    let ordinal: Int
}
