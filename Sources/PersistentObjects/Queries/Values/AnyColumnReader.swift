internal import StoreEngine

/// Reads one column of a statement's rows as values of a type that is known only at run time.
struct AnyColumnReader {
    private let codec: ColumnCodec
    private let ordinal: Int
    private let memory: ElementMemory

    /// - Parameters:
    /// - ordinal: The index of the column, from 0.
    /// - codec: The codec for columns of the type that belong to no property.
    init(_ ordinal: Int, _ codec: PropertyCodec) {
        (self.codec, self.ordinal, memory) = (ColumnCodec(codec), ordinal, ElementMemory(codec))
    }

    /// The value in the statement's current row.
    func value(_ row: ValueRow) throws(ColumnFault) -> Any {
        let codec = codec.codec(at: ordinal, of: row)
        do throws(ValueFault) { try codec.create(row.statement.column(Int32(ordinal)), at: memory.address) } catch {
            throw ColumnFault(fault: error, ordinal: ordinal)
        }
        defer { codec.destroy(memory.address) }
        return codec.value(memory.address) as Any
    }
}
