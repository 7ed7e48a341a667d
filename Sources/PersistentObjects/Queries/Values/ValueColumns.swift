internal import StoreEngine

/// The columns of a statement whose values make up a row. Each is read by the codec of its property, or of its type if
/// it belongs to no property.
///
/// A loop over rows must not be generic over their types: if it is not specialized, it looks up type metadata for each
/// row, which took two thirds of the time. The work for each column is therefore determined once, and the loop writes
/// into memory with the layout of the rows (`TupleRows`).
struct ValueColumns {
    private var codecs: [PropertyCodec] = []
    private var plans: [FieldPlan] = []
    private(set) var layout = TupleLayout()

    init() {}

    /// Creates the columns of a row with a single value.
    init<Value>(of type: Value.Type) throws { try append(type) }

    /// Adds the next column.
    ///
    /// - Throws: `QueryError` if no column can store the type.
    mutating func append<Value>(_ type: Value.Type) throws {
        let codec = try ColumnReader<Value>.codec()
        codecs.append(codec)
        plans.append(FieldPlan(codec, at: layout.append(codec.facts)))
    }

    /// The columns with the codecs for the rows of a terminal method.
    func reading(_ plan: QueryPlan, _ resultKind: ValueResultKind) -> ValueColumns {
        var result = self
        for (ordinal, codec) in codecs.enumerated() {
            guard let own = plan.codec(ordinal, of: resultKind)?.adapted(to: codec.valueType) else { continue }
            result.codecs[ordinal] = own
            result.plans[ordinal] = FieldPlan(own, at: plans[ordinal].offset)
        }
        return result
    }

    /// Adds a row for each row of a statement, and calls `body` after each.
    func readRows(
        of statement: Statement, into rows: RowMemory, _ body: (Statement) -> Void
    ) throws {
        let fields = FixedBuffer(plans)
        defer { fields.deallocate() }
        try withExtendedLifetime(codecs) {
            while try statement.step() {
                let memory = rows.next()
                var ordinal: Int32 = 0
                do throws(ValueFault) { try FieldPlan.create(fields, statement, at: memory, &ordinal) } catch {
                    for made in fields[..<Int(ordinal)] { made.codec.destroy(memory + made.offset) }
                    throw ColumnFault(fault: error, ordinal: Int(ordinal))
                }
                rows.keep()
                body(statement)
            }
        }
    }
}
