import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Types that cannot be embedded, and the reasons.
struct EmbeddedRefusalTests {
    struct Plain: Codable { var city = "" }
    struct Fixed: Codable {
        let version = 3
        var city = ""

        enum CodingKeys: String, CodingKey { case city }
    }
    struct Given: Codable, Equatable { let city: String; let number: Int? }
    struct Empty: Codable {}
    struct Uncoded { var city = "" }
    enum Choice: Codable { case one(Int) }
    struct Holder: Codable { var inner = Fixed() }

    struct Signed: Codable { var exists = "" }
    /// Its decoder rejects all sample values.
    struct Picky: Codable {
        var city = "a"

        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
        }
    }

    final class WithSign: PersistentObject {
        override class var tableName: String { "refused_a" }
        @Embedded var address: Signed?
    }
    final class WithPicky: PersistentObject {
        override class var tableName: String { "refused_l" }
        @Embedded var address: Picky?
    }
    final class WithTransientSign: PersistentObject {
        override class var tableName: String { "refused_m" }
        override class var transient: Set<String> { ["address.exists"] }
        @Embedded var address: Plain?
    }
    struct Noted: Codable { var city = "", note = "", hint: String? }
    final class WithTransientField: PersistentObject {
        override class var tableName: String { "refused_o" }
        override class var transient: Set<String> { ["address.note"] }
        @Embedded var address: Noted?
    }
    final class WithTransientHint: PersistentObject {
        override class var tableName: String { "embedded_hint" }
        override class var transient: Set<String> { ["address.hint"] }
        @Embedded var address: Noted?
    }
    final class WithOptionalChoice: PersistentObject {
        override class var tableName: String { "refused_n" }
        @Embedded var address: Choice?
    }
    final class WithFixed: PersistentObject {
        override class var tableName: String { "refused_b" }
        @Embedded var address = Fixed()
    }
    final class WithEmpty: PersistentObject {
        override class var tableName: String { "refused_c" }
        @Embedded var address = Empty()
    }
    final class WithChoice: PersistentObject {
        override class var tableName: String { "refused_d" }
        @Embedded var address = Choice.one(1)
    }
    final class WithText: PersistentObject {
        override class var tableName: String { "refused_e" }
        @Embedded var address = ""
    }
    final class WithUnique: PersistentObject {
        override class var tableName: String { "refused_f" }
        @Unique @Embedded var address = Plain()
    }
    final class WithLibrary: PersistentObject {
        override class var tableName: String { "refused_g" }
        @Embedded var time = DateInterval()
    }
    final class WithUncoded: PersistentObject {
        override class var tableName: String { "refused_h" }
        @Embedded var address = Uncoded()
    }
    final class WithLazy: PersistentObject {
        override class var tableName: String { "refused_i" }
        @Lazy @Embedded var address = Plain()
    }
    final class WithHolder: PersistentObject {
        override class var tableName: String { "refused_j" }
        @Embedded var address = Holder()
    }
    final class WithTwo: PersistentObject {
        override class var tableName: String { "refused_k" }
        @Embedded var address = Plain()
        @Column("address_city") var other = ""
    }
    final class WithGiven: PersistentObject {
        override class var tableName: String { "embedded_given" }
        @Embedded var address = Given(city: "", number: nil)
    }

    private func reason(_ type: PersistentObject.Type) -> String? {
        guard case .notStorable(_, let property, _, let reason)? = error(type) else { return nil }
        return "\(property): \(reason)"
    }

    private func error(_ type: PersistentObject.Type) -> SchemaError? {
        #expect(throws: SchemaError.self) { try ClassMap.map(of: type) }
    }

    @Test func `an optional is refused if its nil could not be stored or its value not created`() {
        expect(
            reason(WithSign.self)?.contains("its exists has the name of the field that marks whether there is a value"),
            true)
        expect(reason(WithPicky.self)?.contains("init(from:) accepts none of the sample values"), true)
        expect(reason(WithTransientSign.self)?.contains("determines whether it is nil"), true)
        expect(reason(WithTransientField.self)?.contains("address.note is transient and cannot be nil"), true)
        expect(reason(WithOptionalChoice.self)?.contains("only structures that your program declares"), true)
    }

    @Test func `a transient field of an optional embedded value is nil after a fetch`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { _ throws in
                let object = WithTransientHint()
                object.address = Noted(city: "a", note: "b", hint: "c")
                try object.save()
                expect(object.address?.hint, "c")
            }
            try store.withSession { _ throws in
                let address = try #require(try WithTransientHint.first()?.address)
                #expect(address.city == "a" && address.note == "b" && address.hint == nil)
            }
        }
    }

    @Test func `a let with an initial value is refused, in nested structures too`() {
        expect(reason(WithFixed.self)?.contains("its version is a let"), true)
        expect(reason(WithHolder.self)?.contains("its inner.version is a let"), true)
    }

    @Test func `a let that the type decodes is stored`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { _ throws in
                let object = WithGiven()
                object.address = Given(city: "Graz", number: 5)
                try object.save()
            }
            try store.withSession { _ throws in
                let object = try #require(try WithGiven.all().first)
                expect(object.address, Given(city: "Graz", number: 5))
                object.address = Given(city: "Wien", number: nil)
                expect(object.changes.map(\.name), ["address.city", "address.number"])
            }
        }
    }

    @Test func `a type that is not a structure of the program is refused`() {
        for type in [WithChoice.self, WithText.self, WithLibrary.self] as [PersistentObject.Type] {
            expect(reason(type)?.contains("only structures that your program declares"), true, "\(type)")
        }
        expect(reason(WithEmpty.self), "address: it cannot be embedded: it has no fields. Remove @Embedded")
        expect(error(WithUncoded.self)?.description.contains("WithUncoded.address: Uncoded cannot be stored"), true)
    }

    @Test func `wrappers that need a single column are refused`() {
        expect(reason(WithUnique.self)?.contains("Name the columns of the index"), true)
        expect(reason(WithLazy.self)?.contains("combined with @Lazy"), true)
    }

    @Test func `a field with the column of another property is refused, and the error names both`() {
        guard case .duplicateColumn("WithTwo", "address_city", let both)? = error(WithTwo.self) else {
            Issue.record("another error")
            return
        }
        expect(Set(both), ["address.city", "other"])
    }
}
