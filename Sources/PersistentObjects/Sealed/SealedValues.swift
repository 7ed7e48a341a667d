// Sealed: encrypts and decrypts the values of properties with the keys of a keyring, and knows the file's tables of keys
// and of encrypted columns. It must know neither sessions nor objects.

@_spi(Locks) internal import StoreEngine

#if Encryption
    internal import Sealing
#endif

/// The encrypted values of a store: the keys, and what the file knows of them.
final class SealedValues: Sendable {
    let keys: any FileKeys
    let state = Locked(State())

    struct State {
        #if Encryption
            /// The derived keys.
            var derived = PropertyKeys.Cache()
        #endif
        /// The key with which this file's new values are encrypted; nil before the first write.
        var current: UInt32?
        /// The key of the hashes of new values; nil before the first write. A transaction that writes determines it, and
        /// no session that reads an earlier state.
        var currentIndex: UInt32?
        /// The key of the hashes that conditions compare; nil if it is unknown so far.
        var index: UInt32?
        /// The reason why the keyring lacks that key.
        var indexProblem: StoreError?
        /// The commit at which the file had that key; nil if it must be read again.
        var indexMark: CommitMark?
    }

    init(_ keys: any FileKeys) { self.keys = keys }

    /// Whether the values are encrypted with these keys.
    func uses(_ other: any FileKeys) -> Bool { keys === other }

    /// The SQL functions of a connection. Only statements of the library may call them, no triggers and no views.
    var functions: [EngineFunction] {
        #if Encryption
            [
                // The context is read in place, because each call has one.
                EngineFunction(
                    SealNames.seal, argumentCount: 4, isDeterministic: false, isInnocuous: false,
                    ofValues: { [self] arguments in
                        guard case .integer(let flags) = arguments[2] else { return .null }
                        return try seal(arguments[0], text(arguments[1]).utf8, Int(flags), key: arguments[3])
                    },
                    body: { [self] call in
                        guard let context = try call.arguments.textBytes(1), let flags = try call.arguments.integer(2)
                        else { return }
                        try call.give(seal(call.arguments[0], context, Int(flags), key: call.arguments[3]))
                    }),
                EngineFunction(
                    SealNames.open, argumentCount: 3, isDeterministic: false, isInnocuous: false,
                    ofValues: { [self] arguments in
                        try open(arguments[0], text(arguments[1]).utf8, key: arguments[2])
                    },
                    body: { [self] call in
                        guard let context = try call.arguments.textBytes(1) else { return }
                        try call.give(open(call.arguments[0], context, key: call.arguments[2]))
                    }),
                EngineFunction(
                    SealNames.hash, argumentCount: 2, isDeterministic: true, isInnocuous: false,
                    ofValues: { [self] arguments in try hash(arguments[0], text(arguments[1]).utf8) },
                    body: { [self] call in
                        guard let context = try call.arguments.textBytes(1) else { return }
                        try call.give(hash(call.arguments[0], context))
                    }),
            ]
        #else
            []
        #endif
    }

    private func text(_ value: DatabaseValue) -> String { if case .text(let text) = value { text } else { "" } }
}

#if Encryption
    // Values.
    extension SealedValues {
        /// The reason why a value cannot be decrypted.
        enum Fault: Error {
            /// The keyring has no key of this number.
            case noKey(UInt32)
            /// The key does not decrypt the value.
            case rejected(UInt32)
            /// The bytes are not an encrypted value.
            case malformed
        }

        /// Decrypts a stored value; NULL remains NULL.
        ///
        /// - Parameter key: The key of the row's object; NULL in classes without keys.
        func open(
            _ value: DatabaseValue, _ context: some Collection<UInt8>, key: DatabaseValue
        ) throws(Fault) -> DatabaseValue {
            if case .null = value { return .null }
            guard let form = SealedForm(value) else { throw .malformed }
            guard let derived = derived(form.key, context) else { throw .noKey(form.key) }
            guard let opened = form.opened(derived: derived.value, header: derived.header, object: key) else {
                throw .rejected(form.key)
            }
            return opened
        }

        /// Encrypts a value; NULL remains NULL.
        ///
        /// - Parameter key: The key of the row's object; NULL in classes without keys.
        func sealed(
            _ value: DatabaseValue, _ sealing: PropertySealing, key: DatabaseValue
        ) throws -> DatabaseValue {
            try seal(value, sealing.context.utf8, sealing.flags, key: key)
        }

        private func seal(
            _ value: DatabaseValue, _ context: some Collection<UInt8>, _ flags: Int, key: DatabaseValue
        ) throws -> DatabaseValue {
            if case .null = value { return .null }
            guard let number = state.withLock({ $0.current }), let derived = derived(number, context) else {
                throw StoreError(.locked, "The keyring has no key for new values")
            }
            let form = SealedForm(
                value, hash: flags & 2 == 0 ? nil : try hash(value, context, state.withLock { $0.currentIndex }),
                key: number, derived: derived.value, isPadded: flags & 1 != 0, header: derived.header, object: key)
            return .blob(form.bytes)
        }

        /// The hash that a condition compares; NULL remains NULL.
        private func hash(_ value: DatabaseValue, _ context: some Collection<UInt8>) throws -> DatabaseValue {
            if case .null = value { return .null }
            let (index, problem) = state.withLock { ($0.index, $0.indexProblem) }
            if let problem { throw problem }
            return .blob(try hash(value, context, index))
        }

        private func hash(
            _ value: DatabaseValue, _ context: some Collection<UInt8>, _ number: UInt32?
        ) throws -> [UInt8] {
            guard let number, let derived = derived(number, context) else {
                throw StoreError(.locked, "The keyring lacks the key of the hashes")
            }
            return derived.hash.hash(
                SealedForm.bytes(of: SealedValues.comparable(value)), count: SealedForm.hashSize)
        }

        /// A value in the form in which equal numbers have equal bytes.
        private static func comparable(_ value: DatabaseValue) -> DatabaseValue {
            guard case .real(let number) = value else { return value }
            return Int64(exactly: number).map { .integer($0) } ?? value
        }

        /// The keys for a context; nil if the keyring has no such key.
        private func derived(_ number: UInt32, _ context: some Collection<UInt8>) -> PropertyKeys? {
            if let known = state.withLock({ $0.derived.keys(number, of: context) }) { return known }
            guard let key = keys.key(number) else { return nil }
            let derived = PropertyKeys(number, of: Array(context), from: key)
            state.withLock { $0.derived.add(derived) }
            return derived
        }

        func fingerprint(_ number: UInt32) -> [UInt8]? {
            keys.key(number).map { Array(Sealing.hash(Array("po fingerprint".utf8), key: $0).prefix(16)) }
        }
    }
#endif

extension SealedValues {
    /// The numbers of the keys with which values of a file were encrypted.
    static func keyNumbers(_ connection: any Connection) throws -> Set<Int> {
        guard try connection.schema.definition(of: SealNames.keys) != nil else { return [] }
        let statement = try connection.statement("SELECT number FROM \(name: SealNames.keys)")
        defer { statement.finish() }
        statement.beginBinding()
        var numbers: Set<Int> = []
        while try statement.step() { numbers.insert(Int(statement.integer(0))) }
        return numbers
    }

    /// The number of the key that encrypts new values.
    var currentKey: UInt32 { keys.currentKey }
}

extension SealedValues: Equatable {
    static func == (one: SealedValues, other: SealedValues) -> Bool { one === other }
}
