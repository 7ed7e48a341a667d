import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

struct ObjectJSONTests {
    @Test(arguments: SeededGenerator.seeds(40))
    func `values of each type survive JSON exactly`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let it = try Everything.filled(&generator)
        let json = try it.json
        let back = try Everything(json: json)
        let (old, new) = (it.image, back.image)
        for name in old.keys.sorted() { expect(old[name], new[name], "\(name), seed \(seed)") }
        try expect(back.json, json)
        // Foundation can read it, too.
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        expect(object.count, it.dictionary.count - 1)
    }

    @Test(arguments: SeededGenerator.seeds(20))
    func `values of each type survive jsonObject and init(_:)`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let it = try Everything.filled(&generator)
        let object = try it.jsonObject
        #expect(JSONSerialization.isValidJSONObject(object))
        let (old, new) = (it.image, try Everything(object).image)
        for name in old.keys.sorted() { expect(old[name], new[name], "\(name), seed \(seed)") }
    }

    @Test func `JSON has sorted names, ISO 8601 dates and no transient properties`() throws {
        try withTemporarySession { session, _ in
            let acme = Firm()
            acme.name = "Ac\"me"
            let joe = Worker()
            joe.name = "Joe"
            joe.firm = acme
            joe.friends = [joe]
            try joe.save()
            let text = String(decoding: try joe.json, as: UTF8.self)
            #expect(
                text == #"{"age":null,"badge":null,"desks":{},"firm":1,"friends":[1],"id":1,"mate":null,"name":"Joe"}"#)
            #expect(String(decoding: try acme.json, as: UTF8.self) == #"{"id":1,"name":"Ac\"me"}"#)
            let it = Everything()
            it.date = Date(timeIntervalSinceReferenceDate: 785_525_400.125)
            let object = try it.jsonObject
            #expect(object["date"] as? String == "2025-11-22T17:30:00.125Z")
            #expect(object["scratch"] == nil)
            #expect(object["amount"] as? String == "0")
            #expect(object["uuid"] as? String == "00000000-0000-0000-0000-000000000000")
            #expect(object["maybeInt"] is NSNull)
            withExtendedLifetime(session) {}
        }
    }

    @Test func `references are decoded as objects of the session, by id or key`() throws {
        try withTemporarySession { session, _ in
            let acme = Firm()
            try acme.save()
            let joe = try Worker(json: Data(#"{"name": "Joe", "firm": 1, "desks": {"a": 1}}"#.utf8))
            #expect(joe.firm === acme && joe.desks["a"] === acme)
            let iceland = try Country(key: "IS")
            try iceland.save()
            let norway = try Country(json: Data(#"{"key": "NO", "neighbours": ["IS"], "ally": "IS"}"#.utf8))
            #expect(norway.neighbours == [iceland] && norway.ally === iceland && norway.key == "NO")
            try norway.save()
            let text = String(decoding: try norway.json, as: UTF8.self)
            expect(text, #"{"ally":"IS","id":2,"key":"NO","name":"","neighbours":["IS"]}"#)
            let other = try Worker(["firm": 1, "friends": [] as [Int]])
            #expect(other.firm === acme)
            withExtendedLifetime(session) {}
        }
    }

    /// JSON for `Everything`, and the resulting value of the property.
    @Test(arguments: [
        (#"{"date": "2026-01-01"}"#, "date", "2026-01-01T00:00:00Z"),
        (#"{"date": "2026-01-01T02:00:00+02:00"}"#, "date", "2026-01-01T00:00:00Z"),
        (#"{"date": "2026-01-01 00:00"}"#, "date", "2026-01-01T00:00:00Z"),
        (#"{"date": "2025-12-31T23:59:59.5-0030"}"#, "date", "2026-01-01T00:29:59.5Z"),
        (#"{"date": 0}"#, "date", "2001-01-01T00:00:00Z"),
        (#"{"date": -1.5}"#, "date", "2000-12-31T23:59:58.5Z"),
        (#"{"amount": 3.5}"#, "amount", "3.5"),
        (#"{"amount": "3.50"}"#, "amount", "3.5"),
        (#"{"amount": -1.25e-3}"#, "amount", "-0.00125"),
        (#"{"amount": 12e2}"#, "amount", "1200"),
        (#"{"amount": 0.1000000000000000055511151231257827}"#, "amount", "0.1000000000000000055511151231257827"),
        (#"{"uuid": "6ba7b810-9dad-41d1-80b4-00c04fd430c8"}"#, "uuid", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8"),
        (#"{"numbers": [2, 2.0e0, 3]}"#, "numbers", ""),
        (#"{"int": 3.0}"#, "int", "3"),
        (#"{"float": 0.1}"#, "float", "0.1"),
        (#"{"flag": 1}"#, "flag", "true"),
    ])
    func `alternative notations of a value are accepted`(json: String, property: String, wanted: String) throws {
        guard !wanted.isEmpty else {
            #expect(throws: TransferError.self) { try Everything(json: Data(json.utf8)) }
            return
        }
        let object = try Everything(json: Data(json.utf8)).jsonObject
        expect("\(object[property] ?? "")", wanted)
    }

    @Test(arguments: [
        (#"{"agee": 3}"#, "Worker: The class has no stored property \"agee\"; did you mean age?"),
        (#"{"age": "old"}"#, "Worker.age: Expected an integer, not a string: \"old\""),
        (#"{"age": 3.5}"#, "Worker.age: Expected an integer: 3.5"),
        (#"{"age": 1e40}"#, "at most Int64.max: 1e40"),
        (#"{"age": 92233720368547758070}"#, "at most Int64.max: 92233720368547758070"),
        (#"{"name": null}"#, "Worker.name: Null is not a value of String: null"),
        (#"{"name": ["a"]}"#, "Worker.name: Expected a string, not a list: [\"a\"]"),
        (#"{"friends": 3}"#, "Worker.friends: Expected a list, not a number: 3"),
        (#"{"friends": [7]}"#, "Worker.friends: There is no such object of Worker: 7"),
        (#"{"firm": "IS"}"#, "Worker.firm: Expected the id of an object of Firm, not a string: \"IS\""),
        (#"{"desks": []}"#, "Worker.desks: Expected an object, not a list: []"),
        (#"{"name": "a", "name": "b"}"#, "Worker: This is not valid JSON: the name \"name\" occurs twice (byte 14)"),
        (#"{"name": "a"} x"#, "unexpected characters after the value"), (#"{"name": "a""#, "expected a comma or }"),
        (#"[]"#, "Worker: Expected an object, not a list"), (#"{"name": "\uD800"}"#, "half of a surrogate pair"),
        (#"{"age": 03}"#, "expected a comma or }"), (#"{"age": .5}"#, "expected a value"),
        (#"{"name": "\x"}"#, "unknown escape sequence"), (#"{"$class": "Boss"}"#, "another class"),
        ("", "the JSON ends where a value is expected"),
        (String(repeating: "[", count: 100_000), "nested more than 500 levels deep"),
    ])
    func `invalid JSON throws an error that describes the problem`(json: String, words: String) throws {
        try withTemporarySession { _, _ in
            let error = try #require(throws: TransferError.self) { try Worker(json: Data(json.utf8)) }
            #expect("\(error)".contains(words), "\(error)")
            expect(error.localizedDescription, "\(error)")
        }
    }

    @Test(arguments: [
        (#"{"flag": 2}"#, "flag"), (#"{"int8": 300}"#, "int8"), (#"{"uint64": -1}"#, "uint64"),
        (#"{"letter": "ab"}"#, "letter"), (#"{"amount": "3,5"}"#, "amount"),
        (#"{"amount": 1.000000000000000000000000000000000000000000001}"#, "amount"), (#"{"data": "?"}"#, "data"),
        (#"{"uuid": "x"}"#, "uuid"), (#"{"date": "2026-02-30"}"#, "date"), (#"{"date": "26-01-01"}"#, "date"),
        (#"{"date": "2026-01-01T24:00:00Z"}"#, "date"), (#"{"mood": "angry"}"#, "mood"), (#"{"level": 2}"#, "level"),
        (#"{"place": {"city": 3}}"#, "place"), (#"{"double": 1e400}"#, "double"), (#"{"double": "x"}"#, "double"),
        (#"{"list": [null]}"#, "list"), (#"{"byNumber": {"x": "a"}}"#, "byNumber"), (#"{"thing": []}"#, "thing"),
        (#"{"byMood": {"angry": []}}"#, "byMood"), (#"{"float": 1e39}"#, "float"), (#"{"amount": 1e201}"#, "amount"),
        (#"{"amount": 1e-9223372036854775808}"#, "amount"),
    ])
    func `a value that its type rejects throws an error with class, property and value`(
        json: String, property: String
    ) throws {
        let error = try #require(throws: TransferError.self) { try Everything(json: Data(json.utf8)) }
        #expect(error.className == "Everything" && error.property == property && error.value != nil, "\(error)")
    }

    @Test func `NaN and references to unsaved objects cannot be encoded`() throws {
        let it = Everything()
        it.double = .nan
        try expect(#require(throws: TransferError.self) { try it.json }.property, "double")
        let joe = Worker()
        joe.firm = Firm()
        try expect(#require(throws: TransferError.self) { try joe.json }.property, "firm")
    }

    @Test func `an object can be created from a dictionary read from JSON, and invalid values throw`() throws {
        let text = #"{"date":"2026-01-01T00:00:00Z","amount":"3.5","numbers":[1,2],"flag":true,"int":1,"mood":"sad"}"#
        let values = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let it = try Everything(values)
        #expect(
            it.amount == Decimal(string: "3.5") && it.numbers == [1, 2] && it.flag && it.int == 1 && it.mood == .sad)
        expect(it.date, Date(timeIntervalSince1970: 1_767_225_600))
        try it.set("uuid", to: "6ba7b810-9dad-41d1-80b4-00c04fd430c8")
        expect(it.uuid.uuidString, "6BA7B810-9DAD-41D1-80B4-00C04FD430C8")
        let error = try #require(throws: StoreError.self) { try it.set("int", to: "3") }
        #expect(error.code == .noSuchProperty && error.property == "int")
        #expect(throws: StoreError.self) { try it.set("flag", to: 7) }
    }

    @Test func `dates are written and read exactly throughout the calendar`() throws {
        var generator = SeededGenerator(seed: 7)
        let calendar = Calendar(identifier: .gregorian)
        for _ in 0..<2000 {
            let seconds = Double(Int64(generator.next() % 100_000_000_000) - 40_000_000_000)
            let it = Everything()
            it.date = Date(timeIntervalSinceReferenceDate: seconds + Double(generator.next() % 1000) / 1000)
            let text = try #require(try it.jsonObject["date"] as? String)
            try expect(Everything(["date": text]).date, it.date, "\(text)")
            // The Gregorian calendar started in 1582; before that, Foundation uses the Julian calendar.
            guard seconds > -13_000_000_000 else { continue }
            var utc = calendar
            utc.timeZone = .gmt
            let parts = utc.dateComponents([.year, .month, .day, .hour, .minute, .second], from: it.date)
            let year = parts.year ?? 0
            #expect(text.hasPrefix("\(year < 1000 ? "0" : "")\(year)-"), "\(text)")
            let wanted = [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { $0 ?? -1 }
            expect(text.prefix(19).dropFirst(5).split { !$0.isNumber }.map { Int($0) ?? -2 }, wanted, "\(text)")
        }
    }
}
