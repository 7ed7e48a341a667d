import StoreEngine
import TestSupport
import Testing

/// The texts of errors.
@Suite struct StoreErrorMessageTests {
    @Test(arguments: [
        (StoreError(.busy, "it is busy"), "it is busy"),
        (StoreError(.rowGone, "it is gone", className: "Person"), "Person: it is gone"),
        (StoreError(.rowGone, "it is gone", className: "Person", rowID: 7), "Person #7: it is gone"),
        (StoreError(.typeMismatch, "no", className: "Person", property: "age"), "Person.age: no"),
        (StoreError(.typeMismatch, "no", className: "Person", property: "age", rowID: -1), "Person.age #-1: no"),
        (StoreError(.typeMismatch, "no", property: "age"), "age: no"),
        (StoreError(.typeMismatch, "no", property: "age", rowID: 2), "age #2: no"),
        (StoreError(.typeMismatch, "no", rowID: 2), "row 2: no"),
        (StoreError(.sqlite, "no", resultCode: 267), "no (SQLite code 267)"),
        (StoreError(.invalidSQL, "no", sql: "SELECT 1"), "no [SELECT 1]"),
        (
            StoreError(.notUnique, "no", className: "P", property: "e", rowID: 1, sql: "INSERT ?", resultCode: 2067),
            "P.e #1: no (SQLite code 2067) [INSERT ?]"
        ),
        (StoreError(.invalidSQL, "no", sql: "SELECT\n  1\r\nFROM t"), "no [SELECT   1 FROM t]"),
        (StoreError(.cannotOpen, "cannot open a\nb"), "cannot open a b"),
    ])
    func `an error prints one line: place, problem, code, statement`(_ error: StoreError, _ line: String) {
        expect("\(error)", line)
    }

    @Test(
        arguments: [
            (5, "m. Another process or session holds the store"), (8, "m. The file or its folder cannot be written"),
            (1032, "m. The store's file was moved or deleted while the store was open"),
            (11, "m. The file may be damaged. Check it, or use a backup"),
            (13, "m. Nothing was written. Free some disk space and save again"), (10, "m"), (26, "m"), (14, "m"),
            (7, "m"),
            (18, "m"),
            (2067, "m"), (1, "m"),
        ] as [(Int32, String)])
    func `SQLite's message is followed by advice`(_ code: Int32, _ message: String) {
        expect(StoreError.engine(code, message: "m").message, message)
    }

    @Test(
        arguments: [
            (ValueFault.typeMismatch(expected: "INTEGER", found: .text), "expected INTEGER, but the column holds TEXT"),
            (.typeMismatch(expected: "TEXT", found: .null), "expected TEXT, but the column holds NULL"),
            (.outOfRange(type: "Int8"), "the number does not fit in Int8"),
            (.invalidText, "the string is not valid UTF-8"),
            (.notStorable(reason: "a reason"), "a reason"),
            (.rejected(type: "URL", reason: "it is empty"), "not a valid URL: it is empty"),
        ] as [(ValueFault, String)])
    func `the message of a value fault states the problem without the value`(_ fault: ValueFault, _ text: String) {
        expect("\(fault)", text)
        expect(StoreError.value(fault).message, text)
    }

    @Test func `a value that SQLite refuses to bind is reported with its code`() {
        expect("\(ValueFault.engine(code: 18))", "SQLite refused the value (code 18)")
        expect(StoreError.value(.engine(code: 18)).message, "The value cannot be bound")
    }

    @Test func `storage classes and column types print their SQL names`() {
        let classes: [StorageClass] = [.null, .integer, .real, .text, .blob]
        expect(classes.map { "\($0)" }, ["NULL", "INTEGER", "REAL", "TEXT", "BLOB"])
        let types: [ColumnType] = [.integer, .real, .text, .blob, .any]
        expect(types.map(\.rawValue), ["INTEGER", "REAL", "TEXT", "BLOB", "ANY"])
    }
}
