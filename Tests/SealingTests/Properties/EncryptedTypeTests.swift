#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// A type of which values are made from random numbers.
    protocol SampledValue: Hashable, Sendable {
        static var initial: Self { get }
        static func sample(_ random: inout SeededGenerator) -> Self
    }

    /// Encrypted properties of one type in all forms.
    final class SealedForms<Value: SampledValue>: PersistentObject {
        override class var tableName: String { "forms_" + "\(Value.self)".lowercased() }
        var number = 0
        @Encrypted var plain = Value.initial
        @Encrypted(padded: false) var optional: Value?
        @Encrypted var list: [Value] = []
        @Encrypted var optionalList: [Value]?
        @Encrypted var options: [Value?] = []
        @Encrypted var values: Set<Value> = []
        @Encrypted var optionalValues: Set<Value>?
        @Encrypted var named: [String: Value] = [:]
        @Encrypted var optionalNamed: [Int: Value?]?

        func fill(_ random: inout SeededGenerator) {
            func some() -> [Value] {
                (0..<Int.random(in: 0...3, using: &random)).map { _ in Value.sample(&random) }
            }
            plain = .sample(&random)
            optional = Bool.random(using: &random) ? .sample(&random) : nil
            list = some()
            optionalList = Bool.random(using: &random) ? some() : nil
            options = some() + [nil] + some()
            values = Set(some())
            optionalValues = Bool.random(using: &random) ? Set(some()) : nil
            named = Dictionary(some().enumerated().map { ("key \($0)", $1) }) { first, _ in first }
            optionalNamed =
                Bool.random(using: &random)
                ? Dictionary(some().enumerated().map { ($0, $0 == 1 ? nil : $1) }) { first, _ in first } : nil
        }

        /// The values, in a form that can be compared.
        var content: [AnyHashable] {
            [plain, optional, list, optionalList, options, values, optionalValues, named, optionalNamed]
        }

        var valueCount: Int {
            1 + (optional == nil ? 0 : 1) + list.count + (optionalList?.count ?? 0) + options.count + values.count
                + (optionalValues?.count ?? 0) + named.count + (optionalNamed?.count ?? 0)
        }
    }

    /// Values of every type, optional or not and in collections, are the same after they were stored.
    @Suite struct EncryptedTypeTests {
        @Test func `every type is the same in every form`() throws {
            var count = 0
            count += try check(Bool.self)
            count += try check(Int.self)
            count += try check(Int8.self)
            count += try check(Int16.self)
            count += try check(Int32.self)
            count += try check(Int64.self)
            count += try check(UInt8.self)
            count += try check(UInt16.self)
            count += try check(UInt32.self)
            count += try check(UInt64.self)
            count += try check(Float.self)
            count += try check(Double.self)
            count += try check(String.self)
            count += try check(Character.self)
            count += try check(Decimal.self)
            count += try check(Date.self)
            count += try check(Data.self)
            count += try check(UUID.self)
            count += try check(URL.self)
            count += try check(SampledGrade.self)
            count += try check(SampledPlace.self)
            count += try check(SampledCode.self)
            expect(count >= Scale.of(10_000), true, "\(count) values")
        }

        private func check<Value: SampledValue>(_ type: Value.Type) throws -> Int {
            let file = try EncryptedFile()
            var random = SeededGenerator(seed: 45)
            var made: [SealedForms<Value>] = []
            try file.session { session in
                for number in 0..<Scale.of(60) {
                    let object = SealedForms<Value>()
                    object.number = number
                    object.fill(&random)
                    made.append(object)
                }
                try session.save(made)
            }
            var count = 0
            try file.session { session in
                let all = try SealedForms<Value>.all().sorted { $0.number < $1.number }
                for (object, stored) in zip(made, all) {
                    expect(stored.content, object.content, "\(type)")
                    expect(stored.hasChanges, false)
                    count += stored.valueCount
                    // The same values are no change, and others are.
                    stored.list = object.list
                    stored.optional = object.optional
                    expect(stored.hasChanges, false, "\(type)")
                    stored.fill(&random)
                    object.fill(&random)
                }
                expect(all.count, made.count)
                try session.save(all)
                made = all
                expect(all.allSatisfy { !$0.hasChanges }, true)
            }
            let contents = made.map(\.content)
            try file.session { session in
                let all = try SealedForms<Value>.all().sorted { $0.number < $1.number }
                expect(all.map(\.content), contents, "\(type)")
                count += all.reduce(0) { $0 + $1.valueCount }
                let report = try session.store.checkIntegrity()
                expect(report.isSound, true, "\(report)")
                expect(report.lockedValueCount, 0)
            }
            let table = SealedForms<Value>.tableName
            for column in ["plain", "optional", "list", "optional_list", "options", "named", "optional_named"] {
                let isOther = "\(column) IS NOT NULL AND typeof(\(column)) <> 'blob'"
                try expect(file.file.sqlite("SELECT count(*) FROM \"\(table)\" WHERE \(isOther)"), "0", "\(column)")
            }
            return count
        }
    }

    enum SampledGrade: String, CaseIterable, Codable { case low, middle, high }

    struct SampledPlace: Codable, Hashable {
        var street: String
        var floor: Int?
    }

    /// A type with its own stored form.
    struct SampledCode: PersistentValue, Codable, Hashable {
        static var columnType: ColumnType { .text }
        var text: String
        init(_ text: String) { self.text = text }
        init(databaseValue: DatabaseValue) throws {
            guard case .text(let text) = databaseValue else { throw CocoaError(.coderReadCorrupt) }
            self.text = text
        }
        var databaseValue: DatabaseValue { .text(text) }
    }

    extension SampledValue where Self: FixedWidthInteger {
        static var initial: Self { 0 }
        static func sample(_ random: inout SeededGenerator) -> Self {
            let greatest = Self(truncatingIfNeeded: Int64.max)
            let most = greatest < 0 ? Self.max : greatest
            return [0, Self.min, most, .random(in: 0...most, using: &random)].randomElement(using: &random) ?? 0
        }
    }

    extension Int: SampledValue {}
    extension Int8: SampledValue {}
    extension Int16: SampledValue {}
    extension Int32: SampledValue {}
    extension Int64: SampledValue {}
    extension UInt8: SampledValue {}
    extension UInt16: SampledValue {}
    extension UInt32: SampledValue {}
    extension UInt64: SampledValue {}
    extension Bool: SampledValue {
        static var initial: Bool { false }
        static func sample(_ random: inout SeededGenerator) -> Bool { .random(using: &random) }
    }
    extension Float: SampledValue {
        static var initial: Float { 0 }
        static func sample(_ random: inout SeededGenerator) -> Float { .random(in: -1e6...1e6, using: &random) }
    }
    extension Double: SampledValue {
        static var initial: Double { 0 }
        static func sample(_ random: inout SeededGenerator) -> Double {
            let number = Double.random(in: -1e9...1e9, using: &random)
            return [0, .infinity, .leastNonzeroMagnitude, number].randomElement(using: &random) ?? 0
        }
    }
    extension String: SampledValue {
        static var initial: String { "" }
        static func sample(_ random: inout SeededGenerator) -> String {
            String((0..<Int.random(in: 0...40, using: &random)).map { _ in Character.sample(&random) })
        }
    }
    extension Character: SampledValue {
        static var initial: Character { "a" }
        static func sample(_ random: inout SeededGenerator) -> Character {
            "aéz🐟ß漢 '\"".randomElement(using: &random) ?? "a"
        }
    }
    extension Decimal: SampledValue {
        static var initial: Decimal { 0 }
        static func sample(_ random: inout SeededGenerator) -> Decimal {
            Decimal(Int.random(in: -99999...99999, using: &random)) / 8
        }
    }
    extension Date: SampledValue {
        static var initial: Date { Date(timeIntervalSinceReferenceDate: 0) }
        static func sample(_ random: inout SeededGenerator) -> Date {
            Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random))
        }
    }
    extension Data: SampledValue {
        static var initial: Data { Data() }
        static func sample(_ random: inout SeededGenerator) -> Data {
            Data((0..<Int.random(in: 0...60, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        }
    }
    extension UUID: SampledValue {
        static var initial: UUID { UUID(uuidString: "00000000-0000-0000-0000-000000000000") ?? UUID() }
        static func sample(_ random: inout SeededGenerator) -> UUID {
            let digits = (0..<32).map { _ in "0123456789ABCDEF".randomElement(using: &random) ?? "0" }
            var text = String(digits)
            for place in [8, 13, 18, 23] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
            return UUID(uuidString: text) ?? UUID()
        }
    }
    extension URL: SampledValue {
        static var initial: URL { URL(filePath: "/") }
        static func sample(_ random: inout SeededGenerator) -> URL {
            URL(string: "https://example.org/\(Int.random(in: 0...99999, using: &random))?q=%20") ?? initial
        }
    }
    extension SampledGrade: SampledValue {
        static var initial: SampledGrade { .low }
        static func sample(_ random: inout SeededGenerator) -> SampledGrade {
            allCases.randomElement(using: &random) ?? .low
        }
    }
    extension SampledPlace: SampledValue {
        static var initial: SampledPlace { .init(street: "", floor: nil) }
        static func sample(_ random: inout SeededGenerator) -> SampledPlace {
            .init(street: .sample(&random), floor: Bool.random(using: &random) ? .sample(&random) : nil)
        }
    }
    extension SampledCode: SampledValue {
        static var initial: SampledCode { .init("") }
        static func sample(_ random: inout SeededGenerator) -> SampledCode { .init(.sample(&random)) }
    }
#endif
