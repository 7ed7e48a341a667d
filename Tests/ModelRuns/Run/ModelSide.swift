import PersistentObjects

/// What one session's user holds, and what all of it should be like.
final class ModelSide {
    /// What one object should be like.
    struct Held {
        enum State { case new, saved, deleted }
        let kind: ModelKind
        /// Nil where the user has let go of it with unsaved edits, which stay.
        var object: (any Numbered)?
        var state: State
        var values: ModelRecord
        /// What its session has read or written last. Only differs from `values` in what the user has edited.
        var baseline: ModelRecord
        /// Edited fields whose rows this session itself has changed: whether that is a conflict is not said.
        var doubtful: Set<ModelField> = []
        /// Whether edits were reverted on top of what others have written: their rows are seen when they are read again.
        var isBehind = false

        func isEdited(_ field: ModelField) -> Bool { values[field] != baseline[field] }
        var isEdited: Bool { values != baseline }
    }

    struct Weak { weak var object: (any Numbered)? }

    /// A commit that can be undone.
    struct UndoLevel {
        var changes: [Int: (old: ModelRow?, new: ModelRow?)]
        /// When it was committed, in commits of all sessions.
        var time: Int
    }

    let index: Int
    let session: Session
    var held: [Int: Held] = [:]
    /// Objects that were seen, whether somebody holds them or not.
    var known: [Int: Weak] = [:]
    /// Whether a row has come back as another object: links may go on leading to the one that was deleted.
    var hasReplaced = false
    /// Whether nobody else has committed since all objects were read.
    var isCurrent = true
    /// When others have committed last.
    var othersTime = 0
    var undo: [UndoLevel] = []
    var redo: [UndoLevel] = []

    init(_ index: Int, _ session: Session) { (self.index, self.session) = (index, session) }

    /// In the order of their numbers, so that a run is the same each time.
    var numbers: [Int] { held.keys.sorted() }
    func numbers(where isWanted: (Held) -> Bool) -> [Int] {
        held.filter { isWanted($0.value) }.keys.sorted()
    }
}

/// A transaction that is under way.
struct ModelLevel {
    let rows: [Int: ModelRow]
    let held: [Int: ModelSide.Held]
    /// Whether the session knew all that others had committed.
    let isCurrent: Bool
    /// Saved or deleted inside.
    var touched: Set<Int> = []
    /// Whether the save of saved objects was refused inside: their edits may go with it, or not.
    var hasRefused = false
    /// What new objects had when they were saved.
    var firstSaves: [Int: ModelRecord] = [:]

    /// What an inner one has touched, however it has ended.
    mutating func absorb(_ inner: ModelLevel) {
        firstSaves.merge(inner.firstSaves) { mine, _ in mine }
        touched.formUnion(inner.touched)
        hasRefused = hasRefused || inner.hasRefused
    }
}
