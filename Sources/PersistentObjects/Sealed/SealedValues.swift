// Sealed: encrypts and decrypts the values of properties with the keys of a keyring, and knows the file's tables of keys
// and of encrypted columns. It must know neither sessions nor objects.

internal import StoreEngine

#if Encryption
    internal import Sealing
#endif

/// The encrypted values of a store: the keys, and what the file knows of them.
final class SealedValues: Sendable {
    private let keys: any FileKeys
    private let state = Locked(State())

    private struct State {
        /// The derived keys by the key's number and the context.
        var derived: [DerivedKey: [UInt8]] = [:]
        /// The key with which this file's new values are encrypted; nil before the first write.
        var current: UInt32?
        /// The key that the file's hashes are made with; nil if it is unknown so far.
        var index: UInt32?
        /// The reason why the keyring lacks that key.
        var indexProblem: StoreError?
    }

    private struct DerivedKey: Hashable {
        let number: UInt32
        let context: String
    }

    init(_ keys: any FileKeys) { self.keys = keys }

    /// Whether the values are encrypted with these keys.
    func uses(_ other: any FileKeys) -> Bool { keys === other }

    /// The SQL functions of a connection. Only statements of the library may call them, no triggers and no views.
    var functions: [EngineFunction] {
        #if Encryption
            [
                EngineFunction(SealNames.seal, argumentCount: 4, isDeterministic: false, isInnocuous: false) {
                    [self] call in
                    let value = try call.arguments[0]
                    guard value != .null, case .integer(let flags) = try call.arguments[2] else { return }
                    try call.give(seal(value, try text(call.arguments[1]), Int(flags), key: try call.arguments[3]))
                },
                EngineFunction(SealNames.open, argumentCount: 3, isDeterministic: false, isInnocuous: false) {
                    [self] call in
                    let (value, context) = (try call.arguments[0], try text(call.arguments[1]))
                    try call.give(open(value, context, key: try call.arguments[2]))
                },
                EngineFunction(SealNames.hash, argumentCount: 2, isDeterministic: true, isInnocuous: false) {
                    [self] call in
                    let value = try call.arguments[0]
                    guard value != .null else { return }
                    try call.give(.blob(hash(value, try text(call.arguments[1]))))
                },
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
        func open(_ value: DatabaseValue, _ context: String, key: DatabaseValue) throws(Fault) -> DatabaseValue {
            guard value != .null else { return .null }
            guard let form = SealedForm(value) else { throw .malformed }
            guard let derived = derived(form.key, context) else { throw .noKey(form.key) }
            guard let opened = form.opened(derived: derived, header: header(context, key)) else {
                throw .rejected(form.key)
            }
            return opened
        }

        private func seal(_ value: DatabaseValue, _ context: String, _ flags: Int, key: DatabaseValue) throws
            -> DatabaseValue
        {
            guard let number = state.withLock({ $0.current }), let derived = derived(number, context) else {
                throw StoreError(.locked, "The keyring has no key for new values")
            }
            let form = SealedForm(
                value, hash: flags & 2 == 0 ? nil : try hash(value, context), key: number, derived: derived,
                isPadded: flags & 1 != 0, header: header(context, key))
            return .blob(form.bytes)
        }

        private func hash(_ value: DatabaseValue, _ context: String) throws -> [UInt8] {
            let (index, problem) = state.withLock { ($0.index, $0.indexProblem) }
            if let problem { throw problem }
            guard let number = index, let derived = derived(number, "hash\t" + context) else {
                throw StoreError(.locked, "The keyring lacks the key of the hashes")
            }
            return Array(
                Sealing.hash(SealedForm.bytes(of: SealedValues.comparable(value)), key: derived)
                    .prefix(SealedForm.hashSize))
        }

        /// A value in the form in which equal numbers have equal bytes.
        private static func comparable(_ value: DatabaseValue) -> DatabaseValue {
            guard case .real(let number) = value else { return value }
            return Int64(exactly: number).map { .integer($0) } ?? value
        }

        private func header(_ context: String, _ key: DatabaseValue) -> [UInt8] {
            Array(context.utf8) + [0] + SealedForm.bytes(of: key)
        }

        /// The key for a context; nil if the keyring has no such key.
        private func derived(_ number: UInt32, _ context: String) -> [UInt8]? {
            let name = DerivedKey(number: number, context: context)
            if let known = state.withLock({ $0.derived[name] }) { return known }
            guard let key = key(number) else { return nil }
            let derived = Sealing.derive(key, salt: [], info: Array("po value\t\(context)".utf8), count: 32)
            state.withLock { $0.derived[name] = derived }
            return derived
        }

        private func key(_ number: UInt32) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: Sealing.keySize)
            let isThere = bytes.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { keys.copyKey(number, to: $0) } ?? false
            }
            return isThere ? bytes : nil
        }

        private func fingerprint(_ number: UInt32) -> [UInt8]? {
            key(number).map { Array(Sealing.hash(Array("po fingerprint".utf8), key: $0).prefix(16)) }
        }
    }

    // The keys that the file knows.
    extension SealedValues {
        private struct FileKey {
            let number: UInt32
            let fingerprint: DatabaseValue
            let isIndex: Bool
        }

        private func fileKeys(_ connection: any Connection) throws(StoreError) -> [FileKey] {
            let statement = try connection.statement(
                "SELECT number, fingerprint, is_index FROM \(name: SealNames.keys)")
            defer { statement.finish() }
            statement.beginBinding()
            var keys: [FileKey] = []
            while try statement.step() {
                let fingerprint: DatabaseValue
                do throws(ValueFault) { fingerprint = try statement.column(1).value() } catch { throw .value(error) }
                keys.append(
                    FileKey(
                        number: UInt32(truncatingIfNeeded: statement.integer(0)), fingerprint: fingerprint,
                        isIndex: statement.integer(2) != 0))
            }
            return keys
        }

        /// Prepares writing in the open transaction: the file must know the current key.
        ///
        /// - Parameter hashes: Whether the values have hashes.
        func prepareToWrite(_ connection: any Connection, hashes: Bool) throws(StoreError) {
            let number = keys.currentKey
            let known = try fileKeys(connection)
            let index = known.first(where: \.isIndex)
            if let own = known.first(where: { $0.number == number }) {
                try check(own)
            } else {
                guard let fingerprint = fingerprint(number) else {
                    throw StoreError(.locked, "The keyring has no key \(number), which is its current key")
                }
                let insert = try connection.statement("INSERT INTO \(name: SealNames.keys) VALUES (?, ?, ?)")
                defer { insert.finish() }
                insert.beginBinding()
                do throws(ValueFault) {
                    try insert.bind(Int64(number), at: 1)
                    try insert.bind(.blob(fingerprint), at: 2)
                    try insert.bind(Int64(index == nil ? 1 : 0), at: 3)
                } catch { throw .value(error) }
                try insert.run()
            }
            if hashes, let index { try check(index) }
            state.withLock {
                $0.current = number
                if hashes || index == nil { ($0.index, $0.indexProblem) = (index?.number ?? number, nil) }
            }
        }

        /// Prepares a condition that compares hashes.
        func prepareToCompare(_ connection: any Connection) throws(StoreError) {
            // Another process may have changed the key.
            guard let index = try fileKeys(connection).first(where: \.isIndex) else { return }
            var problem: StoreError?
            do throws(StoreError) { try check(index) } catch { problem = error }
            state.withLock { ($0.index, $0.indexProblem) = (index.number, problem) }
            if let problem { throw problem }
        }

        /// Throws if the keyring lacks a key of the file, or has another key of this number.
        private func check(_ known: FileKey) throws(StoreError) {
            guard let fingerprint = fingerprint(known.number) else { throw SealedValues.locked(known.number) }
            guard known.fingerprint == .blob(fingerprint) else { throw SealedValues.wrongKey(known.number) }
        }

        private static func locked(_ number: UInt32) -> StoreError {
            StoreError(
                .locked,
                "The value is encrypted with key \(number), which the keyring does not have. Open the store with the "
                    + "keyring that has the key")
        }

        private static func wrongKey(_ number: UInt32) -> StoreError {
            StoreError(
                .wrongKey,
                "The keyring has another key \(number) than the file. Open the store with the keyring of the file")
        }

        /// Decrypts a stored value of a property.
        ///
        /// - Parameter key: The key of the row's object; NULL in classes without keys.
        func value(
            _ stored: DatabaseValue, _ context: String, key: DatabaseValue, _ connection: any Connection
        ) throws(StoreError) -> DatabaseValue {
            do throws(Fault) { return try open(stored, context, key: key) } catch {
                throw try self.error(error, connection)
            }
        }

        private func error(_ fault: Fault, _ connection: any Connection) throws(StoreError) -> StoreError {
            let changed = StoreError(
                .damaged,
                "The encrypted bytes of the value were changed. Assign a new value, or restore the row from a backup")
            switch fault {
            case .malformed: return changed
            case .noKey(let number):
                return try fileKeys(connection).contains { $0.number == number } ? SealedValues.locked(number) : changed
            case .rejected(let number):
                guard let known = try fileKeys(connection).first(where: { $0.number == number }) else { return changed }
                do throws(StoreError) { try check(known) } catch { return error }
                return changed
            }
        }

        /// The number of the key that makes the file's hashes; nil if the file has no key yet.
        func indexKey(_ connection: any Connection) throws(StoreError) -> UInt32? {
            try fileKeys(connection).first(where: \.isIndex)?.number
        }

    }
#else
    // Without the trait there is no keyring, so these are never called.
    extension SealedValues {
        private var unavailable: StoreError {
            StoreError(.unsupported, "This program was built without the package trait Encryption")
        }

        func prepareToWrite(_ connection: any Connection, hashes: Bool) throws(StoreError) { throw unavailable }
        func prepareToCompare(_ connection: any Connection) throws(StoreError) { throw unavailable }
        func value(
            _ stored: DatabaseValue, _ context: String, key: DatabaseValue, _ connection: any Connection
        ) throws(StoreError) -> DatabaseValue { throw unavailable }
        func indexKey(_ connection: any Connection) throws(StoreError) -> UInt32? { nil }
    }
#endif

extension SealedValues {
    /// The number of the key that encrypts new values.
    var currentKey: UInt32 { keys.currentKey }
}

extension SealedValues: Equatable {
    static func == (one: SealedValues, other: SealedValues) -> Bool { one === other }
}
