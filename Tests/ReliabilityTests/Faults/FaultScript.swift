import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Where a script works: a store in a folder in which calls to the system can be made to fail, and a session.
struct FaultStage {
    let folder: FaultyFolder
    let store: Store
    let session: Session
    /// What the store has noted.
    let notes: Recorder<String>

    /// A file in the folder, beside the store's.
    func path(_ name: String) -> String { folder.file.folder.appending(path: name).path(percentEncoded: false) }
}

/// One call on a store, and what there is before it.
struct FaultScript: Sendable, CustomTestStringConvertible {
    /// The objects that a call is about, and the call.
    struct Work {
        var held: [PersistentObject] = []
        let call: () throws -> Void
    }

    let name: String
    /// Classes whose tables the file has.
    var classes: [PersistentObject.Type] = FaultScript.orchestraClasses
    /// Classes that are prepared before the call; nil for all of these.
    var preparedClasses: [PersistentObject.Type]?
    /// Makes what the file holds.
    var fill: @Sendable (Session) throws -> Void = { try FaultScript.fill($0) }
    /// Brings memory to where the call begins. Commits that it makes count as there before.
    let begin: @Sendable (FaultStage) throws -> Work
    /// What the call does in transactions of their own before its last: the file may stay there.
    var steps: [@Sendable (Store) throws -> Void] = []
    /// Whether the session is recorded for undo, whatever else is tested.
    var recordsUndo = false
    /// What else is to be so after a failure; the answers are what is not.
    var check: (@Sendable (FaultStage) throws -> [String])?

    var prepared: [PersistentObject.Type] { preparedClasses ?? classes }
    var testDescription: String { name }

    static let orchestraClasses: [PersistentObject.Type] = [
        Orchestra.self, Musician.self, Soloist.self, Instrument.self, Concert.self,
    ]

    /// An orchestra with all that belongs to it.
    static func orchestra(_ name: String) -> Orchestra {
        let orchestra = Orchestra(name)
        orchestra.founded = 1882
        orchestra.cities = ["Berlin", "Wien", "Prag"]
        orchestra.awards = [1901, 1955]
        orchestra.ratings = ["strings": 1.5, "brass": 2]
        orchestra.poster = [UInt8](repeating: 7, count: 9000)
        orchestra.concerts = [Concert("first"), Concert("second")]
        let (ann, joe) = (Musician("Ann"), Soloist("Joe"))
        ann.instruments = [Instrument("violin"), Instrument("viola")]
        orchestra.leader = joe
        orchestra.musicians = [ann, joe]
        return orchestra
    }

    static func fill(_ session: Session) throws {
        try session.save([orchestra("Philharmonic"), orchestra("Chamber")])
    }
}

/// All that a file and a session say at one moment.
struct FaultState {
    let file: FileDump
    let session: SessionDump
    let events: [String]
}
