internal import Synchronization

/// SQLite: the engine of every store that is told no other.
package struct SQLiteEngine: Engine {
    /// The one there is.
    package init() {}

    package var name: String { "SQLite" }

    package var capabilities: Capabilities {
        SQLiteChangeRecorder.isAvailable ? .all : Capabilities.all.subtracting(.undo)
    }

    package func connect(
        _ location: StoreLocation, options: ConnectionOptions, expecting expected: FileIdentity?
    ) throws(StoreError) -> any Connection {
        try SQLiteConnection(location, options: options, expecting: expected)
    }
}

extension SQLiteConnection {
    package var engineName: String { SQLiteEngine().name }
    package var capabilities: Capabilities { SQLiteEngine().capabilities }

    package func write(_ batch: WriteBatch) throws {
        // SQLite takes 32,766 placeholders.
        try writeStepwise(batch, placeholderLimit: 30_000)
    }
}

/// The engine of stores that are told no other.
package enum StandardEngine {
    private static let chosen = Mutex<(any Engine)?>(nil)

    /// SQLite, unless another was chosen.
    package static var current: any Engine { chosen.withLock { $0 } ?? SQLiteEngine() }

    /// Has stores that are opened from now on use another engine; nil for SQLite. For tests that run on several.
    package static func choose(_ engine: (any Engine)?) { chosen.withLock { $0 = engine } }
}
