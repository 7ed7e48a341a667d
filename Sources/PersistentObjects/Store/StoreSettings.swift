internal import StoreEngine

/// A store's configuration, and the options derived from it, computed once because each write reads some of them.
struct StoreSettings {
    let configuration: Store.Configuration
    let options: ConnectionOptions
    /// The receiver of statement profiles; nil if there is none.
    let statements: StatementSink?
    let schema: SchemaSettings
    /// The encrypted values of properties; nil without a keyring.
    let sealed: SealedValues?

    init(_ configuration: Store.Configuration) {
        self.configuration = configuration
        sealed = configuration.propertyKeys.map { SealedValues($0) }
        schema = SchemaSettings(
            changes: configuration.schemaChanges, showsValues: configuration.showsValuesInErrors, sealed: sealed)
        statements = StatementSink(
            onQuery: configuration.onQuery, slowQuery: configuration.slowQuery,
            showsArguments: configuration.showsQueryArguments, onNote: configuration.onNote)
        let isFullyDurable = if case .full = configuration.durability { true } else { false }
        options = ConnectionOptions(
            isFullyDurable: isFullyDurable, busyTimeout: configuration.busyTimeout.wholeMilliseconds,
            queryTimeout: configuration.queryTimeout, writesAlone: configuration.isolation == .exclusive,
            filePermissions: configuration.filePermissions,
            file: FileSettings(
                cacheSize: configuration.cacheSize, pageSize: configuration.pageSize, journal: configuration.journal,
                autoVacuum: configuration.autoVacuum, isReadOnly: configuration.isReadOnly,
                limits: configuration.limits, applicationID: configuration.applicationID.map { Int64($0) },
                form: configuration.encryption.form),
            additions: SQLAdditions(
                functions: configuration.functions.map(\.engine), collations: configuration.collations.map(\.engine),
                ownFunctions: sealed?.functions ?? []))
    }
}
