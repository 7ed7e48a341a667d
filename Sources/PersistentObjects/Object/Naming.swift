internal import StoreEngine

/// Names of tables and columns, derived from names in Swift.
package enum Naming {
    /// Snake case: a word starts at an uppercase letter after a lowercase letter or digit, and at the last uppercase
    /// letter of a run that a lowercase letter follows.
    ///
    /// `userID` becomes `user_id`, `URLString` `url_string`, `html5Page` `html5_page`, `b1` stays `b1`.
    package static func snakeCase(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0 {
                let previous = characters[index - 1]
                let isNextLower = index + 1 < characters.count && characters[index + 1].isLowercase
                let startsWord = previous.isLowercase || previous.isNumber || (previous.isUppercase && isNextLower)
                if startsWord { result += "_" }
            }
            result += character.lowercased()
        }
        return result
    }

    /// The form in which SQLite, or Swift, compares names: ASCII case and Unicode normalization are folded.
    static func folded(_ name: String) -> String {
        // Strings compare by canonical equivalence, so Unicode normalization needs no work here.
        guard name.utf8.contains(where: { (65...90).contains($0) }) else { return name }
        return String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    /// The reason that SQLite does not accept a name; nil if it does.
    static func refusal(of name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.utf8.contains(0) { return "it contains a NUL" }
        return name.utf8.count > 1000 ? "it is longer than 1,000 bytes" : nil
    }

    /// The runtime reports raw identifiers with their backticks, and with no-break spaces instead of spaces.
    static func withoutBackticks(_ name: String) -> String {
        guard name.count > 2, name.hasPrefix("`"), name.hasSuffix("`") else { return name }
        return String(name.dropFirst().dropLast().map { $0 == "\u{a0}" ? " " : $0 })
    }
}

/// The default name of a class's table.
enum TableNaming {
    /// The class's own name in snake case; empty if the class has no unique name (`refusal(for:)` gives the reason).
    static func defaultName(of aClass: PersistentObject.Type) -> String {
        // A subclass's rows are in the table of its hierarchy.
        let type = ClassLineage.root(of: aClass)
        return refusal(for: type) == nil ? Naming.snakeCase(Naming.withoutBackticks(String(describing: type))) : ""
    }

    /// The reason that a table cannot have a name; nil if it can.
    static func refusal(ofName name: String) -> String? {
        if let reason = Naming.refusal(of: name) { return reason }
        return BuiltInTables.refusal(ofName: Naming.folded(name))
    }

    /// The reason that the default name cannot be used; nil if it can.
    static func refusal(for type: PersistentObject.Type) -> String? {
        if String(reflecting: type).contains("(unknown context at ") {
            return "The class is private or local, so its name is not unique"
        }
        if ClassDescriptor(type).isGeneric { return "The class is generic, so each specialization needs a table" }
        return nil
    }
}
