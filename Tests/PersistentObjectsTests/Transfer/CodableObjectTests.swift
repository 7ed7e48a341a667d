import Foundation
import Observation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

private struct Answer: Codable { var worker: Worker }

private struct Line: Codable { var firm = Firm() }

private final class Bill: PersistentObject {
    override class var tableName: String { "coding_bill" }
    var line: Line?
    var workers: [Worker] = []
    var byName: [String: Worker] = [:]
    var worker: Worker?
}

private final class Tight: PersistentObject {
    override class var tableName: String { "coding_tight" }
    @Embedded var line = Line()
}

private struct Loose: Codable { var firm: Firm? }

private final class Wide: PersistentObject {
    override class var tableName: String { "coding_wide" }
    @Embedded var loose = Loose()
}

private final class Trip: PersistentObject, CodableObject {
    override class var tableName: String { "coding_trip" }
    @Embedded var start = Place()
    @Embedded var end: Place?
    var ally: Country?
}

/// Declares its own initializers.
private class Part: PersistentObject, CodableObject {
    override class var tableName: String { "coding_part" }
    var number: Int
    init(number: Int) {
        self.number = number
        super.init()
    }
    required init() {
        number = 1
        super.init()
    }
}

private final class Screw: Part { var length = 2.5 }

@MainActor private final class Shown: PersistentObject, CodableObject {
    override nonisolated class var tableName: String { "coding_shown" }
    var name = ""
}

private final class Picture: PersistentObject, CodableObject {
    override class var tableName: String { "coding_picture" }
    var name = ""
    @Lazy var photo = Data()
}

@Observable private final class Seen: PersistentObject, CodableObject {
    override class var tableName: String { "coding_seen" }
    var name = ""
    var firm: Firm?
}

