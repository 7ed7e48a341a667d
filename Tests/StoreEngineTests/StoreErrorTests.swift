import StoreEngine
import TestSupport
import Testing

@Suite struct StoreErrorTests {
    // Result codes from sqlite3.h, as numbers: if the test used the constants of the header, it would prove nothing.
    private static let codes: [(Int32, StoreError.Code)] = [
        (5, .busy), (261, .busy), (517, .busy), (6, .busy), (262, .busy), (15, .busy),
        (8, .readOnly), (776, .readOnly), (1544, .readOnly), (1032, .fileMoved),
        (10, .inputOutput), (266, .inputOutput), (522, .inputOutput), (778, .inputOutput), (1034, .inputOutput),
        (3082, .outOfMemory), (7, .outOfMemory), (11, .corrupt), (267, .corrupt), (779, .corrupt), (26, .notADatabase),
        (13, .diskFull), (14, .cannotOpen), (270, .cannotOpen), (18, .tooBig),
        (2067, .notUnique), (1555, .notUnique), (2579, .notUnique),
        (19, .constraint), (275, .constraint), (787, .constraint), (1299, .constraint), (3091, .constraint),
        (1811, .constraint),
        (9, .cancelled), (1, .sqlite), (20, .sqlite), (21, .sqlite), (25, .sqlite), (17, .sqlite),
    ]

    @Test(arguments: codes)
    func `each result code maps to its error code`(_ code: Int32, _ kind: StoreError.Code) {
        let error = StoreError.engine(code, message: "m", sql: "SELECT 1")
        expect(error.code, kind)
        expect(error.resultCode, code)
        expect(error.sql, "SELECT 1")
        #expect(error.message.hasPrefix("m"))
    }

    @Test func `a write that a quota forbids is a full disk, and other write failures are not`() {
        // EFBIG, which both Linux and Apple's systems number 27, and EIO.
        expect(StoreError.engine(778, message: "", systemError: 27).code, .diskFull)
        expect(StoreError.engine(778, message: "", systemError: 5).code, .inputOutput)
        expect(StoreError.engine(266, message: "", systemError: 27).code, .inputOutput)
    }

    @Test func `each value fault maps to its error code`() {
        expect(StoreError.value(.typeMismatch(expected: "TEXT", found: .null)).code, .typeMismatch)
        expect(StoreError.value(.outOfRange(type: "Int8")).code, .typeMismatch)
        expect(StoreError.value(.invalidText).code, .typeMismatch)
        expect(StoreError.value(.rejected(type: "URL", reason: "r")).code, .typeMismatch)
        expect(StoreError.value(.notStorable(reason: "r")).code, .notRepresentable)
        expect(StoreError.value(.engine(code: 18)).code, .tooBig)
        expect(StoreError.value(.engine(code: 25)).resultCode, 25)
    }

    @Test func `adding the place of an error fills missing fields and keeps existing ones`() {
        let error = StoreError(.typeMismatch, "m", property: "age").at(
            className: "Person", property: "other", rowID: 7, sql: "SELECT 1")
        expect(error.className, "Person")
        expect(error.property, "age")
        expect(error.rowID, 7)
        expect(error.sql, "SELECT 1")
        let again = error.at(className: "Pet", rowID: 8, sql: "SELECT 2")
        expect(again.className, "Person")
        expect(again.rowID, 7)
        expect(again.sql, "SELECT 1")
    }

    @Test func `error codes are equal by name, and print their name`() {
        expect(StoreError.Code.busy, .busy)
        #expect(StoreError.Code.busy != .corrupt)
        expect(Set([StoreError.Code.busy, .busy, .corrupt]).count, 2)
        expect("\(StoreError.Code.diskFull)", "diskFull")
    }
}
