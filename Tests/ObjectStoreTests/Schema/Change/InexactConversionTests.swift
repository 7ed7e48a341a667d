import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Conversions to types that change the value they receive: the conversion is refused as inexact.
struct InexactConversionTests {
    private enum Of<Value: Equatable> {
        final class Box: PersistentObject {
            override class var tableName: String { "inexact_box" }
            var value: Value?
        }
    }

    private func converted<Old: Equatable, New: Equatable>(_ value: Old, to: New.Type) throws -> New? {
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in
            let box = Of<Old>.Box()
            box.value = value
            try box.save()
        }
        return try file.open().withSession { _ throws in try Of<New>.Box.query.single().value }
    }

    @Test(arguments: ["a b", "é", "12\u{0}"])
    func `converting a string that a URL would escape is refused`(text: String) throws {
        #expect(throws: SchemaError.self) { try converted(text, to: URL.self) }
        #expect(throws: SchemaError.self) { try converted([text], to: [URL].self) }
    }

    @Test func `a string that is a valid URL is converted`() throws {
        try expect(converted("https://example.org/a%20b", to: URL.self)?.absoluteString, "https://example.org/a%20b")
    }

    @Test(arguments: [-1e-300, 1e-46, 1e-40, 0.3, 16_777_217, 3.5e38])
    func `converting a number that a Float cannot represent exactly is refused`(number: Double) throws {
        #expect(throws: SchemaError.self) { try converted(number, to: Float.self) }
        #expect(throws: SchemaError.self) { try converted("\(number)", to: Float.self) }
    }

    @Test func `a number that a Float represents exactly is converted`() throws {
        for number in [0, 0.5, -16_777_216, 1e10, Double(Float.leastNonzeroMagnitude), -Double.infinity] {
            try expect(converted(number, to: Float.self), Float(number))
        }
        try expect(converted(16_777_216, to: Float.self), 16_777_216)
        #expect(throws: SchemaError.self) { try converted(16_777_217, to: Float.self) }
        #expect(throws: SchemaError.self) {
            try converted(Decimal(sign: .plus, exponent: -1, significand: 3), to: Float.self)
        }
        try expect(converted("0.5", to: Float.self), 0.5)
    }

    @Test(arguments: ["true", "7 ", " 7", "\"7\""])
    func `converting bytes that are not exactly the digits of a number is refused`(text: String) throws {
        #expect(throws: SchemaError.self) { try converted(Data(text.utf8), to: Int.self) }
        try expect(converted(Data("7".utf8), to: Int.self), 7)
    }
}
