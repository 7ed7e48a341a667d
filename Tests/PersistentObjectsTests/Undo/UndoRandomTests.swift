import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Undoing and redoing random work restores the file and the objects each time.
struct UndoRandomTests {
    typealias Person = UndoModel.Person
    typealias Company = UndoModel.Company
    typealias Pet = UndoModel.Pet

    private struct World {
        var notes: [UndoModel.Note] = []
        var people: [Person] = []
        var companies: [Company] = []
        var pets: [Pet] = []
        /// All objects are held, so that each is found as the same instance.
        var all: [PersistentObject] { notes + people + companies + pets }
    }

    @Test(arguments: SeededGenerator.seeds(40))
    func `undo and redo of random work restore file and objects`(seed: UInt64) throws {
        try UndoModel.withSession { session, file throws in
            var random = SeededGenerator(seed: seed)
            var world = World()
            var states = [try file.rows()]
            for _ in 0..<25 {
                try Self.work(session, &world, &random)
                let state = try file.rows()
                // A commit without an effective change is not a level.
                if state != states[states.count - 1] { states.append(state) }
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                let depth = Int.random(in: 1...3, using: &random)
                var undone = 0
                for _ in 0..<depth where session.canUndo {
                    try session.undo()
                    undone += 1
                    #expect(try file.rows() == states[states.count - 1 - undone], "seed \(seed)")
                    try Self.compare(session, file, world, "seed \(seed)")
                }
                if Bool.random(using: &random) {
                    for _ in 0..<undone { try session.redo() }
                    #expect(try file.rows() == states[states.count - 1], "seed \(seed)")
                    try Self.compare(session, file, world, "seed \(seed)")
                } else {
                    states.removeLast(undone)
                }
            }
            var count = 0
            while session.canUndo {
                try session.undo()
                count += 1
            }
            #expect(try file.rows() == states[0], "seed \(seed)")
            #expect(world.all.allSatisfy { $0.lifecycle != .saved }, "seed \(seed)")
            // Some levels may have been undone before, without a later commit.
            for _ in 0..<count { try session.redo() }
            #expect(try file.rows() == states[states.count - 1], "seed \(seed)")
            try Self.compare(session, file, world, "seed \(seed)")
        }
    }

    private static func work(_ session: Session, _ world: inout World, _ random: inout SeededGenerator) throws {
        let people = world.people.filter { $0.lifecycle == .saved }
        let companies = world.companies.filter { $0.lifecycle == .saved }
        let pets = world.pets.filter { $0.lifecycle == .saved }
        switch Int.random(in: 0..<9, using: &random) {
        case 0...2:
            let person = Bool.random(using: &random) ? Person() : UndoModel.Employee()
            change(person, people, companies, &random)
            world.people.append(person)
            let pet = Pet()
            pet.owner = person
            world.pets.append(pet)
            try session.save([person, pet])
        case 3:
            let company = Company()
            company.desks = (0..<Int.random(in: 0...3, using: &random)).map { _ in UndoModel.Desk() }
            world.companies.append(company)
            // A server has no full-text search.
            guard !TestEngine.isPostgres else { return try company.save() }
            let note = world.notes.randomElement(using: &random) ?? UndoModel.Note()
            let saved = note.isDeleted ? UndoModel.Note() : note
            saved.text = "word\(Int.random(in: 0..<9, using: &random))"
            if saved.isNew { world.notes.append(saved) }
            try session.save([company, saved])
        case 4, 5:
            for person in people where Bool.random(using: &random) { change(person, people, companies, &random) }
            for pet in pets where Int.random(in: 0..<4, using: &random) == 0 {
                pet.owner = people.randomElement(using: &random)
            }
            for company in companies where !company.desks.isEmpty && Bool.random(using: &random) {
                company.desks.shuffle(using: &random)
                if Bool.random(using: &random) { company.desks.removeLast() }
            }
            try session.saveChanges()
        case 6: try people.randomElement(using: &random)?.delete()
        case 7: try companies.randomElement(using: &random)?.delete()
        default:
            try session.execute(
                "UPDATE person SET age = coalesce(age, 0) + 1 WHERE id % 2 = ?", Int.random(in: 0...1, using: &random))
            try session.refresh()
        }
    }

    private static func change(
        _ person: Person, _ people: [Person], _ companies: [Company], _ random: inout SeededGenerator
    ) {
        let number = Int.random(in: 0..<1000, using: &random)
        person.name = "P\(number)"
        if Bool.random(using: &random) { person.age = number }
        person.employer = companies.randomElement(using: &random)
        person.friends = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
            people.randomElement(using: &random)
        }
        person.tags = Set((0..<Int.random(in: 0...3, using: &random)).map { "t\($0)" })
        person.marks = Bool.random(using: &random) ? nil : ["a": number, "b": 2]
        if Bool.random(using: &random) { person.note = "n\(number)" }
        if person.passport == nil, Bool.random(using: &random) { person.passport = UndoModel.Passport() }
    }

    /// Compares the objects in memory with those of another session.
    private static func compare(_ session: Session, _ file: UndoFile, _ world: World, _ comment: Comment) throws {
        let other = try file.file.open()
        try other.prepare(UndoModel.Employee.self)
        try other.withSession { _ throws in
            let rows = try Person.all()
            let held = world.people.filter { $0.lifecycle == .saved }.map(\.rowID).sorted()
            #expect(rows.map(\.rowID) == held, comment)
            for row in rows {
                let mine = try #require(world.people.first { $0.lifecycle == .saved && $0.id == row.id })
                #expect(!mine.hasChanges, comment)
                #expect(mine.name == row.name && mine.age == row.age && mine.tags == row.tags, comment)
                #expect(mine.marks == row.marks && mine.note == row.note, comment)
                #expect(mine.employer?.id == row.employer?.id, comment)
                #expect(mine.passport?.id == row.passport?.id, comment)
                #expect(mine.friends.map(\.id) == row.friends.map(\.id), comment)
                let pets = mine.pets.map(\.rowID).sorted()
                #expect(pets == row.pets.map(\.rowID), comment)
                #expect(mine.friends.allSatisfy { friend in world.people.contains { $0 === friend } }, comment)
            }
            for row in try Company.all() {
                let mine = try #require(world.companies.first { $0.lifecycle == .saved && $0.id == row.id })
                #expect(mine.desks.map(\.id) == row.desks.map(\.id) && !mine.hasChanges, comment)
            }
        }
    }
}
