internal import StoreEngine

/// Reads one column of a statement's rows as values of a type, as properties of that type are read.
///
/// For few rows, such as groups have; many are read by `ValueColumns`.
struct ColumnReader<Value> {
    private let codec: PropertyCodec
    let place: Int

    /// - Parameter place: The column's place, from 0.
    init(_ place: Int) throws {
        codec = try ColumnReader.codec()
        self.place = place
    }

    /// How columns of the type are read.
    static func codec() throws -> PropertyCodec {
        guard let codec = QueryArguments.codec(for: Value.self), codec.valueType == Value.self else {
            throw QueryError.notExpressible(
                "a \(Value.self) is no value of one column; ask for the objects, or for their ids with ids()")
        }
        return codec
    }

    /// The value in the row that the statement stands on.
    func value(_ statement: Statement) throws(ColumnFault) -> Value {
        let column = statement.column(Int32(place))
        do throws(ValueFault) {
            return try Address.value(as: Value.self) { memory throws(ValueFault) in try codec.create(column, at: memory)
            }
        } catch { throw ColumnFault(fault: error, place: place) }
    }
}

/// Why a column of a statement could not be read.
struct ColumnFault: Error {
    let fault: ValueFault
    let place: Int
}
