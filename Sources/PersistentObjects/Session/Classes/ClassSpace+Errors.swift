internal import StoreEngine

// Errors of the engine and of codecs, in the words of the class.
extension ClassSpace {
    /// An error of the engine or a codec, completed by the class, property and row.
    package func located(_ error: any Error, property: Int? = nil, rowID: Int64? = nil, sql: String? = nil) -> any Error
    {
        let name = property.map { map.properties[$0].name }
        switch error {
        case let error as StoreError:
            let error = error.constraint == nil ? error : readable(error, rowID)
            return error.at(className: map.name, property: name ?? constrainedProperty(error), rowID: rowID)
        case let fault as ValueFault:
            return StoreError.value(fault).at(className: map.name, property: name, rowID: rowID, sql: sql)
        default: return error
        }
    }

    /// The engine's error in the form that `validate` uses. Another session may have written after the validation.
    private func readable(_ error: StoreError, _ rowID: Int64?) -> StoreError {
        guard error.problems.isEmpty, let failure = error.constraint else { return error }
        if let check = failure.check {
            var error = error
            error.message =
                "A CHECK constraint of the table rejects the row: \(VisibleText.of(check, 200)). Nothing was "
                + "changed. Change the value and save again"
            return error
        }
        if failure.kind == .notNull, let message = requirement(of: failure) {
            var error = error
            error.message = message
            return error
        }
        guard error.code == .notUnique else { return error }
        let names = failure.columns.compactMap { column in
            property(column, of: failure)?.name ?? (map.foreign == nil && column == "id" ? column : nil)
        }
        guard !names.isEmpty, names.count == failure.columns.count else { return error }
        var error = error
        error.problems = [
            StoreError.Problem(
                className: map.name, rowID: rowID, properties: names, message: ClassMap.takenMessage)
        ]
        error.message =
            names.count == 1
            ? "The value is already taken by another object. Nothing was changed. Change the value and save again"
            : "The values are already taken by another object. Nothing was changed. Change one of them and save again"
        return error
    }

    /// The message for a column that must not be NULL. Required properties of the class always have a value.
    private func requirement(of failure: ConstraintFailure) -> String? {
        guard let table = failure.table, let column = failure.columns.first else { return nil }
        return property(column, of: failure) == nil
            ? "The column \(table).\(column) must not be NULL. Nothing was changed. Declare a property for it, or give "
                + "the column a default value"
            : "The file requires a value, because another program or another version of this program has declared the "
                + "column NOT NULL. Nothing was changed. Set a value and save again"
    }

    /// The property that a constraint concerns, if it concerns exactly one property.
    private func constrainedProperty(_ error: StoreError) -> String? {
        guard let failure = error.constraint else { return nil }
        if let check = failure.check { return checkedProperty(check) }
        guard failure.columns.count == 1 else { return nil }
        return property(failure.columns[0], of: failure)?.name
    }

    /// The property whose column the text of a CHECK constraint names, if it is the only one.
    private func checkedProperty(_ check: String) -> String? {
        var tokens = SQLTokens(Array(check.utf8))
        // SQLite omits quotes at the start of the text, and the text after them.
        var names: Set<String> = [Naming.folded(check)]
        while let token = tokens.next() {
            guard token.kind == .word || token.kind == .quotedName else { continue }
            let ends = token.kind == .quotedName ? 1 : 0
            guard token.range.count > 2 * ends else { continue }
            names.insert(
                Naming.folded(tokens.text(token.range.lowerBound + ends..<token.range.upperBound - ends)))
        }
        let found = map.properties.filter { property in
            property.hasColumn && !property.isReadOnly
                && property.columns.contains { names.contains(Naming.folded($0)) }
        }
        return found.count == 1 ? found[0].name : nil
    }

    private func property(_ column: String, of failure: ConstraintFailure) -> Property? {
        // A class of an existing table may spell the names in another case than the file.
        guard failure.table.map(Naming.folded) == Naming.folded(map.table) else { return nil }
        let name = Naming.folded(column)
        return map.properties.first { property in
            property.hasColumn && !property.isReadOnly && property.columns.contains { Naming.folded($0) == name }
        }
    }
}
