import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Random objects and edits, compared with a model over several sessions.
@Suite struct RandomRoundTripTests {
    struct Values: Codable, Equatable {
        var text = ""
        var maybeText: String?
        var number = 0
        var small: Int16 = 0
        var maybeNumber: Int?
        var real = 0.0
        var maybeReal: Double?
        var flag = false
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var maybeDate: Date?
        var data = Data()
        var list: [String] = []
        var scores: [String: Int] = [:]
        var set: Set<Int> = []
        var uuid: UUID?

        mutating func change(_ random: inout SeededGenerator) {
            func text() -> String {
                let alphabet = Array("abcé\u{301}\u{0}'\"\\%_ 🎉ß\n")
                let count = [0, 1, 3, 15, 16, 60][Int.random(in: 0..<6, using: &random)]
                return String((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
            }
            func number() -> Int { Int(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random)) }
            func real() -> Double {
                let value = Double(bitPattern: random.next())
                return value.isNaN ? 0.5 : value
            }
            switch Int.random(in: 0..<15, using: &random) {
            case 0: self.text = text()
            case 1: maybeText = Bool.random(using: &random) ? nil : text()
            case 2: self.number = number()
            case 3: small = Int16(truncatingIfNeeded: number())
            case 4: maybeNumber = Bool.random(using: &random) ? nil : number()
            case 5: self.real = real()
            case 6: maybeReal = Bool.random(using: &random) ? nil : real()
            case 7: flag.toggle()
            case 8: date = Date(timeIntervalSinceReferenceDate: real())
            case 9: maybeDate = Bool.random(using: &random) ? nil : Date(timeIntervalSinceReferenceDate: real())
            case 10: data.append(UInt8.random(in: 0...255, using: &random))
            case 11: list.append(text())
            case 12: scores[text()] = number()
            case 13: set.insert(Int.random(in: 0..<9, using: &random))
            default:
                uuid =
                    Bool.random(using: &random)
                    ? nil : UUID(uuid: withUnsafeBytes(of: (random.next(), random.next())) { $0.load(as: uuid_t.self) })
            }
        }
    }

    final class Subject: PersistentObject {
        override class var tableName: String { "random_subject" }
        var text = ""
        var maybeText: String?
        var number = 0
        var small: Int16 = 0
        var maybeNumber: Int?
        var real = 0.0
        var maybeReal: Double?
        var flag = false
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var maybeDate: Date?
        var data = Data()
        var list: [String] = []
        var scores: [String: Int] = [:]
        var set: Set<Int> = []
        var uuid: UUID?

        var values: Values {
            get {
                Values(
                    text: text, maybeText: maybeText, number: number, small: small, maybeNumber: maybeNumber,
                    real: real,
                    maybeReal: maybeReal, flag: flag, date: date, maybeDate: maybeDate, data: data, list: list,
                    scores: scores, set: set, uuid: uuid)
            }
            set {
                (text, maybeText, number, small) = (newValue.text, newValue.maybeText, newValue.number, newValue.small)
                (maybeNumber, real, maybeReal) = (newValue.maybeNumber, newValue.real, newValue.maybeReal)
                (flag, date, maybeDate, data) = (newValue.flag, newValue.date, newValue.maybeDate, newValue.data)
                (list, scores, set, uuid) = (newValue.list, newValue.scores, newValue.set, newValue.uuid)
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(4))
    func `objects match a model through random saves, reverts, reloads, deletions and new sessions`(
        _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let store = try Store.inMemory(configuration: .init(lostEdits: .ignore))
        var model: [Int64: Values] = [:]
        for _ in 0..<6 {
            try store.withSession { session in
                try run(session, &model, &random, seed)
            }
        }
    }

    private func run(
        _ session: Session, _ model: inout [Int64: Values], _ random: inout SeededGenerator, _ seed: UInt64
    ) throws {
        var live = Dictionary(uniqueKeysWithValues: try Subject.all().map { ($0.rowID, $0) })
        try #require(Set(live.keys) == Set(model.keys), "seed \(seed)")
        var edited: [Int64: Values] = [:]
        for step in 0..<250 {
            let id = live.keys.sorted().randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), id.flatMap { live[$0] }) {
            case (0, _), (_, nil):
                let new = Subject()
                for _ in 0..<5 { new.values.change(&random) }
                let values = new.values
                try new.save()
                live[new.rowID] = new
                model[new.rowID] = values
            case (1, let object?):
                try object.save()
                if let values = edited.removeValue(forKey: object.rowID) { model[object.rowID] = values }
            case (2, let object?):
                object.revert()
                edited[object.rowID] = nil
            case (3, let object?):
                try object.reload()
                edited[object.rowID] = nil
            case (4, let object?) where step % 7 == 0:
                let id = object.rowID
                try object.delete()
                (live[id], model[id], edited[id]) = (nil, nil, nil)
            case (5, _) where step % 5 == 0:
                try session.saveChanges()
                model.merge(edited) { $1 }
                edited = [:]
            case (_, let object?):
                // Makes the same change in the object and in the model.
                var values = edited[object.rowID] ?? model[object.rowID] ?? Values()
                values.change(&random)
                object.values = values
                edited[object.rowID] = values
            }
            for (id, object) in live {
                let wanted = edited[id] ?? model[id]
                try #require(object.values == wanted, "seed \(seed), step \(step), row \(id)")
                if edited[id] == nil {
                    try #require(!object.hasChanges, "seed \(seed), step \(step): \(object.changes)")
                }
            }
            let unlike = edited.filter { $0.value != model[$0.key] }
            for id in unlike.keys { try #require(live[id]?.hasChanges == true, "seed \(seed), step \(step)") }
        }
    }
}
