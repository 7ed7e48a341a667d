internal import StoreEngine

// Arguments as SQL literals, because COPY accepts none.
extension PostgresArguments {
    /// A literal for each argument, of the type that the server has inferred; nil if an argument has no literal.
    func literals(_ types: [PostgresType]) -> [String]? {
        var literals: [String] = []
        for (value, type) in zip(values, types) {
            guard let name = PostgresArguments.names[type], let text = text(value, type) else { return nil }
            literals.append("\(text)::\(name)")
        }
        return literals.count == values.count ? literals : nil
    }

    private static let names: [PostgresType: String] = [
        .int8: "int8", .int4: "int4", .int2: "int2", .float8: "float8", .text: "text", .varchar: "varchar",
        .bytea: "bytea", .uuid: "uuid", .int8Array: "int8[]",
    ]

    private func text(_ value: Value, _ type: PostgresType) -> String? {
        switch (value, type) {
        case (.null, _): "NULL"
        case (.integer(let number), .int8), (.integer(let number), .int4), (.integer(let number), .int2):
            "'\(number)'"
        case (.integer(let number), .float8): Double(exactly: number).map { "'\($0)'" }
        // The digits are read exactly.
        case (.real(let number), .float8) where number.isFinite: "'\(number)'"
        case (.text(let range), .text), (.text(let range), .varchar):
            // The form E'…' does not depend on the server's backslash setting.
            "E'\(String(decoding: bytes[range], as: UTF8.self).replacing("\\", with: "\\\\").replacing("'", with: "''"))'"
        case (.blob(let range), .bytea): "'\\x\(Hexadecimal.text(bytes[range]))'"
        case (.blob(let range), .uuid) where range.count == 16: "'\(Hexadecimal.text(bytes[range]))'"
        case (.list(let list), .int8Array):
            integers(list).map { "'{\($0.map(String.init).joined(separator: ","))}'" }
        default: nil
        }
    }

    /// The integers of a list; nil if any value is not an integer.
    private func integers(_ list: [DatabaseValue]) -> [Int64]? {
        let integers = list.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        return integers.count == list.count ? integers : nil
    }
}
