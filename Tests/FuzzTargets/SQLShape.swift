import PersistentObjects

/// The permitted parts of SQL: names of the schema, words of SQL, placeholders.
struct SQLShape {
    /// The names of tables, columns and indexes, and the library's aliases of tables.
    private var names: Set<String> = [" known", " name"]
    private static let words = Set(
        """
        select from where and or not is null in exists order by asc desc limit offset distinct count sum total \
        avg min max as on left join inner like glob escape between collate case when then else end cast \
        integer real text blob delete insert into values update set true false nulls first last value \
        json_each regexp po_fold po_unaccented po_lower po_upper po_count po_nocase nocase substr length instr lower upper \
        coalesce typeof group having union all with recursive cross using returning conflict do nothing \
        default replace json_type json_extract octet_length po_contains po_pattern_bound rowid exclude
        """.split(separator: " ").map { String($0) })

    init(_ session: Session) throws {
        for row in try session.rows("SELECT name FROM sqlite_schema") { names.insert(try row.value(0)) }
        for table in names {
            for row in try session.rows("SELECT name FROM pragma_table_info(?)", table) {
                names.insert(try row.value(0))
            }
        }
    }

    /// A part of a statement that is not permitted; nil if there is none.
    func strange(in sql: String) -> String? {
        let bytes = Array(sql.utf8)
        var place = 0
        /// The following bytes that satisfy a condition.
        func run(_ isWanted: (UInt8) -> Bool) -> String {
            let start = place
            while place < bytes.count, isWanted(bytes[place]) { place += 1 }
            return String(decoding: bytes[start..<place], as: UTF8.self)
        }
        func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
        func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xdf) || byte == 95 }
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                let name = quoted(bytes, &place)
                if !names.contains(name), !isAlias(name) { return "the name \"\(name)\"" }
            case UInt8(ascii: "'"):
                let text = quoted(bytes, &place)
                if text != "\\" && text != "" && text != "$" { return "the text '\(text)'" }
            case let byte where isDigit(byte): _ = run(isDigit)
            case UInt8(ascii: "?"):
                place += 1
                _ = run(isDigit)
            case let byte where isLetter(byte):
                let word = run { isLetter($0) || isDigit($0) }
                if !Self.words.contains(word.lowercased()) { return "the word \(word)" }
            case let byte where " \n(),.=<>*|+-/%".utf8.contains(byte): place += 1
            case let byte: return "the byte \(byte)"
            }
        }
        return nil
    }

    /// Whether a name is one of the library's aliases: a space and a number, which no property of these classes has.
    private func isAlias(_ name: String) -> Bool {
        name.utf8.first == 32 && name.utf8.count > 1 && name.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    }

    /// The contents of quotes, in which doubled quotes are one.
    private func quoted(_ bytes: [UInt8], _ place: inout Int) -> String {
        let quote = bytes[place]
        var content: [UInt8] = []
        place += 1
        while place < bytes.count {
            if bytes[place] == quote {
                place += 1
                guard place < bytes.count, bytes[place] == quote else { break }
            }
            content.append(bytes[place])
            place += 1
        }
        return String(decoding: content, as: UTF8.self)
    }
}
