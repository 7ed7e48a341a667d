extension Statement {
    /// Binds a list of values of one kind, for the dialect's lists of the encoding `.tagged`.
    package func bind(list values: [DatabaseValue], at index: Int32) throws(ValueFault) {
        guard let foreign else { return try bind(ListArgument.taggedJSON(of: values), at: index) }
        try foreign.bind(list: values, at: index)
    }
}