struct CodableObjectTests {
    private static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }

    private static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return decoder
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try CodableObjectTests.encoder().encode(value), as: UTF8.self)
    }

    @Test(arguments: SeededGenerator.seeds(40))
    func `values of each type survive JSON and property lists exactly`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let it = try Everything.filled(&generator)
        // Encoders write 3.0 as 3, which a value of any type cannot distinguish.
        it.thing = Anything(.text("3"))
        let list = PropertyListEncoder()
        list.outputFormat = .binary
        let old = it.image
        let json = try CodableObjectTests.encoder().encode(it)
        var backs = [try CodableObjectTests.decoder().decode(Everything.self, from: json)]
        // Foundation's binary format stores canonically equal strings once, in one of their forms.
        let scalars = String(decoding: json, as: UTF8.self).unicodeScalars
        if !scalars.contains("\u{E9}") || !scalars.contains("\u{301}") {
            backs.append(try PropertyListDecoder().decode(Everything.self, from: list.encode(it)))
        }
        for back in backs {
            let new = back.image
            for name in old.keys.sorted() { expect(old[name], new[name], "\(name), seed \(seed)") }
        }
    }

    @Test func `references are encoded as keys, like in json, and decoded as objects of the session`() throws {
        try withTemporarySession { session, store in
            let (acme, joe, boss) = (Firm(), Worker(), Boss())
            (acme.name, joe.name, joe.firm, joe.mate, joe.friends) = ("Acme", "Joe", acme, boss, [joe, boss])
            (joe.desks, boss.bonus) = (["a": acme], 7)
            try joe.save()
            try expect(text(joe), String(decoding: joe.json, as: UTF8.self))
            try expect(text(boss), String(decoding: boss.json, as: UTF8.self))
            try expect(text(acme), #"{"id":1,"name":"Acme"}"#)
            try expect(text([acme]), #"[{"id":1,"name":"Acme"}]"#)
            let answer = try JSONDecoder().decode(Answer.self, from: JSONEncoder().encode(Answer(worker: joe)))
            let copy = answer.worker
            #expect(copy !== joe && copy.isNew && copy.id == nil && copy.firm === acme && copy.mate === boss)
            #expect(copy.friends == [joe, boss] && copy.desks == ["a": acme] && copy.age == nil)
            let other = try JSONDecoder().decode(Boss.self, from: JSONEncoder().encode(boss))
            #expect(other.bonus == 7 && type(of: other) == Boss.self)
            try copy.save()
            let id = try #require(copy.id)
            try store.open().withSession { _ in
                let read = try #require(try Worker.find(id))
                #expect(read.firm?.name == "Acme" && read.friends.map(\.name) == ["Joe", ""])
            }
            withExtendedLifetime(session) {}
        }
    }

    @Test func `keys, embedded values and the encoder's strategies are respected`() throws {
        try withTemporarySession { session, _ in
            let (iceland, trip) = (try Country(key: "IS"), Trip())
            (trip.ally, trip.start.city) = (iceland, "Ulm")
            for end in [nil, Place(city: "Rom", floors: [], rate: 2.5)] {
                trip.end = end
                let coded = try text(trip)
                #expect(coded == String(decoding: try trip.json, as: UTF8.self))
                try iceland.save()
                let back = try JSONDecoder().decode(Trip.self, from: Data(coded.utf8))
                #expect(back.start == trip.start && back.end == end && back.ally === iceland)
            }
            let encoder = CodableObjectTests.encoder()
            (encoder.dateEncodingStrategy, encoder.dataEncodingStrategy) = (.secondsSince1970, .deferredToData)
            let it = Everything()
            (it.date, it.data) = (Date(timeIntervalSince1970: 5), Data([1, 2]))
            let object = try #require(try JSONSerialization.jsonObject(with: encoder.encode(it)) as? [String: Any])
            #expect(object["date"] as? Int == 5 && object["data"] as? [Int] == [1, 2])
            withExtendedLifetime(session) {}
        }
    }

    @Test func `lazy values are loaded for encoding and do not count as edits`() throws {
        try withTemporarySession { session, store in
            let it = Picture()
            it.photo = Data([1])
            try it.save()
            let id = try #require(it.id)
            try store.open().withSession { _ in
                let read = try #require(try Picture.find(id))
                let back = try JSONDecoder().decode(Picture.self, from: JSONEncoder().encode(read))
                #expect(back.photo == Data([1]) && !read.hasChanges)
            }
            withExtendedLifetime(session) {}
        }
    }

    @Test func `missing properties have their initial values, also in subclasses`() throws {
        let screw = try JSONDecoder().decode(Screw.self, from: Data(#"{"id": 9, "length": 1}"#.utf8))
        #expect(screw.number == 1 && screw.length == 1 && screw.id == nil)
        let parts = try JSONDecoder().decode([String: Part].self, from: Data(#"{"a": {"number": 4}}"#.utf8))
        expect(parts["a"]?.number, 4)
    }

    @MainActor @Test func `a class of the main actor can be encoded and decoded`() throws {
        let shown = try JSONDecoder().decode(Shown.self, from: Data(#"{"name": "a"}"#.utf8))
        expect(String(decoding: try JSONEncoder().encode(shown), as: UTF8.self), #"{"name":"a"}"#)
    }

    @Test func `an observable class can be encoded and decoded`() throws {
        try withTemporarySession { session, _ in
            let seen = Seen()
            (seen.name, seen.firm) = ("a", Firm())
            try seen.save()
            let coded = try text(seen)
            expect(coded, #"{"firm":1,"id":1,"name":"a"}"#)
            let back = try JSONDecoder().decode(Seen.self, from: Data(coded.utf8))
            #expect(back.name == "a" && back.firm === seen.firm && back.isNew)
            withExtendedLifetime(session) {}
        }
    }

    @Test(arguments: [
        (#"{"worker": {"nmae": ""}}"#, "worker.nmae", "did you mean name"),
        (#"{"worker": {"age": "old"}}"#, "worker.age", "Int"),
        (#"{"worker": {"name": null}}"#, "worker.name", "String"),
        (#"{"worker": {"firm": 77}}"#, "worker.firm", "Worker.firm: There is no such object of Firm: 77"),
        (#"{"worker": {"firm": "x"}}"#, "worker.firm", "xpected the id of an object of Firm, not a string"),
        (#"{"worker": {"friends": [77]}}"#, "worker.friends", "There is no such object of Worker: 77"),
        (#"{"worker": {"friends": 1}}"#, "worker.friends", "xpected a list"),
        (#"{"worker": {"$class": "Boss"}}"#, "worker.$class", "The JSON describes an object of another class"),
        (#"{"worker": []}"#, "worker", ""),
    ])
    func `an invalid value throws an error with the coding path`(json: String, path: String, message: String) throws {
        try withTemporarySession { session, _ in
            let error = try #require(throws: DecodingError.self) {
                try JSONDecoder().decode(Answer.self, from: Data(json.utf8))
            }
            let context: DecodingError.Context? =
                switch error {
                case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                    .dataCorrupted(let context):
                    context
                @unknown default: nil
                }
            #expect(context?.codingPath.map(\.stringValue).joined(separator: ".") == path)
            #expect(message.isEmpty || "\(error)".contains(message), "\(error)")
            withExtendedLifetime(session) {}
        }
    }

    @Test func `a reference to an object that was never saved cannot be encoded`() throws {
        try withTemporarySession { session, _ in
            let joe = Worker()
            joe.firm = Firm()
            let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(Answer(worker: joe)) }
            guard case .invalidValue(_, let context)? = error else { return }
            #expect(context.codingPath.map(\.stringValue) == ["worker", "firm"])
            #expect(context.debugDescription.contains("alue refers to an object of Firm that has neither id nor key"))
            withExtendedLifetime(session) {}
        }
    }

    @Test func `an object in a Codable value cannot be stored, while references are stored as references`() throws {
        try withTemporarySession { session, store in
            let (bill, joe) = (Bill(), Worker())
            (bill.workers, bill.byName, bill.worker) = ([joe], ["a": joe], joe)
            try bill.save()
            try store.open().withSession { _ in
                let read = try #require(try Bill.all().first)
                #expect(read.workers.count == 1 && read.byName["a"] === read.worker && read.worker != nil)
            }
            bill.line = Line()
            let error = #expect(throws: StoreError.self) { try bill.save() }
            #expect(
                error?.property == "line" && error?.message.contains("contains an object of Firm") == true,
                "\(error as Any)")
            bill.line = nil
            #expect(throws: (any Error).self) { try Tight().save() }
            #expect(throws: (any Error).self) { try Wide().save() }
            try bill.save()
            withExtendedLifetime(session) {}
        }
    }
}
