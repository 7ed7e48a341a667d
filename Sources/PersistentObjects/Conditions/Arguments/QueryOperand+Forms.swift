internal import Foundation
internal import StoreEngine

// Values that columns can store in several forms.
extension QueryOperand {
    /// Throws if both operands are columns of the same type in different forms. An argument takes the form of the other
    /// operand.
    func checkForm(of other: QueryOperand, _ use: String) throws {
        guard placeholder == nil, other.placeholder == nil, let first = codec?.valueForm,
            let second = other.codec?.valueForm, first != second
        else { return }
        throw QueryError.notExpressible(
            "A value with \(first) cannot be \(use) a value with \(second). Declare both with the same format, or "
                + "use Swift")
    }
}

// Decimal numbers with a scale. SQL calculates exactly with their integers.
extension QueryOperand {
    /// The number of decimal places in a calculation; nil for a value that SQL cannot calculate with.
    private var decimalPlaces: Int? {
        if let decimalScale { return decimalScale }
        let type = codec.map { ($0.valueType as? any OptionalType.Type)?.wrapped ?? $0.valueType }
        return type is any IntegerScalar.Type ? 0 : nil
    }

    /// The number as an integer count of a unit with `places` decimal places.
    private func sql(withPlaces places: Int) -> SQL {
        let missing = places - (decimalPlaces ?? places)
        return missing == 0 ? sql : "(\(sql) * \(number: ScaledDecimal.powerOfTen(missing)))"
    }

    /// The result of an operation on two numbers if at least one is a decimal number with a scale; otherwise nil.
    static func calculated(
        _ operation: QueryOperation, _ a: QueryOperand, _ b: QueryOperand
    ) throws -> QueryOperand? {
        guard a.decimalScale != nil || b.decimalScale != nil, let first = a.decimalPlaces, let second = b.decimalPlaces
        else { return nil }
        if operation == .multiply { return try a.making("(\(a.sql) * \(b.sql))", with: b).scaled(first + second) }
        let places = max(first, second)
        let (x, y) = (a.sql(withPlaces: places), b.sql(withPlaces: places))
        return try a.making(operation == .add ? "(\(x) + \(y))" : "(\(x) - \(y))", with: b).scaled(places)
    }

    /// The first of two values that is not nil, if both are decimal numbers with a scale; otherwise nil.
    static func firstOf(_ a: QueryOperand, _ b: QueryOperand) throws -> QueryOperand? {
        guard let first = a.decimalScale, let second = b.decimalScale else { return nil }
        let places = max(first, second)
        return try a.making(
            "coalesce(\(a.sql(withPlaces: places)), \(b.sql(withPlaces: places)))", with: b, isStrict: false
        ).scaled(places)
    }

    /// The number as a column with a scale stores it.
    func stored(withScale digits: Int) throws -> SQL {
        guard let decimalScale else {
            throw QueryError.notExpressible(
                "Its column has a scale, but the new value is a Decimal without a scale")
        }
        guard decimalScale <= digits else {
            throw QueryError.notExpressible(
                "Its column has \(digits) decimal places, but the new value has \(decimalScale). Declare a larger "
                    + "scale, or round in Swift")
        }
        return sql(withPlaces: digits)
    }
}

/// An argument that replaces a column's value, converted to the column's stored form.
struct StoredArgument: ArgumentForm {
    let codec: PropertyCodec

    func stored(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard argument != .null, let plain = QueryArguments.codec(for: codec.valueType) else { return argument }
        return try codec.encodeStored(try plain.boxed(argument)) ?? argument
    }
}

extension ExpressionWriter {
    /// The first of two values that is not nil.
    func coalesced() throws -> QueryOperand {
        var second = try popStored().checked()
        var first = try popStored().checked()
        var result: QueryOperand
        if second.placeholder != nil {
            if first.decimalScale == nil { first = first.seen(dialect) }
            if let codec = first.codec, codec.recodesArguments {
                keep(StoredArgument(codec: codec), for: second, comparedWith: first)
            }
            result = first.making("coalesce(\(first.sql), \(second.sql))", with: second, isStrict: false)
            if let scale = first.decimalScale { result = try result.scaled(scale) }
        } else if let decimal = try QueryOperand.firstOf(first, second) {
            result = decimal
        } else {
            (first, second) = (first.seen(dialect), second.seen(dialect))
            try first.checkForm(of: second, "replaced by")
            result = first.making("coalesce(\(first.sql), \(second.sql))", with: second, isStrict: false)
        }
        result.mayBeNull = second.mayBeNull
        return result
    }

    /// The result of `+`, `-` or `*` for two numbers.
    func calculated(_ operation: QueryOperation) throws -> QueryOperand {
        let (second, first) = (try popStored().checked(), try popStored().checked())
        if let decimal = try QueryOperand.calculated(operation, first, second) { return decimal }
        stack += [first.seen(dialect), second.seen(dialect)]
        return try OperationSQL(dialect: dialect).write(operation, popStored)
    }

    /// A value that an update assigns to a property, in the form of the property's column.
    func write(_ value: QueryExpression, assignedTo property: Property) throws -> QueryOperand {
        let operand = try write(value, keepsKeys: true).checked()
        // A plain value was already encoded for the column.
        if operand.placeholder != nil { return operand }
        do {
            if case .scaled(let digits)? = property.codec.format {
                return operand.replaced(by: try operand.stored(withScale: digits), property.codec)
            }
            let seen = operand.seen(dialect)
            if let form = seen.codec?.valueForm, let wanted = property.codec.valueForm, form != wanted {
                throw QueryError.notExpressible(
                    "Its column has \(wanted), but the new value has \(form). Set the property in the objects")
            }
            return seen
        } catch QueryError.notExpressible(let reason) {
            throw QueryError.notExpressible("\(root.map.name).\(property.name): \(reason)")
        }
    }
}
