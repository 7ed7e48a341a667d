internal import StoreEngine

/// The one tree behind all finders: alternatives of comparisons, kept flat so that no length of it overflows a stack.
struct Condition: Hashable, Sendable {
    /// One property, or the id, compared with one argument.
    struct Comparison: Hashable, Sendable {
        let subject: Subject
        let operation: Operation
    }

    enum Subject: Hashable, Sendable {
        case id
        /// The place in `ClassMap.properties`.
        case property(Int)
    }

    enum Operation: Hashable, Sendable {
        case equal
    }

    /// Any of these; each is all of its comparisons. Arguments are bound in this order.
    let alternatives: [[Comparison]]

    var comparisons: [Comparison] { alternatives.flatMap { $0 } }

    /// Appends `WHERE …`.
    func append(to sql: inout SQL, _ map: ClassMap) {
        sql.append(" WHERE ")
        sql.append(alternatives, separator: " OR ") { sql, all in
            sql.append(all, separator: " AND ") { sql, comparison in
                switch comparison.subject {
                case .id: sql.append(column: "id", of: map.table)
                case .property(let place): sql.append(column: map.properties[place].column, of: map.table)
                }
                sql.append(operator: comparison, acceptsNull: comparison.acceptsNull(map))
            }
        }
    }
}

extension Condition.Comparison {
    fileprivate func acceptsNull(_ map: ClassMap) -> Bool {
        if case .property(let place) = subject { map.properties[place].codec.acceptsNull } else { false }
    }
}

extension SQL {
    fileprivate mutating func append(operator comparison: Condition.Comparison, acceptsNull: Bool) {
        switch comparison.operation {
        // `IS` finds nil too, as Swift's `==` does, and uses an index as `=` does.
        case .equal: append(acceptsNull ? " IS ?" : " = ?")
        }
    }
}
