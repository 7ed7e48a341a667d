internal import StoreEngine

/// The part of a query's condition that can be evaluated in memory for the values of one row.
///
/// It can prove that the query does not find a row. It follows SQLite's rules for the values that columns of the
/// library's tables store: a comparison with NULL is unknown, which conditions treat as false, strings are compared by
/// their bytes, and integers and reals by their values. Every other part of a condition is left undecided.
struct RowCondition: Sendable {
    private indirect enum Node: Sendable {
        case undecided
        case constant(Bool)
        case compare(Int, QueryOperation, DatabaseValue)
        case isNil(Int, Bool)
        case isTrue(Int)
        case isIn(Int, [DatabaseValue])
        case both(Node, Node)
        case either(Node, Node)
        case not(Node)
    }

    private let root: Node
    /// The columns that it uses, in lowercase, in the order of `places`.
    let columns: [String]

    /// Longer conditions are not evaluated in memory, because the evaluation is recursive.
    private static let longest = 200

    /// Nil if it could never prove anything.
    ///
    /// - Parameters:
    ///   - expression: A condition that uses only columns of the row itself.
    ///   - forms: The forms of the arguments, as in `QueryPlan.keys`.
    init?(_ expression: QueryExpression, _ forms: [Int: ComparedForm], _ map: ClassMap) {
        let words = expression.words
        guard words.count <= RowCondition.longest else { return nil }
        var reader = Reader(map: map, arguments: expression.arguments, forms: forms)
        for word in words { guard reader.read(word) else { return nil } }
        guard let node = reader.result, RowCondition.canBeFalse(node) else { return nil }
        root = node
        columns = reader.columns
    }

    /// Whether the query certainly does not find a row.
    ///
    /// - Parameter places: The places of `columns` in the values.
    func excludes(_ values: [DatabaseValue], _ places: [Int]) -> Bool {
        RowCondition.evaluate(root, values, places) == false
    }

    private static func canBeFalse(_ node: Node) -> Bool {
        switch node {
        case .undecided: false
        case .constant(let isTrue): !isTrue
        case .compare, .isNil, .isTrue, .isIn: true
        case .both(let first, let second): canBeFalse(first) || canBeFalse(second)
        case .either(let first, let second): canBeFalse(first) && canBeFalse(second)
        case .not: true
        }
    }

    /// Whether a condition holds; nil if it is undecided.
    private static func evaluate(_ node: Node, _ values: [DatabaseValue], _ places: [Int]) -> Bool? {
        // A commit may have read fewer columns, if the listener joined meanwhile.
        func value(_ column: Int) -> DatabaseValue? {
            places[column] < values.count ? values[places[column]] : nil
        }
        switch node {
        case .undecided: return nil
        case .constant(let isTrue): return isTrue
        case .compare(let column, let operation, let other):
            guard let value = value(column) else { return nil }
            return compare(value, operation, other)
        case .isNil(let column, let isNil): return value(column).map { ($0 == .null) == isNil }
        case .isTrue(let column):
            switch value(column) {
            case .null?: return false
            case .integer(let number)?: return number != 0
            default: return nil
            }
        case .isIn(let column, let list):
            guard let value = value(column) else { return nil }
            return isIn(value, list)
        case .both(let first, let second):
            let one = evaluate(first, values, places)
            if one == false { return false }
            let other = evaluate(second, values, places)
            return other == false ? false : one == nil ? nil : other
        case .either(let first, let second):
            let one = evaluate(first, values, places)
            if one == true { return true }
            let other = evaluate(second, values, places)
            return other == true ? true : one == nil ? nil : other
        case .not(let condition): return evaluate(condition, values, places).map { !$0 }
        }
    }

    private static func compare(
        _ value: DatabaseValue, _ operation: QueryOperation, _ other: DatabaseValue
    ) -> Bool? {
        if value == .null { return operation == .notEqual }
        guard let order = order(value, other) else { return nil }
        return switch operation {
        case .equal, .identical: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        default: nil
        }
    }

    private static func isIn(_ value: DatabaseValue, _ list: [DatabaseValue]) -> Bool? {
        if value == .null { return false }
        var isDecided = true
        for element in list {
            guard let order = order(value, element) else {
                isDecided = false
                continue
            }
            if order == 0 { return true }
        }
        return isDecided ? false : nil
    }

    /// The order of two values: negative, 0 or positive; nil if SQLite might convert one of them.
    private static func order(_ a: DatabaseValue, _ b: DatabaseValue) -> Int? {
        func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }
        func real(_ number: Int64) -> Double? {
            // Larger integers may have no equal Double.
            number.magnitude <= 1 << 53 ? Double(number) : nil
        }
        switch (a, b) {
        case (.integer(let a), .integer(let b)): return order(a, b)
        case (.real(let a), .real(let b)): return order(a, b)
        case (.integer(let a), .real(let b)): return real(a).map { order($0, b) }
        case (.real(let a), .integer(let b)): return real(b).map { order(a, $0) }
        case (.text(let a), .text(let b)):
            if a.hasSameUTF8(as: b) { return 0 }
            return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
        case (.blob(let a), .blob(let b)): return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        default: return nil
        }
    }
}

