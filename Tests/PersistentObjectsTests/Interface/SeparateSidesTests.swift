import Foundation
import PersistentObjects
import TestSupport
import Testing

/// In debug builds, two properties that look like two sides of one relation but are stored separately cause a note.
@Suite struct SeparateSidesTests {
    final class Owner: PersistentObject {
        override class var tableName: String { "sides_owner" }
        var pets: [Pet] = []
    }
    final class Pet: PersistentObject {
        override class var tableName: String { "sides_pet" }
        var owner: Owner?
    }

    final class Song: PersistentObject {
        override class var tableName: String { "sides_song" }
        var singers: Set<Singer> = []
    }
    final class Singer: PersistentObject {
        override class var tableName: String { "sides_singer" }
        var songs: [Song] = []
    }

    final class Passport: PersistentObject {
        override class var tableName: String { "sides_passport" }
        @Lazy var holder: Holder?
    }
    final class Holder: PersistentObject {
        override class var tableName: String { "sides_holder" }
        var passport: Passport?
    }

    /// Has a one-sided reference, an inverse, two references back, a self-reference and a dictionary.
    final class Team: PersistentObject {
        override class var tableName: String { "sides_team" }
        @Inverse(\Player.team) var players: [Player]
        var captain: Player?
        var rival: Team?
        var sponsors: [Sponsor] = []
        var byNumber: [Int: Sponsor] = [:]
        var ground: Ground?
    }
    final class Player: PersistentObject {
        override class var tableName: String { "sides_player" }
        var team: Team?
    }
    final class Sponsor: PersistentObject {
        override class var tableName: String { "sides_sponsor" }
        var first: Team?
        var second: Team?
    }
    final class Ground: PersistentObject {
        override class var tableName: String { "sides_ground" }
        var name = ""
    }

    private func notes(of classes: PersistentObject.Type...) throws -> [String] {
        let notes = Recorder<String>()
        try withTemporaryStore(.init(onNote: { notes.add($0) })) { store, _ in
            for type in classes { try store.prepare(type) }
        }
        return notes.take()
    }

    #if DEBUG
        @Test func `a collection and a reference back cause one note with the suggested declaration`() throws {
            let expected = """
                Owner.pets and Pet.owner are stored as two separate relations, so a change of one does not change the \
                other. If they are two sides of one relation, write in Owner: @Inverse(\\Pet.owner) var pets: [Pet]
                """
            try expect(notes(of: Owner.self, Pet.self), [expected])
            try expect(notes(of: Pet.self, Owner.self), [])
        }

        @Test func `two collections, or two references, cause a note`() throws {
            let both = try notes(of: Song.self)
            #expect(
                both.count == 1 && both[0].contains("are stored as two separate relations")
                    && both[0].contains("@Inverse(\\S"))
            let references = try notes(of: Holder.self)
            #expect(references.count == 1 && references[0].contains("?"), "\(references)")
        }
    #endif

    @Test func `sides with an inverse, and ambiguous sides, cause no note`() throws {
        try expect(notes(of: Team.self, Player.self, Sponsor.self, Ground.self), [])
    }
}
