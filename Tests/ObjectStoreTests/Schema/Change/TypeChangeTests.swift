import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A property that has another type in version 2: each value is converted exactly, or the file stays unchanged.
struct TypeChangeTests {
    private static let types: [any ConversionType.Type] = [
        OfInt.self, OfInt8.self, OfUInt64.self, OfBool.self, OfDouble.self, OfString.self, OfDate.self, OfDecimal.self,
        OfUUID.self, OfData.self, OfColour.self, OfLevel.self, OfName.self, OfPlace.self,
    ]

    @Test(arguments: 0..<types.count)
    func `each value of each type is converted to its exact equivalent, or nothing changes`(
        _ place: Int
    ) throws {
        try expect(from: Self.types[place])
    }

    private func expect<From: ConversionType>(from: From.Type) throws {
        // For each pair of types, one refused value is enough.
        var refused: Set<Int> = []
        for sample in From.samples {
            let file = try TemporaryStore()
            let store = try Store(file.path)
            try store.withSession { _ in
                let box = Version<From>.Box()
                box.value = sample
                try box.save()
            }
            store.close()
            let copy = try TemporaryStore()
            for (place, type) in Self.types.enumerated() {
                let isConverted = Self.converts(sample, From.self, to: type)
                guard isConverted || refused.insert(place).inserted else { continue }
                _ = try? FileManager.default.removeItem(atPath: copy.path)
                try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
                try expect(sample, from, to: type, copy)
            }
        }
    }

    private static func converts<From: ConversionType, To: ConversionType>(
        _ sample: From.Stored, _: From.Type, to _: To.Type
    ) -> Bool { To.value(From.meaning(sample)) != nil }

    private func expect<From: ConversionType, To: ConversionType>(
        _ sample: From.Stored, _: From.Type, to: To.Type, _ file: TemporaryStore
    ) throws {
        var wanted = To.value(From.meaning(sample))
        // The column of a structure contains its JSON document, and bytes are the contents of the column.
        if let name = sample as? SampleName { wanted = try JSONEncoder().encode(name) as? To.Stored ?? wanted }
        let before = try file.sqlite("SELECT id, quote(value), typeof(value) FROM box; SELECT sql FROM sqlite_schema")
        let store = try Store(file.path)
        defer { store.close() }
        let place: Comment = "\(From.self) \(String(reflecting: sample)) to \(To.self)"
        do {
            let found = try store.withSession { _ in try Version<To>.Box.all().map(\.value) }
            #expect(found == wanted.map { [$0] }, place)
        } catch let error as SchemaError {
            #expect(wanted == nil, "\(place): \(error)")
            guard case .notConvertible(_, let property, let row, let value, _, _) = error else { throw error }
            #expect(property == "value" && row == 1 && value == nil, place)
            #expect(
                try file.sqlite("SELECT id, quote(value), typeof(value) FROM box; SELECT sql FROM sqlite_schema")
                    == before, place)
        }
    }

    @Test(arguments: 0..<types.count) func `a property that becomes optional or required keeps all values`(
        _ place: Int
    ) throws {
        try expectOptional(Self.types[place])
    }

    private func expectOptional<T: ConversionType>(_: T.Type) throws {
        let file = try TemporaryStore()
        func values<R>(_ body: () throws -> R) throws -> R {
            let store = try Store(file.path)
            defer { store.close() }
            return try store.withSession { _ in try body() }
        }
        try values {
            for sample in T.samples {
                let box = Version<T>.Box()
                box.value = sample
                try box.save()
            }
        }
        #expect(try values { try Version<T>.Optional.all().map(\.value) } == T.samples)
        try values { try Version<T>.Optional().save() }
        #expect(try values { try Version<T>.Box.all().map(\.value) } == T.samples + [T.initial])
        #expect(try file.sqlite("SELECT \"notnull\" FROM pragma_table_info('box') WHERE name = 'value'") == "1")
        #expect(try file.sqlite("SELECT name FROM sqlite_schema WHERE sql LIKE '%STRICT%' AND name = 'box'") == "box")
        #expect(try file.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
    }

    @Test func `the error contains the value if the configuration allows it`() throws {
        let file = try TemporaryStore()
        try Store(file.path).withSession { _ in
            let box = Version<OfString>.Box()
            box.value = "secret"
            try box.save()
        }
        for showsValues in [false, true] {
            let store = try Store(file.path, configuration: .init(showsValuesInErrors: showsValues))
            let error = #expect(throws: SchemaError.self) { try store.prepare(Version<OfInt>.Box.self) }
            #expect(error?.description.contains("secret") == showsValues)
            #expect(error?.description.contains("Box.value: The value of row 1") == true)
            store.close()
        }
    }
}
