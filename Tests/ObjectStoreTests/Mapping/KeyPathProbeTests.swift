import Foundation
import Observation
import TestSupport
import Testing

@testable import PersistentObjects

private enum Two { case a, b }
private enum Status: String, CaseIterable { case new, old, gone }
private enum Level: Int { case low = 10, high = 20 }
private enum Unit: String { case only }
private struct Address: Codable, Equatable {
    var street = "s"
    var zip: Int? = 1
    var parts: [String] = []
    subscript(stopping place: Int) -> Int { [1, 2, 3].dropFirst(9)[place + 9] }
}
private enum Event: Codable, Equatable {
    case born(Int)
    case named(String)
}

/// A type whose values only its initializers can create.
private struct Sealed: Codable, Equatable {
    var number = 1
    init() {}
    init(from decoder: any Decoder) throws { throw CocoaError(.coderReadCorrupt) }
}

private class Kinds: PersistentObject {
    override class var tableName: String { "kinds" }
    var name = ""
    var otherName = ""
    var age = 0
    var b1 = false
    var b2 = false
    var status1 = Status.new
    var status2 = Status.new
    var level = Level.low
    var unit1 = Unit.only
    var unit2 = Unit.only
    var address = Address()
    var event = Event.born(1)
    var sealed = Sealed()
    var note: String?
    var nicks: [String] = []
    var codes: [Int] = []
    var scores: [String: Int] = [:]
    var link: URL?
    var home = URL(filePath: "/")
    var key = UUID()
    var price = Decimal(0)
    var when = Date()
    var data = Data()
    var bytes: [UInt8] = []
    var nan = Double.nan
    var ratio: Float = 0
    var letter: Character = "l"
    var cut: Substring = "c"
    @Indexed var wrapped = "w"
    @Unique @Column("deep") var nested: Int8 = 3
    @Transient var passing = 0
    var observed: Int16 = 1 { didSet { observations += 1 } }
    var observations: Int32 = 0
    let constant = 5
    lazy var late = 7
    var `two words` = 1 as UInt16
    var `a.b` = 1 as UInt32

    var upper: String { name.uppercased() }
    var trimmed: String { name.trimmingCharacters(in: .whitespaces) }
    var both: String { name + otherName }
    var shown: String { otherName.isEmpty ? name : otherName }
    var shownFirst: String { note ?? name }
    var chosen: String { b1 ? name : "none" }
    var either: Bool { b1 || b2 }
    var neither: Bool { b1 && !b2 }
    var isAdult: Bool { age >= 18 }
    var fixed: Int { 3 }
    var random: Int { .random(in: 0..<1_000_000) }
    var doubled: Int { age * 2 }
    var alias: Int {
        get { age }
        set { age = newValue }
    }
    private var reads: Int64 = 0
    var counting: Int {
        reads += 1
        return age
    }
    subscript(offset: Int) -> Int { age + offset }
    var city: Address { Address(street: address.street.uppercased()) }
}

private final class Sub: Kinds {
    var salary = 0.0
    override var name: String {
        get { super.name }
        set { super.name = newValue }
    }
    override var age: Int { didSet {} }
}

private final class Frozen: PersistentObject {
    override class var tableName: String { "frozen" }
    var event = Event.born(1)
    var sealed = Sealed()
    var other = Sealed()
    var unit = Unit.only
    var `a.b` = Sealed()
    var computed: Sealed { sealed }
    subscript(stopping place: Int) -> Sealed { [Sealed]()[place] }
}

private class Held<T>: PersistentObject {
    override class var tableName: String { "held" }
    var number = 0
    var same: Int { number }
    subscript(place: Int) -> Int { [Int]()[place] }
}

@Observable private final class Watched: PersistentObject {
    override class var tableName: String { "watched" }
    var name = ""
    var age = 0
    @ObservationIgnored var plain = 0
}

private class Box<T: ExpressibleByStringLiteral>: PersistentObject {
    override class var tableName: String { "box" }
    var value: T = ""
    var other: T = ""
}
private final class TextBox: Box<String> {
    var own = ""
}

private final class Flags: PersistentObject {
    override class var tableName: String { "flags" }
    var f0 = false, f1 = true, f2 = false, f3 = true, f4 = false, f5 = true, f6 = false, f7 = true, f8 = false,
        f9 = true
    var g0 = false, g1 = true, g2 = false, g3 = true, g4 = false, g5 = true, g6 = false, g7 = true, g8 = false,
        g9 = true
}

/// The property that a key path denotes, and key paths that denote none.
@Suite struct KeyPathProbeTests {
    private func name<T: PersistentObject>(_ path: PartialKeyPath<T>) throws -> String? {
        let map = try ClassMap.map(of: T.self)
        return try KeyPathProbe(map.properties, map.scratch).property(of: path).map { map.properties[$0].name }.get()
    }

