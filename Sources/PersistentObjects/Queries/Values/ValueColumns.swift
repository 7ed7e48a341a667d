internal import StoreEngine

/// The columns of a statement whose values make up a row, each read as the property is that it comes from, or else as
/// properties of its type are.
///
/// A loop over rows must not be generic over their types: not being specialised
/// for them it would look up their metadata for each row, which took two thirds
/// of the time. So what is to be done for a column is found once, and the loop
/// writes into memory that is laid out as the rows are (`TupleRows`).
struct ValueColumns {
    private var codecs: [PropertyCodec] = []
    private var plans: [FieldPlan] = []
    private(set) var layout = TupleLayout()

    init() {}

    /// One column.
    init<Value>(of type: Value.Type) throws { try append(type) }

    /// Adds the next column.
    ///
    /// - Throws: `QueryError` where no column can hold the type.
    mutating func append<Value>(_ type: Value.Type) throws {
        let codec = try ColumnReader<Value>.codec()
        codecs.append(codec)
        plans.append(FieldPlan(codec, at: layout.append(codec.facts)))
    }

    /// The same for the rows of an ending.
    func reading(_ plan: QueryPlan, _ ending: ValueEnding) -> ValueColumns {
        var result = self
        for (place, codec) in codecs.enumerated() {
            guard let own = plan.codec(place, of: ending)?.adapted(to: codec.valueType) else { continue }
            result.codecs[place] = own
            result.plans[place] = FieldPlan(own, at: plans[place].offset)
        }
        return result
    }

    /// Adds a row for each that a statement has, and calls `body` on it.
    func readRows(
        of statement: Statement, into rows: RowMemory, _ body: (Statement) -> Void
    ) throws {
        let fields = FixedBuffer(plans)
        defer { fields.deallocate() }
        try withExtendedLifetime(codecs) {
            while try statement.step() {
                let memory = rows.next()
                var place: Int32 = 0
                do throws(ValueFault) { try FieldPlan.create(fields, statement, at: memory, &place) } catch {
                    for made in fields[..<Int(place)] { made.codec.destroy(memory + made.offset) }
                    throw ColumnFault(fault: error, place: Int(place))
                }
                rows.keep()
                body(statement)
            }
        }
    }
}
