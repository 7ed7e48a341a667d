/// SQLite: the default engine of every store.
package struct SQLiteEngine: Engine {
    /// Creates the engine.
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

    package func convert(_ location: StoreLocation, options: ConnectionOptions, to form: FileForm) throws {
        try FileConversion(location, options, to: form).run()
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

/// The default engine of stores.
package enum StandardEngine {
    private static let chosen = Locked<(any Engine)?>(nil)

    /// SQLite, unless another engine was chosen.
    package static var current: any Engine { chosen.withLock { $0 } ?? SQLiteEngine() }

    /// Sets the engine of stores that are opened later; nil for SQLite. For tests that run on several engines.
    package static func choose(_ engine: (any Engine)?) { chosen.withLock { $0 = engine } }
}
