import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The environment of a script: a store in a folder whose system calls can be made to fail, and a session.
struct FaultStage {
    let folder: FaultyFolder
    let store: Store
    let session: Session
    /// The notes of the store.
    let notes: Recorder<String>

    /// Returns the path of a file next to the store's file.
    func path(_ name: String) -> String { folder.file.folder.appending(path: name).path(percentEncoded: false) }
}

/// One call on a store, and the state that precedes it.
struct FaultScript: Sendable, CustomTestStringConvertible {
    /// The objects that a call uses, and the call.
    struct Work {
        var held: [PersistentObject] = []
        let call: () throws -> Void
    }

    let name: String
    /// Classes whose tables exist in the file.
    var classes: [PersistentObject.Type] = FaultScript.orchestraClasses
    /// Classes that are prepared before the call, or nil for all of `classes`.
    var preparedClasses: [PersistentObject.Type]?
    /// Creates the content of the file.
    var fill: @Sendable (Session) throws -> Void = { try FaultScript.fill($0) }
    /// Brings memory to the state before the call. Commits that it makes belong to that state.
    let begin: @Sendable (FaultStage) throws -> Work
    /// The separate transactions of the call before its last one. After a failure the file may be in the state after
    /// any of them.
    var steps: [@Sendable (Store) throws -> Void] = []
    /// Whether the session always records undo.
    var recordsUndo = false
    /// Further checks after a failure. Returns descriptions of the violations.
    var check: (@Sendable (FaultStage) throws -> [String])?

    var prepared: [PersistentObject.Type] { preparedClasses ?? classes }
    var testDescription: String { name }

    static let orchestraClasses: [PersistentObject.Type] = [
        Orchestra.self, Musician.self, Soloist.self, Instrument.self, Concert.self,
    ]

    /// Returns an orchestra with related objects.
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

/// The complete state of a file and a session at one moment.
struct FaultState {
    let file: FileDump
    let session: SessionDump
    let events: [String]
}
