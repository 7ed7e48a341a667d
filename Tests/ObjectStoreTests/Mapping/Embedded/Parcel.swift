import Foundation
import PersistentObjects

/// A class with embedded values with all kinds of fields.
final class Parcel: PersistentObject {
    enum Kind: String, Codable, CaseIterable { case letter, box }
    enum Level: Int, Codable { case low = 1, high = 9 }

    struct Place: Codable, Equatable {
        var lat = 0.0
        var lon: Double?
        var label = ""
    }

    struct Address: Codable, Equatable {
        var city = ""
        var zip: String?
        var number = 0
        var floor: Int8?
        var isOwn = false
        var isQuiet: Bool?
        var kind = Kind.letter
        var level: Level?
        var since = Date(timeIntervalSinceReferenceDate: 0)
        var until: Date?
        var seal = Data()
        var token = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var price = Decimal(0)
        var page: URL?
        var ratio: Float = 0
        var place = Place()
        var summer: Place?
        var notes: [String] = []
        var big: UInt64 = 0

        enum CodingKeys: String, CodingKey {
            case city = "ort"
            case zip, number, floor, isOwn, isQuiet, kind, level, since, until, seal, token, price, page, ratio
            case place = "wo"
            case summer, notes, big
        }
    }

    override class var tableName: String { "embedded_parcel" }
    override class var indexes: [Index] { [Index(\Parcel.address.city), Index("address.token", unique: false)] }
    var name = ""
    @Embedded var address = Address()
    var weight = 0
    @Column("back") @Embedded var sender = Place()
}

extension Parcel.Address {
    /// An address with random values, many of them at the limits of their types.
    static func random(_ random: inout some RandomNumberGenerator) -> Parcel.Address {
        var address = Parcel.Address()
        address.city = ["", "Graz", "é", "e\u{301}", "a\0b", "Wien \"1\""].randomElement(using: &random) ?? ""
        address.zip = [nil, "", "8010"].randomElement(using: &random) ?? nil
        address.number = [Int.min, -1, 0, 7, Int.max].randomElement(using: &random) ?? 0
        address.floor = [nil, Int8.min, 0, Int8.max].randomElement(using: &random) ?? nil
        address.isOwn = .random(using: &random)
        address.isQuiet = [nil, true, false].randomElement(using: &random) ?? nil
        address.kind = Parcel.Kind.allCases.randomElement(using: &random) ?? .box
        address.level = [nil, .low, .high].randomElement(using: &random) ?? nil
        address.since = Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random))
        address.until = [nil, .distantPast, .distantFuture].randomElement(using: &random) ?? nil
        address.seal = [Data(), Data([0, 255])].randomElement(using: &random) ?? Data()
        address.token = UUID(
            uuid: (UInt8.random(in: 0...255, using: &random), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        address.price =
            [0, Decimal(string: "12.5") ?? 0, Decimal(string: "-0.000001") ?? 0].randomElement(
                using: &random) ?? 0
        address.page = [nil, URL(string: "https://example.com/a?b=1")].randomElement(using: &random) ?? nil
        address.ratio = [0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -1.5].randomElement(using: &random) ?? 0
        address.place.lat = [0, .infinity, .leastNonzeroMagnitude, 47.07].randomElement(using: &random) ?? 0
        address.place.lon = [nil, 0, 15.43].randomElement(using: &random) ?? nil
        address.place.label = ["", "home"].randomElement(using: &random) ?? ""
        address.summer = [nil, Parcel.Place(lat: 1, lon: nil, label: "lake")].randomElement(using: &random) ?? nil
        address.notes = [[], [""], ["a", "b"]].randomElement(using: &random) ?? []
        address.big = [0, UInt64(Int64.max)].randomElement(using: &random) ?? 0
        return address
    }
}
