import Foundation
import TestSupport

@testable import PersistentObjects

// Work with objects, in which each system call fails in turn.
extension FaultScript {
    /// The scripts that check memory and file together.
    static let work: [FaultScript] = [
        saveOfNewObjects, saveOfChanges, saveOfAllChanges, deletion, transactions, undo, redo, upsert, queryUpdate,
    ]

    static let saveOfNewObjects = FaultScript(name: "a save of a new graph") { stage in
        let new = orchestra("Radio")
        return Work(held: objects(of: new)) { try new.save() }
    }

    static let saveOfChanges = FaultScript(name: "a save of changes") { stage in
        let known = try Orchestra.findOnlyBy.name("Chamber")
        let held = objects(of: known)
        known.founded = 1900
        known.cities = ["Wien", "Bonn", "Berlin"]
        known.awards.insert(2000)
        known.ratings["brass"] = nil
        known.poster = [UInt8](repeating: 8, count: 12000)
        known.concerts.removeFirst()
        known.concerts.append(Concert("third"))
        known.musicians.append(Musician("Sue"))
        known.leader = known.musicians[0]
        return Work(held: held + [known.concerts[1], known.musicians[2]]) { try known.save() }
    }

    static let saveOfAllChanges = FaultScript(name: "a save of all changes, of ended objects too") { stage in
        func edit() throws { for musician in try Musician.all() { musician.name += "!" } }
        try edit()
        let held = try Concert.all()
        for concert in held { concert.programme = Data([1, 2, 3]) }
        return Work(held: held) { try stage.session.saveChanges() }
    }

    static let deletion = FaultScript(name: "a deletion with what follows") { stage in
        let known = try Orchestra.findOnlyBy.name("Philharmonic")
        let held = objects(of: known)
        return Work(held: held) { try stage.session.delete([known, known.musicians[0]] as [PersistentObject]) }
    }

    static let transactions = FaultScript(name: "transactions in each other") { stage in
        let known = try Orchestra.findOnlyBy.name("Chamber")
        let held = objects(of: known)
        known.founded = 5
        let new = orchestra("New")
        let session = stage.session
        func rolledBack() throws {
            try session.transaction {
                known.ratings["woodwind"] = 3
                known.musicians[0].name = "Tom"
                try known.save()
                session.rollBack()
            }
        }
        func inner() throws {
            try session.transaction {
                known.cities.append("Rom")
                try session.save([known, new])
                try known.musicians[1].delete()
            }
        }
        return Work(held: held + objects(of: new)) {
            try session.transaction {
                known.awards = []
                try known.save()
                try rolledBack()
                try inner()
                _ = try Musician.all()
                try known.concerts[0].delete()
            }
        }
    }

    static let undo = FaultScript(
        name: "an undo",
        begin: { stage in
            let held = try changeAndDelete(stage.session)
            return Work(held: held) { try stage.session.undo() }
        }, recordsUndo: true)

    static let redo = FaultScript(
        name: "a redo",
        begin: { stage in
            let held = try changeAndDelete(stage.session)
            try stage.session.undo()
            return Work(held: held) { try stage.session.redo() }
        }, recordsUndo: true)

    static let upsert = FaultScript(name: "an insertion or update") { stage in
        let (new, other) = (Orchestra("Chamber"), Orchestra("Unknown"))
        (new.founded, other.founded) = (1, 2)
        return Work(held: [new, other]) { _ = try stage.session.upsert([new, other], on: \.name) }
    }

    static let queryUpdate = FaultScript(name: "an update by query") { stage in
        let held = try Musician.all()
        return Work(held: held) { _ = try Musician.where { $0.name != "Joe" }.update { $0.name = "Kim" } }
    }

    /// Records one undo level with changes, a deletion and an insertion.
    private static func changeAndDelete(_ session: Session) throws -> [PersistentObject] {
        let known = try Orchestra.findOnlyBy.name("Philharmonic")
        let held = objects(of: known)
        try session.transaction {
            known.founded = 1
            known.cities = []
            known.musicians.append(Soloist("Kim"))
            try known.save()
            try known.concerts[0].delete()
        }
        return held + [known.musicians[2]]
    }

    /// Returns an orchestra and the objects related to it.
    static func objects(of orchestra: Orchestra) -> [PersistentObject] {
        [orchestra] + orchestra.concerts + orchestra.musicians + orchestra.musicians.flatMap(\.instruments)
    }
}