// The words of a condition, in postfix order.
extension RowCondition {
    private struct Reader {
        private enum Operand {
            case column(Int)
            case value(DatabaseValue, place: Int)
            case condition(Node)
            case undecided
        }

        let map: ClassMap
        let arguments: [QueryExpression.Argument]
        let forms: [Int: ComparedForm]
        var columns: [String] = []
        private var stack: [Operand] = []
        private var argumentCount = 0

        init(map: ClassMap, arguments: [QueryExpression.Argument], forms: [Int: ComparedForm]) {
            (self.map, self.arguments, self.forms) = (map, arguments, forms)
        }

        var result: Node? { stack.count == 1 ? RowCondition.Reader.condition(stack[0]) : nil }

        private static func condition(_ operand: Operand) -> Node {
            if case .condition(let node) = operand { node } else { .undecided }
        }

        /// Reads the next word; false if the condition uses more than the row itself.
        mutating func read(_ word: QueryExpression.Word) -> Bool {
            switch word {
            case .column(scope: 0, let path): stack.append(column(path).map { .column($0) } ?? .undecided)
            case .argument:
                guard argumentCount < arguments.count else { return false }
                stack.append(argument(argumentCount))
                argumentCount += 1
            case .operation(let operation):
                guard stack.count >= operation.operandCount else { return false }
                let operands = Array(stack.suffix(operation.operandCount))
                stack.removeLast(operands.count)
                stack.append(apply(operation, operands))
            default: return false
            }
            return true
        }

        /// The number of a path's column; nil if its values are not compared as they are stored.
        private mutating func column(_ path: QueryPath) -> Int? {
            guard path.steps.count == 1, path.steps[0].presenceOrdinal(in: map) == nil,
                let subject = try? path.steps[0].subject(in: map)
            else { return nil }
            var name = "id"
            if case .property(let ordinal) = subject {
                let property = map.properties[ordinal]
                switch property.shape {
                case .scalar: break
                case .reference:
                    // A reference that is stored as a key is compared through the other table.
                    guard let codec = property.codec as? ReferenceCodec, codec.target.primaryKey.isEmpty else {
                        return nil
                    }
                case .collection, .inverse: return nil
                }
                let codec = property.codec
                guard property.sealing == nil, !codec.isKey, !codec.isDecimal, !codec.isScaled,
                    codec.logicalType != .any,
                    !property.isReadOnly, property.columns.count == 1
                else { return nil }
                name = Naming.folded(property.column)
            }
            if let place = columns.firstIndex(of: name) { return place }
            columns.append(name)
            return columns.count - 1
        }

        private func argument(_ place: Int) -> Operand {
            guard case .value(let value) = arguments[place],
                let stored = try? forms[place].map({ try $0.stored(value) }) ?? value, stored != .null
            else { return .undecided }
            return .value(stored, place: place)
        }

        private func apply(_ operation: QueryOperation, _ operands: [Operand]) -> Operand {
            switch (operation, operands.first, operands.dropFirst().first, operands.dropFirst(2).first) {
            case (.always, _, _, _): .condition(.constant(true))
            case (.never, _, _, _): .condition(.constant(false))
            case (.and, let first?, let second?, _):
                .condition(.both(Reader.condition(first), Reader.condition(second)))
            case (.or, let first?, let second?, _):
                .condition(.either(Reader.condition(first), Reader.condition(second)))
            case (.not, let first?, _, _): .condition(.not(Reader.condition(first)))
            case (.isNil, .column(let column)?, _, _): .condition(.isNil(column, true))
            case (.isNotNil, .column(let column)?, _, _): .condition(.isNil(column, false))
            case (.isTrue, .column(let column)?, _, _): .condition(.isTrue(column))
            case (.equal, .column(let column)?, .value(let value, _)?, _),
                (.notEqual, .column(let column)?, .value(let value, _)?, _),
                (.identical, .column(let column)?, .value(let value, _)?, _),
                (.less, .column(let column)?, .value(let value, _)?, _),
                (.lessOrEqual, .column(let column)?, .value(let value, _)?, _),
                (.greater, .column(let column)?, .value(let value, _)?, _),
                (.greaterOrEqual, .column(let column)?, .value(let value, _)?, _):
                .condition(.compare(column, operation, value))
            case (.between, .column(let column)?, .value(let low, _)?, .value(let high, _)?):
                .condition(
                    .both(.compare(column, .greaterOrEqual, low), .compare(column, .lessOrEqual, high)))
            case (.hasPrefix, .column(let column)?, .value(let start, _)?, .value(let end, _)?):
                .condition(.both(.compare(column, .greaterOrEqual, start), .compare(column, .less, end)))
            case (.isIn(let isTagged), .column(let column)?, .value(.text(let list), let place)?, _)
            where forms[place] == nil:
                ListArgument.values(of: list, isTagged: isTagged).map { .condition(.isIn(column, $0)) } ?? .undecided
            default: .undecided
            }
        }
    }
}