    private func refusal<T: PersistentObject>(_ path: PartialKeyPath<T>) throws -> KeyPathProbe.Refusal? {
        let map = try ClassMap.map(of: T.self)
        guard case .failure(let refusal) = KeyPathProbe(map.properties, map.scratch).property(of: path) else {
            return nil
        }
        return refusal
    }

    @Test func `a key path is resolved for each kind of stored property`() throws {
        let paths: [(PartialKeyPath<Kinds>, String)] = [
            (\.name, "name"), (\.otherName, "otherName"), (\.age, "age"), (\.b1, "b1"), (\.b2, "b2"),
            (\.status1, "status1"), (\.status2, "status2"), (\.level, "level"), (\.address, "address"),
            (\.event, "event"), (\.note, "note"),
            (\.nicks, "nicks"), (\.codes, "codes"), (\.scores, "scores"), (\.link, "link"), (\.home, "home"),
            (\.key, "key"),
            (\.price, "price"), (\.when, "when"), (\.data, "data"), (\.bytes, "bytes"), (\.nan, "nan"),
            (\.ratio, "ratio"),
            (\.letter, "letter"), (\.cut, "cut"), (\.wrapped, "wrapped"), (\.nested, "nested"),
            (\.observed, "observed"),
            (\.observations, "observations"), (\.`two words`, "two words"), (\.`a.b`, "a.b"),
        ]
        for (path, wanted) in paths {
            let found = try name(path)
            expect(found, wanted)
        }
    }

    @Test func `key paths of inherited, overridden and generic properties are resolved`() throws {
        try expect(name(\Sub.salary), "salary")
        try expect(name(\Sub.name), "name")
        try expect(name(\Sub.age), "age")
        try expect(name(\Sub.nicks), "nicks")
        try expect(name(\Box<String>.other), "other")
        try expect(name(\Box<Substring>.value), "value")
        try expect(name(\TextBox.value), "value")
        try expect(name(\TextBox.own), "own")
    }

    @Test func `a key path of the superclass is valid for the subclass, but not the reverse`() throws {
        let map = try ClassMap.map(of: Sub.self)
        let probe = KeyPathProbe(map.properties, map.scratch)
        let place = try probe.property(of: \Kinds.b2).get()
        expect(map.properties[place].name, "b2")
        let base = try ClassMap.map(of: Kinds.self)
        expect(KeyPathProbe(base.properties, base.scratch).property(of: \Sub.age), .failure(.otherClass))
        expect(KeyPathProbe(base.properties, base.scratch).property(of: \Watched.age), .failure(.otherClass))
    }

    @Test func `key paths of an @Observable class are resolved`() throws {
        try expect(name(\Watched.name), "name")
        try expect(name(\Watched.age), "age")
        try expect(name(\Watched.plain), "plain")
    }

    @Test func `the key paths of twenty Bool properties are distinguished`() throws {
        let paths: [PartialKeyPath<Flags>] = [
            \.f0, \.f1, \.f2, \.f3, \.f4, \.f5, \.f6, \.f7, \.f8, \.f9, \.g0, \.g1, \.g2, \.g3, \.g4, \.g5, \.g6, \.g7,
            \.g8, \.g9,
        ]
        try expect(paths.map { try name($0) }, (0..<20).map { "\($0 < 10 ? "f" : "g")\($0 % 10)" })
    }

    @Test func `a computed property that only returns another property denotes that property`() throws {
        try expect(name(\Kinds.alias), "age")
        try expect(name(\Kinds.counting), "age")
    }

    @Test func `computed, let, lazy and transient properties are refused`() throws {
        let paths: [PartialKeyPath<Kinds>] = [
            \.upper, \.trimmed, \.both, \.shown, \.shownFirst, \.chosen, \.either, \.neither, \.isAdult, \.fixed,
            \.random, \.doubled, \.constant, \.late, \.passing, \.city,
            \.self, \.isNew, \.isDeleted, \.hasChanges, \.description, \.persistentID,
        ]
        for path in paths { try expect(refusal(path), .notStored, "\(path)") }
    }

    @Test func `key paths with several components are refused as paths`() throws {
        let paths: [PartialKeyPath<Kinds>] = [
            \.address.street, \.address.zip, \.note?.count, \.name.count, \.nicks.first, \.link!.path,
            \.address.zip?.description,
        ]
        for path in paths { try expect(refusal(path), .isPath, "\(path)") }
        #expect(KeyPathProbe.Refusal.isPath.reason.contains("path"))
    }

