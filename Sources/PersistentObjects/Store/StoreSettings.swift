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

    /// - Parameter former: The settings that these replace; open connections use the functions of their keyring.
    init(_ configuration: Store.Configuration, after former: StoreSettings? = nil) {
        self.configuration = configuration
        let keys = configuration.propertyKeys
        let kept = former?.sealed.flatMap { sealed in keys.map { sealed.uses($0) } ?? false ? sealed : nil }
        sealed = kept ?? keys.map { SealedValues($0) }
        let ownFunctions = kept == nil ? sealed?.functions : former?.options.additions.ownFunctions
        schema = SchemaSettings(
            changes: configuration.schemaChanges, showsValues: configuration.showsValuesInErrors, sealed: sealed)
        statements = StatementSink(
            onQuery: configuration.onQuery, slowQuery: configuration.slowQuery,
            showsArguments: configuration.showsQueryArguments, onNote: configuration.onNote)
        let isFullyDurable = if case .full = configuration.durability { true } else { false }
        var options = ConnectionOptions(
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
                ownFunctions: ownFunctions ?? []))
        options.changesAreKept = configuration.changesAreKept
        options.pollInterval = configuration.pollInterval
        options.replica = configuration.replica?.options
        self.options = options
    }
}
