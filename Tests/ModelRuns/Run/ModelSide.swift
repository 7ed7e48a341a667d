import PersistentObjects

/// The objects that the user of a session holds, with their expected states.
final class ModelSide {
    /// The expected state of an object.
    struct Held {
        enum State { case new, saved, deleted }
        let kind: ModelKind
        /// Nil if the user has released it with unsaved edits, which stay.
        var object: (any Numbered)?
        var state: State
        var values: ModelRecord
        /// The values that its session has last read or written. They differ from `values` only in edited fields.
        var baseline: ModelRecord
        /// Edited fields whose rows this session itself has changed, which may or may not conflict.
        var doubtful: Set<ModelField> = []
        /// Whether an edit was reverted after other sessions' changes, which the object shows when it is next read.
        var isBehind = false

        func isEdited(_ field: ModelField) -> Bool { values[field] != baseline[field] }
        var isEdited: Bool { values != baseline }
    }

    struct Weak { weak var object: (any Numbered)? }

    /// A commit that can be undone.
    struct UndoLevel {
        var changes: [Int: (old: ModelRow?, new: ModelRow?)]
        /// The number of commits of all sessions when it was committed.
        var time: Int
    }

    let index: Int
    let session: Session
    var held: [Int: Held] = [:]
    /// The objects that were seen, whether or not the user holds them.
    var known: [Int: Weak] = [:]
    /// Whether a restored row has a new object, so that links may still refer to the deleted object.
    var hasReplaced = false
    /// Whether no other session has committed since all objects were read.
    var isCurrent = true
    /// The time of the last commit of another session.
    var othersTime = 0
    var undo: [UndoLevel] = []
    var redo: [UndoLevel] = []

    init(_ index: Int, _ session: Session) { (self.index, self.session) = (index, session) }

    /// The numbers of the held objects, sorted so that a run is reproducible.
    var numbers: [Int] { held.keys.sorted() }
    func numbers(where isWanted: (Held) -> Bool) -> [Int] {
        held.filter { isWanted($0.value) }.keys.sorted()
    }
}

/// A current transaction.
struct ModelLevel {
    let rows: [Int: ModelRow]
    let held: [Int: ModelSide.Held]
    /// Whether the session knew all commits of other sessions.
    let isCurrent: Bool
    /// The objects that were saved or deleted inside.
    var touched: Set<Int> = []
    /// Whether a save was refused inside, after which edits may or may not be lost.
    var hasRefused = false
    /// The values of new objects when they were saved.
    var firstSaves: [Int: ModelRecord] = [:]

    /// Adds the objects that an inner transaction has touched, however it has ended.
    mutating func absorb(_ inner: ModelLevel) {
        firstSaves.merge(inner.firstSaves) { mine, _ in mine }
        touched.formUnion(inner.touched)
        hasRefused = hasRefused || inner.hasRefused
    }
}
