import Foundation
import StoreEngine
import TestSupport

@testable import PersistentObjects

/// About a hundred steps with objects, each in one transaction. A file left at any moment is therefore in the state
/// after one of the steps.
final class KillProgram {
    typealias Step = @Sendable (KillProgram) throws -> Void

    private let folder: FaultyFolder
    private let journal: JournalMode
    private(set) var store: Store
    private(set) var session: Session
    private var orchestras: [Orchestra] = []

    /// Opens the store, which creates the file.
    init(_ folder: FaultyFolder, _ journal: JournalMode) throws {
        (self.folder, self.journal) = (folder, journal)
        store = try KillProgram.open(folder, journal)
        session = try Session(store)
    }

    static func open(_ folder: FaultyFolder, _ journal: JournalMode) throws -> Store {
        try folder.file.open(
            configuration: .init(busyTimeout: .seconds(1), lostEdits: .ignore, onNote: { _ in }, journal: journal))
    }

    /// Runs all steps, and calls `done` after each.
    func run(_ done: (Int) throws -> Void) throws {
        for (index, step) in KillProgram.steps.enumerated() {
            try CurrentSession.with(session) { try step(self) }
            try done(index)
        }
        session.end(isHere: true)
        store.close()
    }

    static let steps: [Step] = beginning + (0..<8).flatMap(round) + end

    private static let beginning: [Step] = [
        { try $0.store.prepare(Orchestra.self) }, { try $0.store.prepare(Soloist.self) },
        { $0.session.recordsUndo = true },
    ]

    private static let end: [Step] = [
        { try $0.store.prepare(Visitor.self) },
        { _ in
            let (ann, joe) = (Visitor(), Visitor())
            (ann.name, ann.friends, ann.ticket, joe.name) = ("Ann", [joe], Ticket(), "Joe")
            try ann.save()
        },
        { try $0.store.prepare(FirstHall.Hall.self) },
        { program in
            try program.session.save(
                (0..<20).map { number in
                    let hall = FirstHall.Hall()
                    (hall.name, hall.seats, hall.tag) = ("Hall \(number)", "\(number * 100)", "tag \(number)")
                    return hall
                })
        },
        { try $0.reopen() }, { try $0.store.prepare(SecondHall.Hall.self) },
        { program in
            try program.store.migrate("2026-11 louder") { session in
                for hall in try SecondHall.Hall.all() { hall.fullName += "!" }
                try session.saveChanges()
            }
        },
        { _ in try SecondHall.Hall.where { $0.seats > 500 }.delete() },
        { try $0.store.vacuum() }, { try $0.store.checkpoint() },
        { _ in try SecondHall.Hall.where { $0.seats > 300 }.update { $0.seats = 1 } },
    ]

    /// The steps with one orchestra.
    private static func round(_ number: Int) -> [Step] {
        [
            { program in
                let new = FaultScript.orchestra("Orchestra \(number)")
                try new.save()
                program.orchestras.append(new)
            },
            { program in
                let orchestra = program.orchestras[number]
                orchestra.musicians.append(Soloist("Kim"))
                orchestra.cities.swapAt(0, 2)
                try orchestra.save()
            },
            { program in
                let orchestra = program.orchestras[number]
                orchestra.ratings["brass"] = nil
                orchestra.awards.insert(number)
                orchestra.concerts.append(Concert("third"))
                try orchestra.save()
            },
            { try $0.session.undo() }, { try $0.session.redo() },
            { program in
                let (orchestra, session) = (program.orchestras[number], program.session)
                try session.transaction {
                    orchestra.founded = number
                    try orchestra.save()
                    try program.changeInside(orchestra)
                    try orchestra.concerts[0].delete()
                }
            },
            { try $0.orchestras[number].musicians[0].delete() },
            { program in
                // Every second orchestra is deleted, with everything that belongs to it.
                if number % 2 == 0 { try program.orchestras[number].delete() } else { try program.session.undo() }
            },
            { _ in try Concert("lonely \(number)").save() },
            { _ in try Musician.where { $0.name == "Kim" }.update { $0.name = "Kim \(number)" } },
        ]
    }

    private func changeInside(_ orchestra: Orchestra) throws {
        try session.transaction {
            orchestra.poster = [UInt8](repeating: 9, count: 5000)
            try orchestra.save()
            session.rollBack()
        }
    }

    private func reopen() throws {
        session.end(isHere: true)
        store.close()
        orchestras = []
        store = try KillProgram.open(folder, journal)
        session = try Session(store)
    }
}
