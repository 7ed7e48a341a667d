// Arguments: the values of conditions in the form of the columns that they are compared with. It knows codecs and keys,
// and must not know the SQL around a value.

internal import StoreEngine

/// Converts a value of a query, encoded by its type, into the form of the column that it is compared with.
protocol ArgumentForm {
    /// The bound value.
    func stored(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue
}

/// The form of an argument, with the property that the argument is compared with.
struct ComparedForm {
    let form: any ArgumentForm
    let origin: QueryOperand.Origin?

    /// The bound value. Its error names the property.
    func stored(_ argument: DatabaseValue) throws(StoreError) -> DatabaseValue {
        do throws(ValueFault) { return try form.stored(argument) } catch {
            throw StoreError.value(error).at(className: origin?.className, property: origin?.property)
        }
    }
}

/// A value compared with a column that has a special form, for example a date stored as a string.
struct FormattedArgument: ArgumentForm {
    /// The kind of argument.
    enum Kind { case value, taggedList, plainList }

    let codec: PropertyCodec
    let kind: Kind

    func stored(_ argument: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        guard kind != .value, case .text(let list) = argument else { return try codec.recoded(argument) }
        guard kind == .taggedList else { return try numbers(ListArgument.textsAndBlobs(of: list, isTagged: false)) }
        guard let values = ListArgument.values(ofTagged: list) else { return argument }
        var stored: [DatabaseValue] = []
        for value in values { stored.append(try codec.recoded(value)) }
        return .text(ListArgument.tagged(stored))
    }

    /// A plain list of values that are converted to integers.
    private func numbers(_ values: [DatabaseValue]) throws(ValueFault) -> DatabaseValue {
        let numbers = try values.map { (value) throws(ValueFault) in
            if case .integer(let number) = try codec.recoded(value) { String(number) } else { "null" }
        }
        return .text("[" + numbers.joined(separator: ",") + "]")
    }
}
