import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Values that an existing column cannot hold, and values that no property accepts.
struct ForeignValueRefusalTests {
    typealias Times = FormatTests.Times

    @Test func `a date that the column's format cannot represent is refused with class and property`() throws {
        try SampleFile.with(FormatTests.sql) { _, file throws in
            let nan = Date(timeIntervalSinceReferenceDate: .nan)
            let far = Date(timeIntervalSince1970: 1e300)
            let cases: [(String, String, (Times) -> Void)] = [
                ("unix", "NaN cannot be stored. Use an optional and nil", { $0.unix = nan }),
                ("dateTime", "NaN cannot be stored. Use an optional and nil", { $0.dateTime = nan }),
                ("milliseconds", "the date is too distant to be counted in milliseconds", { $0.milliseconds = far }),
            ]
            for (property, words, set) in cases {
                let times = Times()
                set(times)
                let error = #expect(throws: StoreError.self) { try times.save() }
                #expect(error?.code == .notRepresentable && error?.className == "Times" && error?.property == property)
                #expect(error?.message.contains(words) == true, "\(String(describing: error))")
            }
            #expect(try file.sqlite("SELECT count(*) FROM Times") == "0")
        }
    }

    @Test func `a finder refuses a date that the column's format cannot represent, with class and property`() throws {
        try SampleFile.with(FormatTests.sql) { session, _ throws in
            let far = Date(timeIntervalSince1970: 1e300)
            func check(_ property: String, _ body: () throws -> Void) {
                let error = #expect(throws: StoreError.self) { () throws in try body() }
                #expect(error?.code == .notRepresentable && error?.className == "Times", "\(String(describing: error))")
                #expect(error?.property == property, "\(String(describing: error))")
            }
            check("milliseconds") { _ = try Times.findByMilliseconds(far) as [Times] }
            check("dateTime") { _ = try Times.findByDateTime(far) as [Times] }
            check("milliseconds") { _ = try Times.findByDateTimeAndMilliseconds(Date(), far) as [Times] }
            withExtendedLifetime(session) {}
        }
    }

    @Test(arguments: [("9e999", "Decimal"), ("x'01'", "xpected a number, but the column holds BLOB")])
    func `a value that is not a number is an error with class, property and row`(value: String, words: String) throws {
        try SampleFile.with(FormatTests.sql + "; INSERT INTO Times (h, k) VALUES ('2016-01-01', \(value))") {
            _, _ throws in
            let error = #expect(throws: StoreError.self) { try Times.all() }
            #expect(error?.className == "Times" && error?.property == "price" && error?.rowID == 1)
            expect(error?.message.contains(words), true, "\(String(describing: error))")
        }
    }
}
