import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// An import reads exact values or throws.
struct ImportExactnessTests {
    private func imported(_ text: String) throws -> Everything {
        try withTemporarySession { session, file in
            let url = file.folder.appending(path: "in.jsonl")
            try Data(text.utf8).write(to: url)
            try session.store.import(Everything.self, from: url)
            return try #require(try Everything.first())
        }
    }

    @Test(
        .onSQLite("PostgreSQL has no columns for values of any kind"),
        arguments: [
            ("9007199254740993.0", 9_007_199_254_740_993), ("9007199254740993", 9_007_199_254_740_993),
            ("-9007199254740993.000", -9_007_199_254_740_993), ("9223372036854775807.0", Int.max),
            ("-9223372036854775808.0", Int.min), ("9.223372036854775807e18", Int.max),
            ("922337203685477580.7E1", Int.max),
            ("1e2", 100), ("1E+2", 100), ("12300e-2", 123), ("0.0", 0), ("-0.0", 0), ("0e99999999999999999999", 0),
            ("100000000000000000000e-10", 10_000_000_000), ("0.00001e5", 1),
        ])
    func `integers with a decimal point or an exponent are read exactly`(text: String, number: Int) throws {
        let object = try imported("{\"int\":\(text),\"maybeInt\":\(text)}")
        expect(object.int, number)
        expect(object.maybeInt, number)
    }

    @Test(
        .onSQLite("PostgreSQL has no columns for values of any kind"),
        arguments: [
            ("9223372036854775808.0", "he number is too large for a column"),
            ("-9223372036854775809.0", "he number is too large for a column"),
            ("1e400", "he number is too large for a column"),
            ("1e99999999999999999999", "he number is too large for a column"),
            ("1.5", "xpected an integer"), ("9007199254740993.5", "xpected an integer"),
            ("1e-1", "xpected an integer"), ("1e-99999999999999999999", "xpected an integer"),
        ])
    func `a number that the column cannot hold as an integer throws`(text: String, words: String) {
        let error = #expect(throws: TransferError.self) { try imported("{\"int\":\(text)}") }
        #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))")
    }

    @Test(
        .onSQLite("PostgreSQL has no columns for values of any kind"),
        arguments: [
            "+24:00", "-24:00", "+25:00", "-25:00", "+99:99", "+00:60", "+1", "+1:00", "+12:0", "+", "-", " +25:00",
        ])
    func `an invalid time zone offset throws instead of being read as UTC`(offset: String) {
        let error = #expect(throws: TransferError.self) { try imported("{\"date\":\"2026-02-28T12:00:00\(offset)\"}") }
        #expect(error?.property == "date", "\(String(describing: error))")
    }

    @Test(
        .onSQLite("PostgreSQL has no columns for values of any kind"),
        arguments: [
            ("+23:59", -86_340), ("-23:59", 86_340), ("-0330", 12_600), ("+01", -3600), (" +0100", -3600), ("Z", 0),
            ("", 0),
        ])
    func `a valid time zone offset changes the time`(offset: String, seconds: Double) throws {
        let noon = Date(timeIntervalSince1970: 1_772_280_000)
        expect(try imported("{\"date\":\"2026-02-28T12:00:00\(offset)\"}").date, noon + seconds)
    }

    @Test func `the largest id is refused for generated ids and accepted for given ids`() throws {
        try withTemporarySession { session, file in
            let url = file.folder.appending(path: "in.jsonl")
            try Data(#"{"id":9223372036854775807}"#.utf8).write(to: url)
            let error = #expect(throws: TransferError.self) { try session.store.import(Worker.self, from: url) }
            #expect(error?.property == "id" && error?.line == 1, "\(String(describing: error))")
            try Worker().save()
            // A class with given ids also accepts this id.
            try session.store.import(GivenNode.self, from: url)
            #expect(try GivenNode.find(Int64.max) != nil)
        }
    }

    @Test(.onSQLite("PostgreSQL counts in a sequence"))
    func `a save without free ids reports that, and not a full disk`() throws {
        try withTemporarySession { session, file in
            try Worker().save()
            try session.execute("INSERT INTO transfer_worker (id, name, age) VALUES (9223372036854775807, '', NULL)")
            for save in [{ try Worker().save() }, { try session.save([Worker(), Worker()]) }] {
                let error = #expect(throws: StoreError.self) { try save() }
                expect(error?.code, .constraint)
                #expect(error?.message.contains("no ids left") == true, "\(String(describing: error))")
                expect(error?.className, "Worker")
            }
            let url = file.folder.appending(path: "in.jsonl")
            try Data("{}".utf8).write(to: url)
            let error = #expect(throws: TransferError.self) { try session.store.import(Worker.self, from: url) }
            #expect(error.map { "\($0)".contains("no ids left") } == true, "\(String(describing: error))")
        }
    }
}