    @Test func `a key path with a subscript is refused without evaluating it`() throws {
        #expect(try refusal(\Kinds.[3]) == .hasSubscript)
        #expect(try refusal(\Kinds.nicks[0]) == .hasSubscript)
        #expect(try refusal(\Kinds.scores["a"]) == .hasSubscript)
        #expect(try refusal(\Frozen.[stopping: 0]) == .hasSubscript)
        // A computed property of a generic type has key path arguments of another kind.
        func generic<T>(_: T.Type) throws -> KeyPathProbe.Refusal? { try refusal(\Held<T>.same) }
        #expect(try generic(Int.self) == nil && refusal(\Held<Int>.same) == nil)
        #expect(try refusal(\Held<Int>.[0]) == .hasSubscript)
        try withTemporarySession { _, _ in
            #expect(throws: QueryError.self) { _ = try Kinds.query.order(by: \.nicks[0]).all() }
            #expect(throws: QueryError.self) { _ = try Kinds.query.values(of: \.nicks[0]) }
            #expect(throws: QueryError.self) { _ = try Kinds.where { $0.address.parts[0] == "x" }.count() }
            #expect(throws: QueryError.self) { _ = try Kinds.query.order { $0.address.parts[0] }.all() }
            #expect(throws: QueryError.self) { _ = try Kinds.where { $0.address[stopping: 0] == 1 }.count() }
            #expect(throws: QueryError.self) { _ = try Kinds.query.values(of: \.address[stopping: 0]) }
        }
    }

    @Test func `properties whose type has only one value cannot be distinguished`() throws {
        try expect(refusal(\Kinds.unit1), .indistinguishable)
        try expect(refusal(\Kinds.unit2), .indistinguishable)
        try expect(refusal(\Frozen.unit), .indistinguishable)
    }

    @Test
    func `a property whose values cannot be created is resolved in a final class, and refused in others`() throws {
        #expect(try refusal(\Kinds.sealed) == .indistinguishable)
        #expect(try name(\Frozen.event) == "event")
        #expect(try name(\Frozen.sealed) == "sealed")
        #expect(try name(\Frozen.other) == "other")
        #expect(try name(\Frozen.`a.b`) == "a.b")
        #expect(try refusal(\Frozen.computed) == .indistinguishable)
    }

    @Test func `the key path of id is distinguished from all others`() throws {
        let map = try ClassMap.map(of: Kinds.self)
        let probe = KeyPathProbe(map.properties, map.scratch)
        #expect(probe.readsID(\Kinds.id))
        #expect(!probe.readsID(\Kinds.age))
        #expect(!probe.readsID(\Kinds.self))
        try expect(refusal(\Kinds.id), .notStored)
        try expect(KeyPathResolver.subject(of: \Kinds.id, in: map), .id)
    }

    @Test func `resolving a key path leaves the scratch object unchanged`() throws {
        // A separate class, because other tests concurrently read getters that count their calls.
        final class Alone: PersistentObject {
            override class var tableName: String { "probed_alone" }
            var name = ""
            var age = 0
            var address = Address()
            var nicks: [String] = []
            var upper: String { name.uppercased() }
        }
        let map = try ClassMap.map(of: Alone.self)
        let before = map.scratch.withObject { object, _ in "\(object.description) \(object.id as Any)" }
        for path in [\Alone.name, \.age, \.address, \.upper, \.id, \.nicks] as [PartialKeyPath<Alone>] {
            _ = KeyPathProbe(map.properties, map.scratch).property(of: path)
            _ = KeyPathProbe(map.properties, map.scratch).readsID(path)
        }
        expect(map.scratch.withObject { object, _ in "\(object.description) \(object.id as Any)" }, before)
    }

    @Test func `a getter that saves or finds while a key path is resolved gets an error, and no row is added`() throws {
        final class Meddler: PersistentObject {
            override class var tableName: String { "meddler" }
            @Transient var errors: [any Error] = []
            var name = ""
            var saved: String {
                do { try save() } catch { errors.append(error) }
                do { _ = try Meddler.count() } catch { errors.append(error) }
                return name
            }
        }
        try withTemporarySession { _, file in
            try Meddler().save()
            let map = try ClassMap.map(of: Meddler.self)
            // The getter only returns the name.
            #expect(try name(\Meddler.saved) == "name")
            let codes = map.scratch.withObject { object, _ in
                (object as? Meddler)?.errors.map { ($0 as? StoreError)?.code } ?? []
            }
            #expect(codes.count >= 4 && codes.allSatisfy { $0 == .misuse }, "\(codes)")
            #expect(try file.sqlite("SELECT count(*) FROM meddler") == "1")
        }
    }
}
